package dev.strake.server.pipeline;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.CapturedLog;
import dev.strake.server.Installation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The messages of a pipeline whose clients have problems. */
@Order(1) // slow: starts first
class TroubledPipelineIT {

    @TempDir
    Path directory;

    private CapturedLog log;
    private Installation strake;

    /** Kafka clients whose consumers fail or block when the test demands it. */
    public static final class TroubledClients extends DefaultKafkaClientSupplier {

        private static final AtomicReference<RuntimeException> ofPoll = new AtomicReference<>();
        private static volatile CountDownLatch released = new CountDownLatch(0);

        @Override
        public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
            return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
                @Override
                public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                    failOnce(ofPoll);
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return super.poll(timeout);
                }
            };
        }

        private static void failOnce(AtomicReference<RuntimeException> planted) {
            RuntimeException failure = planted.getAndSet(null);
            if (failure != null) {
                throw failure;
            }
        }
    }

    @BeforeEach
    void start(TestInfo test) {
        String name = test.getTestMethod().orElseThrow().getName();
        strake = new Installation(name, directory.resolve("data"), 1);
        log = CapturedLog.of(Pipeline.class.getPackage().getName());
    }

    @AfterEach
    void stop() {
        TroubledClients.released.countDown();
        log.close();
        strake.close();
    }

    @Test
    void shouldReplaceAFailedThreadAndLogTheReason() throws Exception {
        try (Pipeline pipeline = start()) {
            pipeline.awaitReady(TIMEOUT);
            TroubledClients.ofPoll.set(new TimeoutException("planted"));
            await().atMost(TIMEOUT)
                    .until(() -> log.lines()
                            .contains("A thread of the pipeline ended with " + TimeoutException.class.getName()
                                    + " (planted) and is replaced"));
            strake.publish("site-a", POLICY);
            await().atMost(TIMEOUT)
                    .ignoreExceptionsInstanceOf(InvalidStateStoreException.class) // until the new thread has its stores
                    .until(() -> pipeline.placement().here().stream()
                            .anyMatch(state -> state.history().lastRevision("site-a") == 1));
        }
    }

    @Test
    void shouldReportATransactionTimeoutThatBrokersRefuse() throws Exception {
        try (Pipeline pipeline = strake.startPipeline(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "86400000"))) {
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("transaction.max.timeout.ms");
        }
    }

    @Test
    void shouldStopWhenPartitionsAreAddedToTheTopicOfChanges() throws Exception {
        try (Pipeline pipeline = start();
                Admin admin = Installation.admin()) {
            pipeline.awaitReady(TIMEOUT);
            admin.createPartitions(Map.of(strake.topic("document-changes"), NewPartitions.increaseTo(3)))
                    .all()
                    .get();
            assertThatThrownBy(pipeline::awaitEnd).isInstanceOf(PipelineFailedException.class);
            assertThat(pipeline.probes().live().get().fine()).isFalse();
        }
        assertThatThrownBy(() -> start())
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining(strake.topic("document-changes") + "=3");
    }

    @Test
    void shouldRefuseADataDirectoryThatAnotherInstanceUses() throws Exception {
        try (Pipeline first = start()) {
            assertThatThrownBy(() -> start())
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageStartingWith(
                            "The data directory " + directory.resolve("data") + " is in use by another instance. ")
                    .hasMessageContaining("--data");
            first.awaitReady(TIMEOUT);
        }
    }

    @Test
    void shouldReportTheStateWhenNotReadyInTime() throws Exception {
        TroubledClients.released = new CountDownLatch(1);
        try (Pipeline pipeline = start()) {
            assertThatThrownBy(() -> pipeline.awaitReady(Duration.ofSeconds(1)))
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessage("The pipeline was not ready within 1 s; it is REBALANCING.");
            TroubledClients.released.countDown();
            pipeline.awaitReady(TIMEOUT);
        }
    }

    private Pipeline start() {
        return strake.startPipeline(Map.of(
                "KAFKA_DEFAULT_CLIENT_SUPPLIER", TroubledClients.class.getName(),
                "KAFKA_METADATA_MAX_AGE_MS", "1000",
                "KAFKA_HEARTBEAT_INTERVAL_MS", "500",
                "KAFKA_SESSION_TIMEOUT_MS", "2000", // the tasks of a dead thread are reassigned after it
                "KAFKA_TRANSACTION_TIMEOUT_MS", "8000"));
    }
}
