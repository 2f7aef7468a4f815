package dev.strake.server.pipeline;

import dev.strake.server.settings.Catalogue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * One block cache and one budget for write buffers for all stores of the process. Left to itself each store takes up to
 * 100 MB, and every partition has five of them.
 */
public final class SharedRocksMemory implements RocksDBConfigSetter {

    /**
     * What a buffer grows by. RocksDB's own megabyte, twenty times, would be a large part of the budget, whatever is in
     * it; and once that is used up, every write makes its store flush the little that it has, and compact it later.
     */
    private static final long ARENA_BLOCK_BYTES = 64L << 10;

    private static final long BUFFER_BYTES = 8L << 20;

    /** The list of a store's files grows by this. */
    private static final long MANIFEST_BYTES = 64L << 10;

    static {
        RocksDB.loadLibrary();
    }

    // For as long as the process: closing them with one store would take them from the others.
    private static final Map<Long, Pool> OF_SIZE = new ConcurrentHashMap<>();

    /** Blocks and write buffers together: what is in the buffers is taken from the room for blocks. */
    private record Pool(Cache cache, WriteBufferManager writeBuffers) {

        /** Eight shards: by default there are so many that an index block is as large as one, and never stays. */
        private static final int SHARD_BITS = 3;

        /** Half of the cache is for indexes and filters: without them a read costs many blocks instead of one. */
        private static final double FOR_INDEXES = 0.5;

        static Pool ofSize(long bytes) {
            Cache cache = new LRUCache(bytes, SHARD_BITS, false, FOR_INDEXES);
            return new Pool(cache, new WriteBufferManager(bytes / 5 * 3, cache));
        }
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        Pool memory = OF_SIZE.computeIfAbsent(bytes(configs), Pool::ofSize);
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(memory.cache());
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        // In parts, of which a read needs one: the whole index of a file of 64 MB has a megabyte.
        table.setIndexType(IndexType.kTwoLevelIndexSearch);
        table.setPartitionFilters(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(memory.writeBuffers());
        options.setWriteBufferSize(BUFFER_BYTES);
        options.setArenaBlockSize(ARENA_BLOCK_BYTES);
        // RocksDB sets aside four megabytes of the disk for it, of which it uses some kilobytes.
        options.setManifestPreallocationSize(MANIFEST_BYTES);
        // Every change asks for its own id, which is not there. Without filters in the last level, which Streams leaves
        // out, that reads a block of data, and next to a part of a large change such a block has a megabyte.
        options.setOptimizeFiltersForHits(false);
    }

    /* The pipeline always says it; whoever runs the stores without one, as benchmarks do, has what it has by default. */
    private static Long bytes(Map<String, Object> configs) {
        Object given = configs.get(Catalogue.STORE_MEMORY_BYTES.name());
        return given == null ? Long.valueOf(Catalogue.STORE_MEMORY_BYTES.defaultValue()) : (Long) given;
    }

    @Override
    public void close(String storeName, Options options) {
        // What the stores share stays; Kafka Streams frees the rest.
    }
}
