package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** How much one store takes of the memory that all stores of a process share. */
class SharedRocksMemoryTest {

    @TempDir
    private Path directory;

    @Test
    void shouldGiveARarelyWrittenStoreLittleOfTheSharedBuffer() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true)) {
            configure(options, Map.of());
            try (RocksDB store = RocksDB.open(options, directory.toString())) {
                store.put("key".getBytes(StandardCharsets.UTF_8), new byte[10_000]);
                assertThat(store.getLongProperty("rocksdb.cur-size-all-mem-tables"))
                        .isBetween(10_000L, 128L << 10);
            }
        }
    }

    @Test
    void shouldShareMemoryOfTheConfiguredSize() {
        Map<String, Object> small = Map.of("strake.store-memory-bytes", 8L << 20);
        try (Options one = new Options();
                Options another = new Options();
                Options unset = new Options()) {
            configure(one, small);
            configure(another, small);
            configure(unset, Map.of());
            assertThat(one.writeBufferManager()).isSameAs(another.writeBufferManager());
            assertThat(unset.writeBufferManager()).isNotSameAs(one.writeBufferManager());
        }
    }

    private static void configure(Options options, Map<String, Object> configs) {
        options.setTableFormatConfig(new BlockBasedTableConfig()); // Kafka Streams passes it like this
        new SharedRocksMemory().setConfig("documents", options, configs);
    }
}
