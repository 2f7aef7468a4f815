package dev.strake.server.access;

import dev.strake.engine.tree.Hasher;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * A bearer token: 256 random bits behind a prefix that scanners for leaked secrets recognize.
 *
 * <p>Token files contain its SHA-256. A fast hash is enough, because 256 random bits cannot be guessed as passwords
 * can. A slow hash would let clients keep the service busy with wrong tokens.
 */
public final class Token {

    private static final String PREFIX = "strake_";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    public static Token create() {
        byte[] bits = new byte[32];
        RANDOM.nextBytes(bits);
        return new Token(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits));
    }

    /** Whether a text has the form of a Strake token, unlike tokens of other issuers. */
    static boolean isOne(String text) {
        return text.startsWith(PREFIX);
    }

    /** Returns the token itself, which only its principal may see. */
    public String secret() {
        return text;
    }

    /** Returns the hash stored in token files, for example {@code sha256:9f86…}. */
    String hashed() {
        return hashed(text);
    }

    /**
     * Returns the line that enters this token in a token file.
     *
     * @param name the name of its principal
     * @throws IllegalArgumentException if the name is invalid
     */
    public String line(String name, List<Grant> grants) {
        return TokenFile.line(name, this, grants);
    }

    static String hashed(String token) {
        return "sha256:" + Hasher.hex(token);
    }

    @Override
    public String toString() {
        return "a token";
    }
}
