package dev.strake.serdes.secret;

import dev.strake.engine.secret.KeyedHash;

/**
 * The keys of an installation, as records and stores need them. Keys never change: who has them from a
 * {@link InstalledKeys} asks again for each piece of work, and gets others after a rotation. May be used by several threads.
 *
 * <p>What is encrypted is bound to a place: it opens nowhere else. Every ciphertext names its key.
 */
public interface SecretKeys {

    /** No keys: nothing can be encrypted, and of everything that was the key is missing. */
    SecretKeys NONE = new NoKeys();

    /** Whether there are any. If not, nothing that encrypts can be called. */
    boolean areThere();

    /** Encrypts for a store. Equal bytes do not look equal. */
    byte[] seal(byte[] clear, byte[] place);

    /**
     * Decrypts what {@link #seal} encrypted.
     *
     * @throws SecretKeyNotFoundException if its key is not here
     * @throws DoesNotOpenException if it was changed, or sealed for another place
     */
    byte[] open(byte[] sealed, byte[] place);

    /** Whether {@link #open} has the key for this. */
    boolean hasKeyOf(byte[] sealed);

    /** Whether a ciphertext was made with the key that {@link #seal} uses now. */
    boolean isCurrent(byte[] sealed);

    /** The id of the key that {@link #seal} uses now. */
    int storageKey();

    /** The id of the key that {@link #sealHashes} uses. */
    int hashesKey();

    /** The id of the key that {@link #sealOutput} uses now. */
    int outputKey();

    /** Whether there is a key with this id that decrypts what lies in stores. */
    boolean has(int id);

    /** Encrypts hashes for a store, with a key that is never replaced: equal ones at one place are equal bytes for ever. */
    byte[] sealHashes(byte[] clear, byte[] place);

    /**
     * Decrypts what {@link #sealHashes} encrypted.
     *
     * @throws SecretKeyNotFoundException if its key is not here
     * @throws DoesNotOpenException if it was changed, or sealed for another place
     */
    byte[] openHashes(byte[] sealed, byte[] place);

    /** Encrypts for consumers: equal content of a document is equal bytes, until the key is replaced. */
    byte[] sealOutput(byte[] clear, byte[] document);

    /**
     * Decrypts what {@link #sealOutput} encrypted.
     *
     * @throws SecretKeyNotFoundException if its key is not here
     * @throws DoesNotOpenException if it was changed, or made for another document
     */
    byte[] openOutput(byte[] sealed, byte[] document);

    /**
     * Decrypts what a publisher encrypted.
     *
     * @throws SecretKeyNotFoundException if its key is not here
     * @throws DoesNotOpenException if it was changed, or made for another document
     */
    byte[] openPublished(byte[] sealed, byte[] document);

    /**
     * A code that only who has the keys can make of a statement: HMAC-SHA-256 with a key that is never replaced. Codes are
     * not encrypted, and statements are not in them.
     */
    byte[] authenticate(byte[] statement);

    /** Makes masks. Without keys, they can be compared only as long as the process runs. */
    KeyedHash keyedHash();
}
