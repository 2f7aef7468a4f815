package dev.strake.serdes.secret;

import java.util.Locale;

/** What keys of a keyset are for. Each purpose has keys of its own. */
public enum Purpose {
    /** Encrypts documents in stores: AES-256-GCM. Equal bytes do not look equal. */
    STORAGE("AES256-GCM"),
    /** A pair. Publishers encrypt with its public half, the service decrypts: HPKE (RFC 9180). */
    PUBLISHING("HPKE-X25519-AES256-GCM"),
    /** Encrypts rendered documents for consumers: AES-SIV (RFC 5297), so that equal documents are equal bytes. */
    OUTPUT("AES256-SIV"),
    /**
     * Makes hashes and masks: HMAC-SHA-256. It is never replaced, or nothing stored would be equal to anything new. What is
     * encrypted for this purpose are hashes in stores, by a key that is derived from it: equal ones are equal bytes for ever.
     */
    HASHES("HMAC-SHA256");

    private final String algorithm;

    Purpose(String algorithm) {
        this.algorithm = algorithm;
    }

    /** The name in files and commands. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String algorithm() {
        return algorithm;
    }

    /** Whether its keys can be replaced. */
    public boolean canRotate() {
        return this != HASHES;
    }
}
