package dev.strake.topology.apply;

import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.SecretKeys;

/** The keys for one unit of work of a task. They do not change during the unit, even if the keyset is replaced. */
final class KeysOfChange implements InstalledKeys {

    private final InstalledKeys installed;
    private SecretKeys current;

    KeysOfChange(InstalledKeys installed) {
        this.installed = installed;
        next();
    }

    /** Switches to the keys that are now in use. */
    void next() {
        current = installed.current();
    }

    @Override
    public SecretKeys current() {
        return current;
    }
}
