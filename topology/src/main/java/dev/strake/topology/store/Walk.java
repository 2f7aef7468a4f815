package dev.strake.topology.store;

import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Many searches in a store, one after another, through one iterator as long as each begins a little behind the one before.
 * Where it does not, the iterator is opened anew; so any order is right, and that of the keys is fast.
 *
 * <p>Kafka Streams opens an iterator under the lock of its store, and lets a stream thread wait for the lock before it
 * writes. A thread of low priority may lose its processor meanwhile. Going on to the next entry takes no such lock.
 */
final class Walk implements AutoCloseable {

    /** Opening an iterator costs about as much as this many steps. */
    private static final int STEPS = 16;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
    private final Bytes end;
    private KeyValueIterator<Bytes, byte[]> entries;
    private Bytes begun;
    private KeyValue<Bytes, byte[]> ahead;

    /**
     * @param prefix what all keys begin with
     */
    Walk(ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] prefix) {
        this.store = store;
        this.end = Bytes.wrap(Search.successor(prefix));
    }

    /** The last entry from one key to another, both included; as {@link Search#last}. */
    Optional<KeyValue<Bytes, byte[]>> last(byte[] from, byte[] to) {
        Bytes first = Bytes.wrap(from);
        Bytes last = Bytes.wrap(to);
        if (entries == null || first.compareTo(begun) < 0) {
            open(first);
        }
        for (int steps = 0; ahead != null && ahead.key.compareTo(first) < 0; steps++) {
            if (steps == STEPS) {
                open(first);
            } else {
                step();
            }
        }
        begun = first;
        KeyValue<Bytes, byte[]> found = null;
        for (int steps = 0; ahead != null && ahead.key.compareTo(last) <= 0; steps++) {
            if (steps == STEPS) {
                close();
                return Search.last(store, from, to);
            }
            found = ahead;
            step();
        }
        if (found != null) {
            begun = next(found.key);
        }
        return Optional.ofNullable(found);
    }

    @Override
    public void close() {
        if (entries != null) {
            entries.close();
            entries = null;
        }
    }

    private void open(Bytes from) {
        close();
        entries = store.range(from, end);
        begun = from;
        step();
    }

    private void step() {
        ahead = entries.hasNext() ? entries.next() : null;
    }

    /* The least key behind another. */
    private static Bytes next(Bytes key) {
        byte[] longer = new byte[key.get().length + 1];
        System.arraycopy(key.get(), 0, longer, 0, key.get().length);
        return Bytes.wrap(longer);
    }
}
