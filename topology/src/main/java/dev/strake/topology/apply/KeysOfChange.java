package dev.strake.topology.apply;

import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeys;

/** The keys for one piece of work of a task. They stay the same until it is done, whatever happens to the keyset. */
final class KeysOfChange implements InstalledKeys {

    private final InstalledKeys installed;
    private SecretKeys current;

    KeysOfChange(InstalledKeys installed) {
        this.installed = installed;
        next();
    }

    /** Takes the keys that are in force now. */
    void next() {
        current = installed.current();
    }

    @Override
    public SecretKeys current() {
        return current;
    }
}
