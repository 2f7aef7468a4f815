package dev.strake.engine.secret;

import dev.strake.engine.tree.Value;
import java.security.SecureRandom;
import java.util.List;

/**
 * Tells whether secret values are the same, without telling what they are. Without the key, trying all words of a dictionary
 * finds nothing.
 */
@FunctionalInterface
public interface KeyedHash {

    int KEY_BYTES = 32;

    /**
     * The hash of a value of a workspace: 64 bits, as 16 hexadecimal digits in lower case. It is the same for equal values of
     * a workspace, and another one in each workspace. May be asked by several threads.
     */
    String of(String workspace, Value value);

    /** The hashes of several values of a workspace, in their order: takes less time than one by one. */
    default String[] ofAll(String workspace, List<? extends Value> values) {
        return values.stream().map(value -> of(workspace, value)).toArray(String[]::new);
    }

    /** AES of fingerprints, with a key for each workspace that is derived from one. */
    static KeyedHash withKey(byte[] key) {
        return new AesHash(key);
    }

    /** The same with a key that nobody else has, and that nobody keeps: for one run of a program. */
    static KeyedHash withRandomKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return withKey(key);
    }
}
