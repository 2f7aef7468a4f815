package dev.strake.serdes.secret;

import java.util.HexFormat;

/** Thrown if a ciphertext cannot be decrypted, because the keyset no longer has the key, or does not have it yet. */
public final class SecretKeyNotFoundException extends RuntimeException {

    private final int id;

    public SecretKeyNotFoundException(int id) {
        super("there is no key " + text(id));
        this.id = id;
    }

    /** The id of a key as commands and messages show it: 8 hexadecimal digits. */
    public static String text(int id) {
        return HexFormat.of().toHexDigits(id);
    }

    /** The id of the missing key. */
    public String key() {
        return text(id);
    }
}
