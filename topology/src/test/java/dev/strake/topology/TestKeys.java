package dev.strake.topology;

import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.apply.Secrets;

/** Keys that a test can replace while the topology runs. */
final class TestKeys implements InstalledKeys {

    private SecretKeys current;

    TestKeys(SecretKeys first) {
        current = first;
    }

    static TestKeys created() {
        return new TestKeys(Keyset.create());
    }

    static TestKeys none() {
        return new TestKeys(SecretKeys.NONE);
    }

    @Override
    public SecretKeys current() {
        return current;
    }

    void set(SecretKeys other) {
        current = other;
    }

    /** Rotates the key for storage, or creates the first keys. */
    void rotate() {
        current = current instanceof Keyset keyset ? keyset.rotated(Purpose.STORAGE) : Keyset.create();
    }

    /** Removes all keys for storage except the primary key. */
    void forgetOld() {
        Keyset keyset = (Keyset) current;
        for (Keyset.Key key : keyset.keys()) {
            if (key.purpose() == Purpose.STORAGE && key.state() == Keyset.State.OLD) {
                keyset = keyset.without(key.id());
            }
        }
        current = keyset;
    }

    TopologySettings in(TopologySettings settings) {
        return settings.withSecrets(new Secrets(this));
    }
}
