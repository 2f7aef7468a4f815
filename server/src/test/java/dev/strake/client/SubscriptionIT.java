package dev.strake.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.strake.client.PublishedHistory.Published;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.server.Installation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A subscription on a real broker, with the same kind of transactions as the pipeline. */
@Execution(ExecutionMode.CONCURRENT)
class SubscriptionIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String WORKSPACE = "site-a";

    @AutoClose
    private static final Admin admin = Installation.admin();

    private final PublishedHistory history = new PublishedHistory(WORKSPACE);
    private final Copy copy = new Copy();
    private String prefix;

    @BeforeEach
    void createTopics() throws Exception {
        prefix = UUID.randomUUID() + ".";
        create(prefix + "rendered-documents");
        create(prefix + "outcomes");
    }

    /* The broker may not know the topics yet that its controller has created. */
    private static void create(String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        await().atMost(Duration.ofMinutes(10))
                .until(() -> admin.listTopics().names().get().contains(topic));
    }

    private Checkpoint checkpointOfTheFirstUpdate() throws Exception {
        try (Subscription subscription = open()) {
            next(subscription);
            return subscription.checkpoint();
        }
    }

    @Test
    void shouldBeginWithASnapshotAndContinueWithWholeRevisions() throws Exception {
        publish(Map.of("a", "1", "b", "1"));
        publish(Map.of("a", "2"));
        try (Subscription subscription = open()) {
            RenderedUpdate whole = next(subscription);
            assertThat(whole.kind()).isEqualTo(Kind.SNAPSHOT);
            assertThat(whole.revision()).isEqualTo(2);
            assertThat(copy.held()).isEqualTo(Map.of("a", "2", "b", "1"));
            publish(Map.of("c", "3"));
            publish(removal("a"));
            RenderedUpdate third = next(subscription);
            assertThat(third.kind()).isEqualTo(Kind.REVISION);
            assertThat(third.revision()).isEqualTo(3);
            next(subscription);
            assertThat(copy.held()).isEqualTo(Map.of("b", "1", "c", "3"));
            assertThat(subscription.next(Duration.ofMillis(300))).isEmpty();
        }
    }

    /* The first fetch returns the latest outcome; only a later fetch returns its record. */
    @Test
    void shouldWaitForTheRecordsOfANewRevision() throws Exception {
        publish(Map.of("a", "1"));
        try (Subscription subscription = open()) {
            PublishedHistory other = new PublishedHistory("site-b");
            for (int i = 0; i < 8; i++) {
                other.revision(Map.of("large-" + i, "x".repeat(900_000)));
                send(other, i + 1, true);
            }
            publish(Map.of("a", "2"));
            assertThat(next(subscription).revision()).isEqualTo(2);
            assertThat(copy.held()).isEqualTo(Map.of("a", "2"));
        }
    }

    @Test
    void shouldNeverShowAnAbortedRevision() throws Exception {
        publish(Map.of("a", "1"));
        try (Subscription subscription = open()) {
            next(subscription);
            PublishedHistory aborted =
                    new PublishedHistory(WORKSPACE).revision(Map.of("a", "1")).revision(Map.of("a", "never"));
            send(aborted, 2, false);
            publish(Map.of("a", "2"));
            next(subscription);
            assertThat(copy.held()).isEqualTo(Map.of("a", "2"));
        }
    }

    @Test
    void shouldResumeFromACheckpointWithoutASnapshot() throws Exception {
        publish(Map.of("a", "1", "b", "1"));
        Checkpoint checkpoint = checkpointOfTheFirstUpdate();
        publish(Map.of("a", "2"));
        try (Subscription subscription = resume(checkpoint)) {
            RenderedUpdate update = next(subscription);
            assertThat(update.kind()).isEqualTo(Kind.REVISION);
            assertThat(update.put()).hasSize(1);
            assertThat(copy.held()).isEqualTo(Map.of("a", "2", "b", "1"));
        }
    }

    @Test
    void shouldDeliverACompactedSetIfRecordsSinceTheCheckpointAreGone() throws Exception {
        publish(Map.of("a", "1"));
        Checkpoint checkpoint = checkpointOfTheFirstUpdate();
        publish(Map.of("b", "2"));
        publish(removal("a"));
        publish(Map.of("b", "3", "c", "3"));
        forgetAllBut(List.of(4));
        try (Subscription subscription = resume(checkpoint)) {
            assertThat(next(subscription).kind()).isEqualTo(Kind.COMPACTED);
            assertThat(copy.held()).isEqualTo(Map.of("b", "3", "c", "3"));
        }
    }

    @Test
    void shouldDeliverACompactedSetIfATombstoneSinceTheCheckpointIsGone() throws Exception {
        publish(Map.of("a", "1", "b", "1"));
        Checkpoint checkpoint = checkpointOfTheFirstUpdate();
        history.revision(removal("a")); // the topic lacks the records, as after the retention of tombstones
        transaction(List.of(outcome(history, 2)), true);
        publish(Map.of("b", "2"));
        // Deletes the records before b. A new reader of a compacted topic sees the same.
        long end = admin.listOffsets(Map.of(rendered(), OffsetSpec.latest()))
                .all()
                .get()
                .get(rendered())
                .offset();
        try (Subscription subscription = resume(checkpoint)) {
            admin.deleteRecords(Map.of(rendered(), RecordsToDelete.beforeOffset(end - 2)))
                    .all()
                    .get();
            assertThat(next(subscription).kind()).isEqualTo(Kind.COMPACTED);
            assertThat(copy.held()).isEqualTo(Map.of("b", "2"));
        }
    }

    @Test
    void shouldDeliverACompactedSetIfTheTopicsWereRecreated() throws Exception {
        publish(Map.of("a", "1"));
        publish(Map.of("a", "2"));
        Checkpoint checkpoint = checkpointOfTheFirstUpdate();
        createTopics();
        PublishedHistory anew = new PublishedHistory(WORKSPACE).revision(Map.of("x", "1"));
        send(anew, 1, true);
        try (Subscription subscription = resume(checkpoint)) {
            assertThat(next(subscription).kind()).isEqualTo(Kind.COMPACTED);
            assertThat(copy.held()).isEqualTo(Map.of("x", "1"));
        }
    }

    /* A broker that was cut off returns an outdated end offset, until it learns of the current leader. */
    @Test
    void shouldNotTreatAnOutdatedEndOffsetAsLostRecords() throws Exception {
        publish(Map.of("a", "1"));
        publish(Map.of("a", "2"));
        Checkpoint checkpoint = checkpointOfTheFirstUpdate();
        createTopics();
        send(history, 1, true);
        CompletableFuture<Subscription> resuming = CompletableFuture.supplyAsync(() -> resume(checkpoint));
        assertThatThrownBy(() -> resuming.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
        send(history, 2, true);
        publish(Map.of("b", "3"));
        try (Subscription subscription = resuming.join()) {
            assertThat(next(subscription).kind()).isEqualTo(Kind.REVISION);
            assertThat(copy.held()).isEqualTo(Map.of("a", "2", "b", "3"));
        }
    }

    @Test
    void shouldReportASetThatContradictsTheLastOutcome() throws Exception {
        publish(Map.of("a", "1", "b", "1"));
        admin.deleteRecords(Map.of(rendered(), RecordsToDelete.beforeOffset(1)))
                .all()
                .get();
        try (Subscription subscription = open()) {
            assertThatThrownBy(() -> subscription.next(TIMEOUT))
                    .isInstanceOf(IncompleteSetException.class)
                    .hasMessageContainingAll("workspace site-a", "strake verify");
        }
    }

    @Test
    void shouldFollowRandomHistoriesAcrossRestarts() throws Exception {
        Random random = new Random(2222);
        PublishedHistory story = PublishedHistory.random(WORKSPACE, random, 60);
        Subscription subscription = open();
        next(subscription);
        long seen = 0;
        for (int revision = 1; revision <= story.size(); revision++) {
            if (random.nextInt(5) == 0) {
                send(story, revision, false); // like the pipeline, which publishes an aborted revision again
            }
            send(story, revision, true);
            if (random.nextInt(8) == 0) {
                Checkpoint checkpoint = subscription.checkpoint();
                subscription.close();
                subscription = resume(checkpoint);
            }
            Optional<RenderedUpdate> update = subscription.next(Duration.ofMillis(100));
            while (update.isPresent()) {
                copy.take(update.get());
                seen = update.get().revision();
                assertThat(copy.held()).isEqualTo(story.set(seen));
                update = subscription.next(Duration.ofMillis(10));
            }
        }
        while (!copy.held().equals(story.set(story.size()))) {
            copy.take(subscription.next(TIMEOUT).orElseThrow());
        }
        subscription.close();
        assertThat(seen).isPositive();
    }

    @Test
    void shouldNameTheMissingTopic() {
        assertThatThrownBy(() -> Subscription.open(
                        Cluster.at(Installation.broker().bootstrapServers()),
                        "absent.",
                        WORKSPACE,
                        Duration.ofSeconds(5)))
                .isInstanceOf(KafkaUnavailableException.class)
                .hasMessageContaining("absent.outcomes");
    }

    private Subscription open() {
        return Subscription.open(Cluster.at(Installation.broker().bootstrapServers()), prefix, WORKSPACE, TIMEOUT);
    }

    private Subscription resume(Checkpoint checkpoint) {
        return Subscription.resume(Cluster.at(Installation.broker().bootstrapServers()), prefix, checkpoint, TIMEOUT);
    }

    private RenderedUpdate next(Subscription subscription) {
        RenderedUpdate update = subscription.next(TIMEOUT).orElseThrow();
        copy.take(update);
        return update;
    }

    private TopicPartition rendered() {
        return new TopicPartition(prefix + "rendered-documents", 0);
    }

    private static Map<String, String> removal(String name) {
        Map<String, String> removal = new HashMap<>();
        removal.put(name, null);
        return removal;
    }

    private void publish(Map<String, String> changes) throws Exception {
        history.revision(changes);
        send(history, history.size(), true);
    }

    /* Simulates compaction: creates the topic again with the records of some revisions only. */
    private void forgetAllBut(List<Integer> revisions) throws Exception {
        List<Published> left = new ArrayList<>();
        revisions.forEach(revision -> left.addAll(history.records(revision)));
        admin.deleteTopics(List.of(rendered().topic())).all().get();
        await().atMost(Duration.ofMinutes(10))
                .until(() ->
                        !admin.listTopics().names().get().contains(rendered().topic()));
        create(rendered().topic());
        transaction(left.stream().map(this::message).toList(), true);
    }

    private void send(PublishedHistory published, int revision, boolean commit) throws Exception {
        List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
        published.records(revision).forEach(record -> messages.add(message(record)));
        messages.add(outcome(published, revision));
        transaction(messages, commit);
    }

    private void transaction(List<ProducerRecord<byte[], byte[]>> messages, boolean commit) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        Installation.broker().bootstrapServers(),
                        "transactional.id",
                        "pipeline-" + prefix),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            List<Future<RecordMetadata>> acknowledgements =
                    messages.stream().map(producer::send).toList();
            producer.flush();
            for (Future<RecordMetadata> acknowledgement : acknowledgements) {
                acknowledgement.get();
            }
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private ProducerRecord<byte[], byte[]> outcome(PublishedHistory published, int revision) {
        return new ProducerRecord<>(
                prefix + "outcomes",
                published.outcome(revision).workspace().getBytes(UTF_8),
                OutcomeJson.write(published.outcome(revision)));
    }

    private ProducerRecord<byte[], byte[]> message(Published record) {
        return new ProducerRecord<>(rendered().topic(), null, record.key().bytes(), record.value(), record.headers());
    }
}
