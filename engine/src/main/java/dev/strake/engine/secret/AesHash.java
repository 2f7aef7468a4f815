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
 * The fingerprint of a value, encrypted as one block with a key for each workspace:
 *
 * <pre>
 *  key of a workspace     HMAC-SHA-256 over  │ length, 4 bytes │ workspace, UTF-8 │
 *  hash                   the first 64 bits of AES over the fingerprint, 16 bytes
 * </pre>
 *
 * All leaves of a document are one call of the cipher. With HMAC for each leaf, a change of a secret document took more than
 * 1.3 times as long as one of a clear document.
 */
final class AesHash implements KeyedHash {

    private static final String HMAC = "HmacSHA256";
    private static final int BLOCK_BYTES = 16;

    private final SecretKeySpec key;

    /* Of the workspace that was asked for last. A thread takes it while it uses it; others make their own. */
    private OfWorkspace last;

    private record OfWorkspace(String workspace, Cipher cipher) {}

    AesHash(byte[] key) {
        this.key = new SecretKeySpec(key, HMAC);
    }

    @Override
    public String of(String workspace, Value value) {
        return ofAll(workspace, List.of(value))[0];
    }

    @Override
    public String[] ofAll(String workspace, List<? extends Value> values) {
        ByteBuffer blocks = ByteBuffer.allocate(values.size() * BLOCK_BYTES);
        for (Value value : values) {
            Fingerprint content = value.fingerprint();
            blocks.putLong(content.high()).putLong(content.low());
        }
        OfWorkspace taken = take();
        OfWorkspace used = taken != null && taken.workspace.equals(workspace) ? taken : ofWorkspace(workspace);
        try {
            used.cipher.doFinal(blocks.array(), 0, blocks.capacity(), blocks.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a block can be encrypted", e);
        } finally {
            giveBack(used);
        }
        String[] hashes = new String[values.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = HexFormat.of().toHexDigits(blocks.getLong(i * BLOCK_BYTES));
        }
        return hashes;
    }

    private synchronized OfWorkspace take() {
        OfWorkspace taken = last;
        last = null;
        return taken;
    }

    private synchronized void giveBack(OfWorkspace used) {
        last = used;
    }

    @SuppressWarnings("InsecureCryptoUsage") // blocks of fingerprints, of which equal ones are to look equal
    private OfWorkspace ofWorkspace(String workspace) {
        byte[] name = workspace.getBytes(StandardCharsets.UTF_8);
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(mac.doFinal(name), "AES"));
            return new OfWorkspace(workspace, cipher);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256 and AES", e);
        }
    }
}
