package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A store of Kafka Streams on a disk from which its folder is taken away. */
@ResourceLock("open stores") // whoever closes one keeps all from being asked
class StoreWatchTest {

    @TempDir
    Path state;

    private TopologyTestDriver driver;
    private StoreWatch watch;

    @BeforeEach
    void openTheStore() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.table(
                "sources",
                Materialized.<Bytes, byte[]>as(Stores.persistentKeyValueStore("documents"))
                        .withKeySerde(Serdes.Bytes())
                        .withValueSerde(Serdes.ByteArray())
                        .withCachingDisabled()
                        .withLoggingDisabled());
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "watched");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedRocksMemory.class.getName());
        driver = new TopologyTestDriver(builder.build(), settings);
        watch = new StoreWatch(() -> driver.metrics().values(), state);
    }

    @AfterEach
    void closeTheStore() {
        try {
            driver.close();
        } catch (ProcessorStateException e) { // what it holds in memory has no place to go
            assertThat(e).hasStackTraceContaining("No such file or directory");
        }
    }

    @Test
    void shouldFindNothingWhileFilesCanBeWritten() {
        write(20);
        assertThatCode(watch::check).doesNotThrowAnyException();
    }

    @Test
    void shouldNameTheStoreWhoseFilesCannotBeWritten() throws IOException {
        takeTheFolderAway();
        assertThatThrownBy(() -> write(1_000)).isInstanceOf(ProcessorStateException.class);
        assertThatThrownBy(watch::check)
                .isInstanceOf(PipelineFailedException.class)
                .hasMessageContaining("store documents of task")
                .hasMessageContaining("MiB are free in " + state)
                .hasMessageContaining("if the disk is full");
    }

    @Test
    void shouldEndThePipelineWhenNoChangeRunsIntoTheError() throws IOException {
        CompletableFuture<Void> end = new CompletableFuture<>();
        watch.until(end, Duration.ofMillis(50));
        takeTheFolderAway();
        assertThatThrownBy(() -> write(1_000)).isInstanceOf(ProcessorStateException.class);
        await().atMost(Duration.ofMinutes(10)).until(end::isDone);
        assertThatThrownBy(end::join).hasCauseInstanceOf(PipelineFailedException.class);
    }

    @Test
    void shouldLookOnAfterALookThatFailed() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        CompletableFuture<Void> end = new CompletableFuture<>();
        StoreWatch failing = new StoreWatch(
                () -> {
                    if (looks.incrementAndGet() < 3) {
                        throw new IllegalStateException("of a look");
                    }
                    return driver.metrics().values();
                },
                state);
        failing.until(end, Duration.ofMillis(50));
        takeTheFolderAway();
        assertThatThrownBy(() -> write(1_000)).isInstanceOf(ProcessorStateException.class);
        await().atMost(Duration.ofMinutes(10)).until(end::isDone);
        assertThatThrownBy(end::join).hasCauseInstanceOf(PipelineFailedException.class);
    }

    private void write(int megabytes) {
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore("documents");
        for (int i = 0; i < megabytes; i++) {
            store.put(Bytes.wrap(new byte[] {(byte) i, (byte) (i >> 8)}), new byte[1 << 20]);
        }
    }

    private void takeTheFolderAway() throws IOException {
        try (Stream<Path> folders = Files.walk(state)) {
            Path folder = folders.filter(each -> each.endsWith("rocksdb/documents"))
                    .findFirst()
                    .orElseThrow();
            Files.move(folder, folder.resolveSibling("away"));
            assertThat(folder).doesNotExist();
        }
    }
}
