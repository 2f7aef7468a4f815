package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.server.health.Health;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.kafka.TopicSet;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.RenderTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.LoggerFactory;

/** Pipelines that stand still, and some that only look like it. */
@Order(1) // it takes long
@Execution(ExecutionMode.CONCURRENT)
class ProgressIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final TopicPartition INPUT = new TopicPartition("strake.document-changes", 0);

    @TempDir
    Path directory;

    private EmbeddedBroker broker;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    /** Holds the thread that processes at its first change. */
    private static final class Holding implements PipelineObserver {

        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public String takenUp(int partition, ChangeEnvelope change) {
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return null;
        }
    }

    @Test
    void shouldSeeThatAThreadWaitsThoughChangesAreThere() throws Exception {
        Holding holding = new Holding();
        List<String> log = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> lines = linesInto(log);
        Logger watch = (Logger) LoggerFactory.getLogger(ProgressWatch.class);
        watch.addAppender(lines);
        try (Pipeline pipeline = start(holding)) {
            publish(Optional.empty());
            await().atMost(TIMEOUT).until(() -> !pipeline.probes().ready().get().fine());
            Health health = pipeline.probes().ready().get();
            assertThat(health.state()).isEqualTo("STANDING_STILL");
            assertThat(health.reason())
                    .contains("changes wait in partition 0 of strake.document-changes (at offset 0 of 1)");
            assertThat(pipeline.standing()).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
            assertThat(pipeline.probes().live().get().fine()).isTrue();
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(log)
                            .anySatisfy(line -> assertThat(line)
                                    .contains(
                                            "The pipeline stands still",
                                            "of strake.document-changes (at offset 0 of 1)",
                                            Holding.class.getName())));

            holding.released.countDown();
            await().atMost(TIMEOUT).until(() -> pipeline.probes().ready().get().fine());
            assertThat(pipeline.standing()).isZero();
            await().atMost(TIMEOUT).until(() -> log.contains("The pipeline moves on again"));
        } finally {
            holding.released.countDown();
            watch.detachAppender(lines);
        }
    }

    static AppenderBase<ILoggingEvent> linesInto(List<String> log) {
        AppenderBase<ILoggingEvent> result = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                log.add(event.getFormattedMessage());
            }
        };
        result.start();
        return result;
    }

    @Test
    void shouldSeeThatABrokerStoppedAnswering() throws Exception {
        try (Pipeline pipeline = start(PipelineObserver.NONE)) {
            broker.close();
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(pipeline.probes().ready().get().reason())
                                    .contains("Kafka has not answered for "));
        }
    }

    @Test
    void shouldSeeThatAPublishersOpenTransactionHoldsUpWhatOthersPublish() throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        AppenderBase<ILoggingEvent> lines = linesInto(log);
        Logger watch = (Logger) LoggerFactory.getLogger(ProgressWatch.class);
        watch.addAppender(lines);
        try (Pipeline pipeline = start(PipelineObserver.NONE);
                KafkaProducer<byte[], byte[]> publisher = producer(Optional.of("leaves-it-open"))) {
            publisher.initTransactions();
            publisher.beginTransaction();
            publisher.send(change()).get();
            publish(Optional.empty());
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(log)
                            .anySatisfy(line -> assertThat(line)
                                    .contains(
                                            "A publisher's transaction has been open for ",
                                            "in partition 0 of strake.document-changes, from offset 0 on.",
                                            "describe-producers --topic strake.document-changes --partition 0")));
            assertThat(pipeline.heldUp()).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
            assertThat(pipeline.standing()).isZero();
            assertThat(pipeline.probes().ready().get().fine()).isTrue();

            publisher.commitTransaction();
            await().atMost(TIMEOUT).until(() -> committed() == 3);
            await().atMost(TIMEOUT)
                    .until(() -> log.contains("Changes behind the publisher's transaction can be read again"));
            assertThat(pipeline.heldUp()).isZero();
        } finally {
            watch.detachAppender(lines);
        }
    }

    /* The end of the transaction lies behind what was committed, as after a kill at that moment. */
    @Test
    void shouldNotTakeTheEndOfAPublishersTransactionForAChangeThatWaits() throws Exception {
        try (Pipeline pipeline = start(PipelineObserver.NONE)) {
            publish(Optional.of("publisher"));
            await().atMost(TIMEOUT).until(() -> committed() == 2);
            assertThat(pipeline.standing()).isZero();
        }
        try (Admin admin = kafka().admin(TIMEOUT)) {
            // A member that stays in the group for its name may keep it busy for a moment.
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> admin.alterConsumerGroupOffsets("moving", Map.of(INPUT, new OffsetAndMetadata(1)))
                            .all()
                            .thenApply(done -> true)
                            .get());
        }
        try (Pipeline pipeline = start(PipelineObserver.NONE)) {
            await().during(Duration.ofSeconds(12))
                    .atMost(TIMEOUT)
                    .until(() -> pipeline.standing().isZero());
            assertThat(committed()).isEqualTo(1);
        }
    }

    @Test
    void shouldStopWithWordsWhenPartitionsAreAdded() throws Exception {
        try (Pipeline pipeline = start(PipelineObserver.NONE);
                Admin admin = kafka().admin(TIMEOUT)) {
            addPartitions(admin);
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("The topics had 1 partitions")
                    .hasMessageContaining("strake.document-changes=3");
            assertThat(pipeline.probes().live().get().fine()).isFalse();
        }
    }

    /* What the message says, done: the changelogs are those that were there, and changes are processed. */
    @Test
    void shouldGoOnWithItsStateAfterATopicOfTooManyPartitionsIsDeleted() throws Exception {
        try (Admin admin = kafka().admin(TIMEOUT)) {
            Map<String, Uuid> changelogs;
            try (Pipeline pipeline = start(PipelineObserver.NONE)) {
                publish(Optional.empty());
                await().atMost(TIMEOUT).until(() -> committed() == 1);
                changelogs = changelogs(admin);
                addPartitions(admin);
                assertThatThrownBy(pipeline::awaitEnd).isInstanceOf(MisconfiguredException.class);
            }
            assertThatThrownBy(() -> start(PipelineObserver.NONE))
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("{strake.document-changes=3}")
                    .hasMessageContaining("strake.document-changes holds no state: delete it")
                    .hasMessageNotContaining("-changelog");
            admin.deleteTopics(Set.of(INPUT.topic())).all().get();
            await().atMost(TIMEOUT)
                    .until(() -> !admin.listTopics().names().get().contains(INPUT.topic()));
            try (Pipeline pipeline = start(PipelineObserver.NONE)) {
                publish(Optional.empty());
                await().atMost(TIMEOUT).until(() -> committed() == 1);
                assertThat(pipeline.standing()).isZero();
                assertThat(changelogs(admin)).isEqualTo(changelogs);
            }
        }
    }

    private static void addPartitions(Admin admin) throws Exception {
        admin.createPartitions(Map.of(INPUT.topic(), NewPartitions.increaseTo(3)))
                .all()
                .get();
    }

    private static Map<String, Uuid> changelogs(Admin admin) throws Exception {
        Map<String, Uuid> ids = new HashMap<>();
        admin.describeTopics(RenderTopology.STORES.stream()
                        .map(store -> TopicSet.changelog("moving", store))
                        .toList())
                .allTopicNames()
                .get()
                .forEach((name, topic) -> ids.put(name, topic.topicId()));
        return ids;
    }

    @Test
    void shouldStopWithWordsWhenTheTopicOfChangesIsCreatedAnew() throws Exception {
        try (Pipeline pipeline = start(PipelineObserver.NONE);
                Admin admin = kafka().admin(TIMEOUT)) {
            publish(Optional.empty());
            await().atMost(TIMEOUT).until(() -> committed() == 1);
            admin.deleteTopics(Set.of(INPUT.topic())).all().get();
            NewTopic anew = new NewTopic(INPUT.topic(), 1, (short) 1);
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> admin.createTopics(Set.of(anew))
                            .all()
                            .thenApply(done -> true)
                            .get());
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(KafkaUnavailableException.class)
                    .hasMessageContaining("strake.document-changes was deleted");
        }
        try (Pipeline pipeline = start(PipelineObserver.NONE)) {
            publish(Optional.empty());
            await().atMost(TIMEOUT).until(() -> committed() == 1);
            assertThat(pipeline.standing()).isZero();
        }
    }

    @Test
    void shouldSayThatBrokersAllowNoTransactionsOfThatLength() throws Exception {
        Map<String, String> environment = new HashMap<>();
        environment.put("KAFKA_TRANSACTION_TIMEOUT_MS", "86400000");
        environment.put("KAFKA_MAX_POLL_INTERVAL_MS", "86400000");
        try (Pipeline pipeline = start(PipelineObserver.NONE, environment)) {
            assertThatThrownBy(pipeline::awaitEnd)
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("raise transaction.max.timeout.ms");
        }
    }

    private void publish(Optional<String> transaction) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(transaction)) {
            transaction.ifPresent(id -> {
                producer.initTransactions();
                producer.beginTransaction();
            });
            producer.send(change()).get();
            transaction.ifPresent(id -> producer.commitTransaction());
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Optional<String> transaction) {
        Map<String, Object> settings = new HashMap<>();
        transaction.ifPresent(id -> settings.put("transactional.id", id));
        return new KafkaProducer<>(kafka().with(settings), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static ProducerRecord<byte[], byte[]> change() {
        return new ProducerRecord<>(INPUT.topic(), "site-a".getBytes(UTF_8), "[]".getBytes(UTF_8));
    }

    private long committed() throws Exception {
        try (Admin admin = kafka().admin(TIMEOUT)) {
            OffsetAndMetadata offset = admin.listConsumerGroupOffsets("moving")
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(INPUT);
            return offset == null ? -1 : offset.offset();
        }
    }

    private Pipeline start(PipelineObserver observer) throws InterruptedException {
        Pipeline pipeline = start(observer, Map.of("KAFKA_TRANSACTION_TIMEOUT_MS", "2000"));
        pipeline.awaitReady(TIMEOUT);
        return pipeline;
    }

    private Pipeline start(PipelineObserver observer, Map<String, String> environment) {
        return Pipeline.start(
                new PipelineSettings(
                        KafkaSettings.of(Optional.of(broker.bootstrapServers()), Optional.empty(), environment),
                        Settings.defaults()
                                .with(Catalogue.APPLICATION_ID, "moving")
                                .with(Catalogue.PARTITIONS, 1)
                                .with(Catalogue.REPLICATION_FACTOR, 1)
                                .with(Catalogue.THREADS, 1)
                                .with(Catalogue.DATA, directory.resolve("data"))),
                observer);
    }

    private KafkaSettings kafka() {
        return KafkaSettings.of(broker.bootstrapServers());
    }
}
