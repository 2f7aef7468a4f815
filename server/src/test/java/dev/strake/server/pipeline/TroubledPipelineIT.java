package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is told of a pipeline whose clients are in trouble. */
@Order(1) // it takes long
class TroubledPipelineIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private final List<String> log = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> lines = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            log.add(line.getFormattedMessage());
        }
    };
    private final Logger pipelines =
            (Logger) LoggerFactory.getLogger(Pipeline.class.getPackage().getName());
    private EmbeddedBroker broker;

    /** Kafka's clients, whose consumers fail or wait when the test wants it. */
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
    void start() {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        lines.start();
        pipelines.addAppender(lines);
    }

    @AfterEach
    void stop() {
        TroubledClients.released.countDown();
        pipelines.detachAppender(lines);
        broker.close();
    }

    @Test
    void shouldSayWhyAThreadIsReplacedAndGoOn() throws Exception {
        try (Pipeline pipeline = Pipeline.start(settings(), PipelineObserver.NONE)) {
            pipeline.awaitReady(TIMEOUT);
            TroubledClients.ofPoll.set(new TimeoutException("planted"));
            await().atMost(TIMEOUT)
                    .until(() -> log.contains("A thread of the pipeline ended with " + TimeoutException.class.getName()
                            + " (planted) and is replaced"));
            publish();
            await().atMost(TIMEOUT)
                    .ignoreExceptionsInstanceOf(InvalidStateStoreException.class) // until the new thread has its stores
                    .until(() -> pipeline.placement().here().stream().anyMatch(state -> state.head("site-a") == 1));
        }
    }

    @Test
    void shouldSayThatBrokersAllowNoTransactionsOfThatLength() throws Exception {
        try (Pipeline pipeline =
                Pipeline.start(settings(Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "86400000")), PipelineObserver.NONE)) {
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("transaction.max.timeout.ms");
        }
    }

    @Test
    void shouldStopWhenPartitionsAreAddedToTheTopicOfChanges() throws Exception {
        try (Pipeline pipeline = Pipeline.start(settings(), PipelineObserver.NONE);
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            pipeline.awaitReady(TIMEOUT);
            admin.createPartitions(Map.of("strake.document-changes", NewPartitions.increaseTo(3)))
                    .all()
                    .get();
            assertThatThrownBy(pipeline::awaitEnd).isInstanceOf(PipelineFailedException.class);
            assertThat(pipeline.probes().live().get().fine()).isFalse();
        }
        assertThatThrownBy(() -> Pipeline.start(settings(), PipelineObserver.NONE))
                .isInstanceOf(MisconfiguredException.class)
                .hasMessageContaining("strake.document-changes=3");
    }

    @Test
    void shouldRefuseADataDirectoryThatAnotherInstanceUses() throws Exception {
        try (Pipeline first = Pipeline.start(settings(), PipelineObserver.NONE)) {
            assertThatThrownBy(() -> Pipeline.start(settings(), PipelineObserver.NONE))
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageStartingWith("The data directory " + directory.resolve("data") + " is in use: ")
                    .hasMessageContaining("--data");
            first.awaitReady(TIMEOUT);
        }
    }

    @Test
    void shouldSayThatItIsNotReadyInTimeAndInWhichStateItIs() throws Exception {
        TroubledClients.released = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.start(settings(), PipelineObserver.NONE)) {
            assertThatThrownBy(() -> pipeline.awaitReady(Duration.ofSeconds(1)))
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessage("The pipeline was not ready within 1 s; it is REBALANCING.");
            TroubledClients.released.countDown();
            pipeline.awaitReady(TIMEOUT);
        }
    }

    private void publish() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            String policy = """
                    {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
                     data: {layerOrder: [site]}}
                    """;
            producer.send(new ProducerRecord<>(
                            "strake.document-changes", "site-a".getBytes(UTF_8), policy.getBytes(UTF_8)))
                    .get();
        }
    }

    private PipelineSettings settings() {
        return settings(Map.of(
                "KAFKA_DEFAULT_CLIENT_SUPPLIER", TroubledClients.class.getName(),
                "KAFKA_METADATA_MAX_AGE_MS", "1000",
                "KAFKA_HEARTBEAT_INTERVAL_MS", "1500",
                "KAFKA_SESSION_TIMEOUT_MS", "6000", // for so long the tasks of a thread that ended wait
                "KAFKA_TRANSACTION_TIMEOUT_MS", "8000"));
    }

    private PipelineSettings settings(Map<String, String> environment) {
        return new PipelineSettings(
                KafkaSettings.of(Optional.of(broker.bootstrapServers()), Optional.empty(), environment),
                Settings.defaults()
                        .with(Catalogue.PARTITIONS, 1)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.HTTP_PORT, 0)
                        .with(Catalogue.DATA, directory.resolve("data")));
    }
}
