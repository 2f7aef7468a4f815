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
 * One block cache and one write buffer budget, shared by all stores of the process. By default each store uses up to
 * 100 MB, and every partition has five stores.
 */
public final class SharedRocksMemory implements RocksDBConfigSetter {

    /**
     * The allocation unit of write buffers. Twenty buffers of RocksDB's default, a megabyte, would use a large part of
     * the budget even if almost empty. Once it is used up, every write causes a small flush and a later compaction.
     */
    private static final long ARENA_BLOCK_BYTES = 64L << 10;

    private static final long BUFFER_BYTES = 8L << 20;

    /** The allocation unit of the manifest, the list of a store's files. */
    private static final long MANIFEST_BYTES = 64L << 10;

    static {
        RocksDB.loadLibrary();
    }

    // Kept as long as the process: closing a pool with one store would close it for the others.
    private static final Map<Long, Pool> OF_SIZE = new ConcurrentHashMap<>();

    /** A cache for blocks and write buffers together: the buffers reduce the space for blocks. */
    private record Pool(Cache cache, WriteBufferManager writeBuffers) {

        /** Eight shards. With the default number, a shard is too small to cache an index block. */
        private static final int SHARD_BITS = 3;

        /** Half of the cache is reserved for indexes and filters; without them a read costs many blocks. */
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
        // Partitioned, because a read needs one part; the whole index of a 64 MB file has a megabyte.
        table.setIndexType(IndexType.kTwoLevelIndexSearch);
        table.setPartitionFilters(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(memory.writeBuffers());
        options.setWriteBufferSize(BUFFER_BYTES);
        options.setArenaBlockSize(ARENA_BLOCK_BYTES);
        // By default RocksDB reserves four megabytes on disk, of which it uses some kilobytes.
        options.setManifestPreallocationSize(MANIFEST_BYTES);
        // Every change looks up its own id, which does not exist. Streams omits filters in the last level, so
        // each lookup would read a data block, and next to a part of a large change such a block has a megabyte.
        options.setOptimizeFiltersForHits(false);
    }

    /* The pipeline always sets it. Benchmarks, which open stores without a pipeline, use the default. */
    private static Long bytes(Map<String, Object> configs) {
        Object given = configs.get(Catalogue.STORE_MEMORY_BYTES.name());
        return given == null ? Long.valueOf(Catalogue.STORE_MEMORY_BYTES.defaultValue()) : (Long) given;
    }

    @Override
    public void close(String storeName, Options options) {
        // The shared cache stays open; Kafka Streams closes the rest.
    }
}
