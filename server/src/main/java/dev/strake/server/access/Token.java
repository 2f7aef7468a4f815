package dev.strake.server.access;

import dev.strake.engine.tree.Hasher;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * A bearer token: 256 random bits behind a prefix by which scanners for leaked secrets find it.
 *
 * <p>Files have its SHA-256. That is enough: the slow hashes for passwords make up for how easily these are guessed, and
 * nobody guesses 256 random bits. A slow one would let anybody keep the service busy with wrong tokens.
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

    /** Whether a text looks like one of these, and not like a token that somebody else made. */
    static boolean isOne(String text) {
        return text.startsWith(PREFIX);
    }

    /** The token itself, to be handed to its principal and to nobody else. */
    public String secret() {
        return text;
    }

    /** What a token file has of it, such as {@code sha256:9f86…}. */
    String hashed() {
        return hashed(text);
    }

    /**
     * The line by which a file of tokens lets it in.
     *
     * @param name of its principal
     * @throws IllegalArgumentException if the name is none
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
