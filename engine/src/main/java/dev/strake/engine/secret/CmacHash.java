package dev.strake.engine.secret;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The first 64 bits of AES-CMAC (RFC 4493) of a value, with a key for each workspace:
 *
 * <pre>
 *  key of a workspace     HMAC-SHA-256 over  │ length, 4 bytes │ workspace, UTF-8 │
 *  message                                   │ JSON of the value, with its keys sorted │   up to 64 bytes
 *                                            │ 0 │ fingerprint, 16 bytes │               of a longer value
 * </pre>
 *
 * No JSON begins with a zero byte, so no two values have the same message.
 *
 * <p>Data has many leaves, and each has a hash. Their first blocks are encrypted at once, then their second blocks, and so on:
 * most leaves are short, and a call of the cipher takes longer than a block. A hash without a key for each leaf, which is
 * encrypted as one block, took several times as long.
 */
final class CmacHash implements KeyedHash {

    private static final String HMAC = "HmacSHA256";
    private static final int BLOCK_BYTES = 16;

    /** Bytes of JSON that are a message as they are: a few blocks. */
    private static final int LONGEST = 4 * BLOCK_BYTES;

    /** Values of which blocks are encrypted at once: more would gain nothing. */
    private static final int AT_ONCE = 256;

    /** By which RFC 4493 reduces a block that was doubled. */
    private static final long REDUCTION = 0x87;

    private final SecretKeySpec key;

    /* Of the workspace that was asked for last. A thread takes it while it uses it; others make their own. */
    private OfWorkspace last;

    CmacHash(byte[] key) {
        this.key = new SecretKeySpec(key, HMAC);
    }

    @Override
    public String of(String workspace, Value value) {
        return ofAll(workspace, List.of(value))[0];
    }

    @Override
    public String[] ofAll(String workspace, List<? extends Value> values) {
        OfWorkspace taken = take();
        OfWorkspace used = taken != null && taken.workspace.equals(workspace) ? taken : ofWorkspace(workspace);
        try {
            String[] hashes = new String[values.size()];
            for (int from = 0; from < hashes.length; from += AT_ONCE) {
                used.hash(values, from, Math.min(from + AT_ONCE, hashes.length), hashes);
            }
            return hashes;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a block can be encrypted", e);
        } finally {
            giveBack(used);
        }
    }

    private synchronized OfWorkspace take() {
        OfWorkspace taken = last;
        last = null;
        return taken;
    }

    private synchronized void giveBack(OfWorkspace used) {
        last = used;
    }

    private OfWorkspace ofWorkspace(String workspace) {
        byte[] name = workspace.getBytes(StandardCharsets.UTF_8);
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return new OfWorkspace(
                    workspace,
                    mac.doFinal(ByteBuffer.allocate(Integer.BYTES + name.length)
                            .putInt(name.length)
                            .put(name)
                            .array()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256 and AES", e);
        }
    }

    /** 128 bits. */
    private record Block(long high, long low) {

        /** Twice this, as RFC 4493 makes subkeys. */
        Block doubled() {
            return new Block((high << 1) | (low >>> 63), (low << 1) ^ (high < 0 ? REDUCTION : 0));
        }
    }

    /** Not to be used by two threads at once. */
    private static final class OfWorkspace {

        private final String workspace;
        private final Cipher cipher;
        private final Block subkeyOfWhole;
        private final Block subkeyOfFilledUp;
        private final int[] blocks = new int[AT_ONCE];
        private final long[] codes = new long[2 * AT_ONCE];
        private ByteBuffer messages = ByteBuffer.allocate(LONGEST);
        private ByteBuffer clear = ByteBuffer.allocate(BLOCK_BYTES);
        private ByteBuffer encrypted = ByteBuffer.allocate(BLOCK_BYTES);

        @SuppressWarnings(
                "InsecureCryptoUsage") // CMAC chains the blocks of a message; those of others come beside them
        OfWorkspace(String workspace, byte[] key) throws GeneralSecurityException {
            this.workspace = workspace;
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
            ByteBuffer zero = ByteBuffer.wrap(cipher.doFinal(new byte[BLOCK_BYTES]));
            subkeyOfWhole = new Block(zero.getLong(), zero.getLong()).doubled();
            subkeyOfFilledUp = subkeyOfWhole.doubled();
        }

        void hash(List<? extends Value> values, int from, int to, String[] hashes) throws GeneralSecurityException {
            int count = to - from;
            if (messages.capacity() < count * LONGEST) {
                messages = ByteBuffer.allocate(count * LONGEST);
                clear = ByteBuffer.allocate(count * BLOCK_BYTES);
                encrypted = ByteBuffer.allocate(count * BLOCK_BYTES);
            }
            int most = 0;
            for (int i = 0; i < count; i++) {
                blocks[i] = write(values.get(from + i), i * LONGEST);
                most = Math.max(most, blocks[i]);
            }
            for (int block = 0; block < most; block++) {
                encrypt(block, count);
            }
            for (int i = 0; i < count; i++) {
                hashes[from + i] = HexFormat.of().toHexDigits(codes[2 * i]);
            }
        }

        /* Writes a message, its last block filled up and with a subkey. Tells how many blocks it has. */
        private int write(Value value, int at) {
            int length = BLOCK_BYTES + 1;
            if (value.weight() > LONGEST) {
                Fingerprint content = value.fingerprint();
                messages.put(at, (byte) 0).putLong(at + 1, content.high()).putLong(at + 1 + Long.BYTES, content.low());
            } else {
                length = (int) value.weight();
                JsonBytes.writeSorted(value, messages.array(), at);
            }
            int count = (length + BLOCK_BYTES - 1) / BLOCK_BYTES;
            int end = at + count * BLOCK_BYTES;
            Block subkey = subkeyOfWhole;
            if (length % BLOCK_BYTES != 0) {
                messages.put(at + length, (byte) 0x80);
                Arrays.fill(messages.array(), at + length + 1, end, (byte) 0);
                subkey = subkeyOfFilledUp;
            }
            int half = end - Long.BYTES;
            int last = end - BLOCK_BYTES;
            messages.putLong(last, messages.getLong(last) ^ subkey.high)
                    .putLong(half, messages.getLong(half) ^ subkey.low);
            return count;
        }

        /* The block with this number of each message that has one, with the code of those before it. */
        private void encrypt(int block, int count) throws GeneralSecurityException {
            int size = 0;
            for (int i = 0; i < count; i++) {
                if (block < blocks[i]) {
                    int at = i * LONGEST + block * BLOCK_BYTES;
                    long high = block == 0 ? 0 : codes[2 * i];
                    long low = block == 0 ? 0 : codes[2 * i + 1];
                    clear.putLong(size, messages.getLong(at) ^ high)
                            .putLong(size + Long.BYTES, messages.getLong(at + Long.BYTES) ^ low);
                    size += BLOCK_BYTES;
                }
            }
            cipher.doFinal(clear.array(), 0, size, encrypted.array());
            size = 0;
            for (int i = 0; i < count; i++) {
                if (block < blocks[i]) {
                    codes[2 * i] = encrypted.getLong(size);
                    codes[2 * i + 1] = encrypted.getLong(size + Long.BYTES);
                    size += BLOCK_BYTES;
                }
            }
        }
    }
}
