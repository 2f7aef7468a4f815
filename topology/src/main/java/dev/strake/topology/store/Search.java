package dev.strake.topology.store;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.serialization.BytesSerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Searches in a store. Keys are ordered as unsigned bytes, so related entries are adjacent. */
public final class Search {

    private Search() {}

    /* Both bounds are inclusive and have the same length and prefix, so every hit is a key of the same kind. */
    public static Optional<KeyValue<Bytes, byte[]>> last(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(Bytes.wrap(from), Bytes.wrap(to))) {
            return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
        }
    }

    public static Optional<KeyValue<Bytes, byte[]>> first(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(from), Bytes.wrap(to))) {
            return entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
        }
    }

    /** The entries of a range, read lazily. The stream must be closed. Bounds as above. */
    public static Stream<KeyValue<Bytes, byte[]>> stream(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(from), Bytes.wrap(to));
        return stream(entries).onClose(entries::close);
    }

    /** As {@link #stream}, in reverse order. */
    static Stream<KeyValue<Bytes, byte[]>> reversed(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to) {
        KeyValueIterator<Bytes, byte[]> entries = store.reverseRange(Bytes.wrap(from), Bytes.wrap(to));
        return stream(entries).onClose(entries::close);
    }

    static <T> Stream<T> stream(Iterator<T> items) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(items, Spliterator.ORDERED), false);
    }

    public static void range(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to, BiConsumer<byte[], byte[]> action) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(from), Bytes.wrap(to))) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                action.accept(entry.key.get(), entry.value);
            }
        }
    }

    /** Returns the least key that is greater than all keys with a prefix. No key is equal to it. */
    static byte[] successor(byte[] prefix) {
        byte[] result = prefix.clone();
        for (int i = result.length - 1; ; i--) { // begins with a kind or a length, which are never all ones
            if (++result[i] != 0) {
                return result;
            }
        }
    }

    public static void scan(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] prefix, BiConsumer<byte[], byte[]> action) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.prefixScan(Bytes.wrap(prefix), new BytesSerializer())) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                byte[] key = entry.key.get();
                if (Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
                    action.accept(key, entry.value);
                }
            }
        }
    }
}
