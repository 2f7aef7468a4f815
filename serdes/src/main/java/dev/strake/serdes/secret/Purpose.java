package dev.strake.serdes.secret;

import java.util.Locale;

/** The purposes of keys in a keyset. Each purpose has separate keys. */
public enum Purpose {
    /** Encrypts documents in stores: AES-256-GCM. Encrypting equal bytes twice gives different ciphertexts. */
    STORAGE("AES256-GCM"),
    /** A key pair. Publishers encrypt with the public key, the service decrypts: HPKE (RFC 9180). */
    PUBLISHING("HPKE-X25519-AES256-GCM"),
    /** Encrypts rendered documents for consumers: AES-SIV (RFC 5297), so equal documents have equal ciphertexts. */
    OUTPUT("AES256-SIV"),
    /**
     * Computes hashes and masks: HMAC-SHA-256. This key is never replaced, because stored hashes would no longer match
     * new ones. A key derived from it encrypts hashes in stores: equal hashes always have equal ciphertexts.
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
