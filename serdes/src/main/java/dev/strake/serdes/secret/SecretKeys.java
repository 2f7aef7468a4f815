package dev.strake.serdes.secret;

import dev.strake.engine.secret.KeyedHash;

/**
 * The keys of an installation, as records and stores need them. Keys never change: who has them from a
 * {@link InstalledKeys} asks again for each piece of work, and gets others after a rotation. May be used by several threads.
 *
 * <p>What is encrypted is bound to a place: it opens nowhere else. Every ciphertext names its key ({@link Ciphertext}).
 */
public interface SecretKeys {

    /** No keys: nothing can be encrypted, and of everything that was the key is missing. */
    @SuppressWarnings("ClassInitializationDeadlock") // nothing else makes or names the class without keys
    SecretKeys NONE = new NoKeys();

    /** Whether there are any. If not, nothing that encrypts can be called. */
    boolean areThere();

    /** The id of the key that encrypts for a purpose now. */
    int current(Purpose purpose);

    /** Whether there is a key with this id that decrypts for a purpose. */
    boolean has(Purpose purpose, int id);

    /** Encrypts for a place. Publishers encrypt with the public half of their keys, and not here. */
    byte[] seal(Purpose purpose, byte[] clear, byte[] place);

    /**
     * Decrypts what was encrypted for a place.
     *
     * @throws SecretKeyNotFoundException if its key is not here
     * @throws DoesNotOpenException if it was changed, or encrypted for another place
     */
    byte[] open(Purpose purpose, byte[] sealed, byte[] place);

    /**
     * A code that only who has the keys can make of a statement: HMAC-SHA-256 with a key that is never replaced. Codes are
     * not encrypted, and statements are not in them.
     */
    byte[] authenticate(byte[] statement);

    /** Makes masks. Without keys, they can be compared only as long as the process runs. */
    KeyedHash keyedHash();
}
