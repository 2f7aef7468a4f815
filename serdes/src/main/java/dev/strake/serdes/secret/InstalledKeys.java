package dev.strake.serdes.secret;

/** Where the keys of an installation come from. They may be others each time: keys are replaced while a program runs. */
@FunctionalInterface
public interface InstalledKeys {

    /** An installation without keys. */
    InstalledKeys NONE = () -> SecretKeys.NONE;

    /** The keys in force; {@link SecretKeys#NONE} if there are none. */
    SecretKeys current();
}
