package dev.strake.engine.secret;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
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
 * workspace, so a hash takes a tenth of what an HMAC takes.
 */
final class CmacHash implements KeyedHash {

    private static final String HMAC = "HmacSHA256";
    private static final int BLOCK_BYTES = 16;
    private static final int SHOWN_BYTES = 8;

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
        OfWorkspace taken = take();
        OfWorkspace used = taken != null && taken.workspace.equals(workspace) ? taken : ofWorkspace(workspace);
        try {
            return used.hash(value.fingerprint());
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
        private final byte[] block = new byte[BLOCK_BYTES];

        OfWorkspace(String workspace, byte[] key) throws GeneralSecurityException {
            this.workspace = workspace;
            // Of a single block, CBC with this vector is the block cipher itself, and it begins anew after each.
            cipher = Cipher.getInstance("AES/CBC/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(new byte[BLOCK_BYTES]));
            ByteBuffer zero = encrypted(0, 0);
            long high = zero.getLong();
            long low = zero.getLong();
            subkeyHigh = (high << 1) | (low >>> 63);
            subkeyLow = (low << 1) ^ (high < 0 ? REDUCTION : 0);
        }

        String hash(Fingerprint content) throws GeneralSecurityException {
            encrypted(content.high() ^ subkeyHigh, content.low() ^ subkeyLow);
            return HexFormat.of().formatHex(block, 0, SHOWN_BYTES);
        }

        private ByteBuffer encrypted(long high, long low) throws GeneralSecurityException {
            ByteBuffer.wrap(block).putLong(high).putLong(low);
            cipher.doFinal(block, 0, BLOCK_BYTES, block);
            return ByteBuffer.wrap(block);
        }
    }
}
