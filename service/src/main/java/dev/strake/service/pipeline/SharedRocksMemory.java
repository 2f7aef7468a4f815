package dev.strake.service.pipeline;

import java.util.Map;
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

    /** Blocks and write buffers together: what is in the buffers is taken from the room for blocks. */
    private static final long CACHE_BYTES = 160L << 20;

    private static final long WRITE_BUFFER_BYTES = 96L << 20;

    /**
     * What a buffer grows by. RocksDB's own megabyte, twenty times, would be most of the budget, whatever is in it; and
     * once that is used up, every write makes its store flush the little that it has, and compact it later.
     */
    private static final long ARENA_BLOCK_BYTES = 64L << 10;

    /** Eight shards: by default there are so many that an index block is as large as one, and never stays. */
    private static final int SHARD_BITS = 3;

    /** Half of the cache is for indexes and filters: without them a read costs many blocks instead of one. */
    private static final double FOR_INDEXES = 0.5;

    static {
        RocksDB.loadLibrary();
    }

    // For as long as the process: closing them with one store would take them from the others.
    private static final Cache CACHE = new LRUCache(CACHE_BYTES, SHARD_BITS, false, FOR_INDEXES);
    private static final WriteBufferManager WRITE_BUFFERS = new WriteBufferManager(WRITE_BUFFER_BYTES, CACHE);

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(CACHE);
        table.setCacheIndexAndFilterBlocks(true);
        table.setCacheIndexAndFilterBlocksWithHighPriority(true);
        // In parts, of which a read needs one: the whole index of a file of 64 MB has a megabyte.
        table.setIndexType(IndexType.kTwoLevelIndexSearch);
        table.setPartitionFilters(true);
        table.setPinTopLevelIndexAndFilter(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(WRITE_BUFFERS);
        options.setWriteBufferSize(8L << 20);
        options.setArenaBlockSize(ARENA_BLOCK_BYTES);
        // Every change asks for its own id, which is not there. Without filters in the last level, which Streams leaves
        // out, that reads a block of data, and next to a part of a large change such a block has a megabyte.
        options.setOptimizeFiltersForHits(false);
    }

    @Override
    public void close(String storeName, Options options) {
        // Nothing belongs to one store alone.
    }
}
