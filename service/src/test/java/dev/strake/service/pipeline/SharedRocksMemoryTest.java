package dev.strake.service.pipeline;

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

/** What one store takes of the memory that all stores of a process share. */
class SharedRocksMemoryTest {

    @TempDir
    private Path directory;

    @Test
    void shouldGiveAStoreThatIsHardlyWrittenLittleOfTheBufferThatAllShare() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true)) {
            options.setTableFormatConfig(new BlockBasedTableConfig()); // as Kafka Streams hands it over
            new SharedRocksMemory().setConfig("documents", options, Map.of());
            try (RocksDB store = RocksDB.open(options, directory.toString())) {
                store.put("key".getBytes(StandardCharsets.UTF_8), new byte[10_000]);
                assertThat(store.getLongProperty("rocksdb.cur-size-all-mem-tables"))
                        .isBetween(10_000L, 128L << 10);
            }
        }
    }
}
