package dev.strake.serdes.secret;

/** Supplies the keys of an installation. Calls may return different keys, because keys are rotated at run time. */
@FunctionalInterface
public interface InstalledKeys {

    /** An installation without keys. */
    InstalledKeys NONE = () -> SecretKeys.NONE;

    /** Returns the keys in use; {@link SecretKeys#NONE} if there are none. */
    SecretKeys current();
}
