package dev.strake.engine.secret;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The first 64 bits of HMAC-SHA-256 over
 *
 * <pre>
 *  ┌────────────────────────┬────────────────────┬───────────────────────┐
 *  │ length, 4 bytes        │ workspace, UTF-8   │ fingerprint, 16 bytes │
 *  └────────────────────────┴────────────────────┴───────────────────────┘
 * </pre>
 */
final class HmacHash implements KeyedHash {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int SHOWN_BYTES = 8;

    /* Never used itself: threads take copies. */
    private final Mac keyed;

    HmacHash(byte[] key) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    @Override
    public String of(String workspace, Value value) {
        byte[] name = workspace.getBytes(StandardCharsets.UTF_8);
        Fingerprint content = value.fingerprint();
        byte[] hash = copy().doFinal(ByteBuffer.allocate(4 + name.length + 16)
                .putInt(name.length)
                .put(name)
                .putLong(content.high())
                .putLong(content.low())
                .array());
        return HexFormat.of().formatHex(hash, 0, SHOWN_BYTES);
    }

    private Mac copy() {
        try {
            return (Mac) keyed.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("Java's own HMAC can be copied", e);
        }
    }
}
