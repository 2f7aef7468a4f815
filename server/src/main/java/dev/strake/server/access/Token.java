package dev.strake.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * A bearer token: 256 random bits behind a prefix by which scanners for leaked secrets find it.
 *
 * <p>Files have its SHA-256. That is enough: the slow hashes for passwords make up for how easily these are guessed, and
 * nobody guesses 256 random bits. A slow one would let anybody keep the service busy with wrong tokens.
 */
public final class Token {

    static final int HASH_BYTES = 32;

    private static final String PREFIX = "strake_";
    private static final String HASHED = "sha256:";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String text;

    private Token(String text) {
        this.text = text;
    }

    /** A new one. */
    public static Token create() {
        byte[] bits = new byte[32];
        RANDOM.nextBytes(bits);
        return new Token(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bits));
    }

    /** The token itself, to be handed to its principal and to nobody else. */
    public String secret() {
        return text;
    }

    /** What a token file has of it, such as {@code sha256:9f86…}. */
    String hashed() {
        return HASHED + HexFormat.of().formatHex(hash(text));
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

    static byte[] hash(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * The hash that a file has.
     *
     * @throws IllegalArgumentException if it is none; the message does not quote it, since it may be a token
     */
    static byte[] hashFrom(String text) {
        if (text.startsWith(HASHED) && text.length() == HASHED.length() + 2 * HASH_BYTES) {
            try {
                return HexFormat.of().parseHex(text, HASHED.length(), text.length());
            } catch (IllegalArgumentException e) {
                throw notHashed();
            }
        }
        throw notHashed();
    }

    private static IllegalArgumentException notHashed() {
        return new IllegalArgumentException(
                "the second word has to be sha256: and 64 hexadecimal digits. 'strake token' makes a token and its line");
    }

    @Override
    public String toString() {
        return "a token";
    }
}
