package dev.strake.serdes.secret;

import dev.strake.engine.secret.KeyedHash;

/**
 * The keys of an installation, as records and stores need them. Immutable and thread-safe. Callers get the keys from
 * {@link InstalledKeys} for each unit of work, and so get new ones after a rotation.
 *
 * <p>A ciphertext is bound to a place: decryption fails elsewhere. Every ciphertext names its key ({@link Ciphertext}).
 */
public interface SecretKeys {

    /** No keys: nothing can be encrypted, and decryption always reports a missing key. */
    @SuppressWarnings("ClassInitializationDeadlock") // nothing else makes or names the class without keys
    SecretKeys NONE = new NoKeys();

    /** Whether there are any keys. If not, the methods that encrypt must not be called. */
    boolean areThere();

    /** The id of the key that currently encrypts for a purpose. */
    int current(Purpose purpose);

    /** Whether there is a key with this id that decrypts for a purpose. */
    boolean has(Purpose purpose, int id);

    /** Encrypts for a place. Publishers do not use this method; they encrypt with the public key. */
    byte[] seal(Purpose purpose, byte[] clear, byte[] place);

    /**
     * Decrypts a ciphertext of a place.
     *
     * @throws SecretKeyNotFoundException if its key is not present
     * @throws DoesNotOpenException if the ciphertext was modified, or encrypted for another place
     */
    byte[] open(Purpose purpose, byte[] sealed, byte[] place);

    /**
     * Computes a message authentication code that requires the keys: HMAC-SHA-256 with a key that is never replaced.
     * The code does not contain the statement.
     */
    byte[] authenticate(byte[] statement);

    /** Computes masks. Without keys, masks are comparable only within this process. */
    KeyedHash keyedHash();
}
