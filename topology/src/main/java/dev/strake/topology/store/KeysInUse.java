package dev.strake.topology.store;

import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.KeysLayout;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The keys with which entries of a task's stores are encrypted. */
final class KeysInUse {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    KeysInUse(ReadOnlyKeyValueStore<Bytes, byte[]> revisions) {
        this.store = revisions;
    }

    Set<Integer> all() {
        Set<Integer> all = new TreeSet<>();
        Search.scan(store, KeysLayout.inUsePrefix(), (key, value) -> all.add(KeysLayout.inUse(key)));
        return all;
    }

    Set<Integer> missing(SecretKeys keys) {
        Set<Integer> missing = all();
        missing.removeIf(id -> keys.has(Purpose.STORAGE, id) || keys.has(Purpose.HASHES, id));
        return missing;
    }

    /** Records that the keys for storage and for hashes are in use from now on. */
    static void note(KeyValueStore<Bytes, byte[]> revisions, SecretKeys keys) {
        note(revisions, keys.current(Purpose.STORAGE), false);
        note(revisions, keys.current(Purpose.HASHES), true);
    }

    private static void note(KeyValueStore<Bytes, byte[]> revisions, int id, boolean ofHashes) {
        Bytes key = Bytes.wrap(KeysLayout.inUseKey(id));
        if (revisions.get(key) == null) {
            revisions.put(key, KeysLayout.writeInUse(ofHashes));
        }
    }
}
