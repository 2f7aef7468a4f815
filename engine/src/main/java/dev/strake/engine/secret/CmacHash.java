package dev.strake.engine.secret;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The first 64 bits of AES-CMAC (RFC 4493) of a fingerprint, with a key for each workspace:
 *
 * <pre>
 *  key of a workspace     HMAC-SHA-256 over  │ length, 4 bytes │ workspace, UTF-8 │
 *  message                                   │ fingerprint, 16 bytes │
 * </pre>
 *
 * <p>Data has many leaves, and each has a hash. A fingerprint is one block of AES, and the key is the same for all of a
 * workspace, so the blocks of many leaves are encrypted at once.
 */
final class CmacHash implements KeyedHash {

    private static final String HMAC = "HmacSHA256";
    private static final int BLOCK_BYTES = 16;
    private static final int SHOWN_BYTES = 8;

    /** Blocks that are encrypted at once: more would gain nothing. */
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

    /** Not to be used by two threads at once. */
    private static final class OfWorkspace {

        private final String workspace;
        private final Cipher cipher;
        private final long subkeyHigh;
        private final long subkeyLow;
        private byte[] blocks = new byte[BLOCK_BYTES];
        private byte[] encrypted = new byte[BLOCK_BYTES];

        @SuppressWarnings("InsecureCryptoUsage") // each block is a message of its own, and only its code is shown
        OfWorkspace(String workspace, byte[] key) throws GeneralSecurityException {
            this.workspace = workspace;
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
            ByteBuffer zero = ByteBuffer.wrap(cipher.doFinal(new byte[BLOCK_BYTES]));
            long high = zero.getLong();
            long low = zero.getLong();
            subkeyHigh = (high << 1) | (low >>> 63);
            subkeyLow = (low << 1) ^ (high < 0 ? REDUCTION : 0);
        }

        void hash(List<? extends Value> values, int from, int to, String[] hashes) throws GeneralSecurityException {
            int size = (to - from) * BLOCK_BYTES;
            if (blocks.length < size) {
                blocks = new byte[size];
                encrypted = new byte[size];
            }
            ByteBuffer messages = ByteBuffer.wrap(blocks);
            for (int i = from; i < to; i++) {
                Fingerprint content = values.get(i).fingerprint();
                messages.putLong(content.high() ^ subkeyHigh).putLong(content.low() ^ subkeyLow);
            }
            cipher.doFinal(blocks, 0, size, encrypted);
            for (int i = from; i < to; i++) {
                int at = (i - from) * BLOCK_BYTES;
                hashes[i] = HexFormat.of().formatHex(encrypted, at, at + SHOWN_BYTES);
            }
        }
    }
}
