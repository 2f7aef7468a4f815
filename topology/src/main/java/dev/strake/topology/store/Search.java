package dev.strake.topology.store;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;
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

    public static void range(
            ReadOnlyKeyValueStore<Bytes, byte[]> store, byte[] from, byte[] to, BiConsumer<byte[], byte[]> action) {
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(Bytes.wrap(from), Bytes.wrap(to))) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                action.accept(entry.key.get(), entry.value);
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
