package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.rocksdb.Options;

/** The stores of a process, which {@link OpenStores} counts as one: no other test may close or ask any meanwhile. */
@ResourceLock("open stores")
class OpenStoresTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    Path state;

    /* Streams closes the stores of a task in the thread that has locked its folder, and in no other. */
    @Test
    void shouldCloseNoStoreWhileFiguresAreRead() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        CompletableFuture<Metric> opened = new CompletableFuture<>();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread owner = new Thread(() -> {
            try (TopologyTestDriver driver = withAStore()) {
                opened.complete(driver.metrics().values().stream()
                        .filter(metric -> metric.metricName().name().equals("estimate-num-keys"))
                        .findFirst()
                        .orElseThrow());
                awaitQuietly(reading);
            }
            closed.complete(null);
        });
        owner.start();
        Metric entries = opened.get();
        CompletableFuture<Optional<Object>> read = CompletableFuture.supplyAsync(() -> OpenStores.read(() -> {
            reading.countDown();
            awaitQuietly(released);
            return entries.metricValue();
        }));
        try {
            await().atMost(TIMEOUT)
                    .until(() -> Arrays.stream(owner.getStackTrace())
                            .anyMatch(frame -> frame.getClassName().equals(OpenStores.class.getName())));
            assertThat(closed).isNotDone();
        } finally {
            released.countDown();
        }
        assertThat(read.get()).containsInstanceOf(BigInteger.class);
        closed.get();
        assertThat(OpenStores.read(() -> "figures")).contains("figures");
    }

    @Test
    void shouldReadNothingUntilAStoreIsClosed() {
        try (TopologyTestDriver loaded = withAStore()) { // which loads the library
            assertThat(loaded.metrics()).isNotEmpty();
            Options options = new Options();
            OpenStores.closing(options);
            assertThat(OpenStores.read(() -> "figures")).isEmpty();
            options.close();
            assertThat(OpenStores.read(() -> "figures")).contains("figures");
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private TopologyTestDriver withAStore() {
        StreamsBuilder builder = new StreamsBuilder();
        builder.table(
                "sources",
                Materialized.<Bytes, byte[]>as(Stores.persistentKeyValueStore("documents"))
                        .withKeySerde(Serdes.Bytes())
                        .withValueSerde(Serdes.ByteArray()));
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "open");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        settings.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedRocksMemory.class.getName());
        return new TopologyTestDriver(builder.build(), settings);
    }
}
