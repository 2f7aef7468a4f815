package dev.strake.server.pipeline;

import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * A store for one question, which tells after each so many entries that they were read: an answer that reads a hundred thousand is
 * long work, which may have to let other work go first.
 */
final class CountedReads implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    /** With what is made of them, this is some milliseconds of work. */
    private static final int EACH = 64;

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
    private final Runnable afterEach;
    private int read;

    /**
     * @param afterEach called on the thread that reads; what it throws ends the answer
     */
    CountedReads(ReadOnlyKeyValueStore<Bytes, byte[]> store, Runnable afterEach) {
        this.store = store;
        this.afterEach = afterEach;
    }

    private void count() {
        if (++read % EACH == 0) {
            afterEach.run();
        }
    }

    @Override
    public byte[] get(Bytes key) {
        count();
        return store.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return new Counted(store.range(from, to));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return new Counted(store.reverseRange(from, to));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return new Counted(store.all());
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
        return new Counted(store.reverseAll());
    }

    @Override
    public <PS extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(P prefix, PS serializer) {
        return new Counted(store.prefixScan(prefix, serializer));
    }

    @Override
    public long approximateNumEntries() {
        return store.approximateNumEntries();
    }

    private final class Counted implements KeyValueIterator<Bytes, byte[]> {

        private final KeyValueIterator<Bytes, byte[]> entries;

        Counted(KeyValueIterator<Bytes, byte[]> entries) {
            count(); // a search takes longer than the next entry
            this.entries = entries;
        }

        @Override
        public boolean hasNext() {
            return entries.hasNext();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            count();
            return entries.next();
        }

        @Override
        public Bytes peekNextKey() {
            return entries.peekNextKey();
        }

        @Override
        public void close() {
            entries.close();
        }
    }
}
