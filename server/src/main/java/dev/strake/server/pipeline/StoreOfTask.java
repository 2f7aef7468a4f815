package dev.strake.server.pipeline;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.QueryableStoreType;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.internals.StateStoreProvider;

/**
 * The store of one task, looked up once for a question. What Kafka Streams hands out by itself looks for the task again at
 * each read, through all tasks and under the lock that stream threads take as well; a comparison of revisions reads tens of
 * thousands of entries.
 *
 * <p>A store that was closed meanwhile fails with an {@link
 * org.apache.kafka.streams.errors.InvalidStateStoreException}, as what Streams hands out does.
 */
final class StoreOfTask implements QueryableStoreType<ReadOnlyKeyValueStore<Bytes, byte[]>> {

    private final QueryableStoreType<ReadOnlyKeyValueStore<Bytes, byte[]>> kind = QueryableStoreTypes.keyValueStore();

    @Override
    public boolean accepts(StateStore store) {
        return kind.accepts(store);
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> create(StateStoreProvider stores, String name) {
        return stores.stores(name, this).get(0);
    }
}
