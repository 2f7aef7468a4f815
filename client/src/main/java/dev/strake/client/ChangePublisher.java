package dev.strake.client;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes changes of one workspace and reads their outcomes. Not thread-safe. */
public final class ChangePublisher implements AutoCloseable {

    private static final int MAX_REQUEST_BYTES = 20 << 20;
    private static final Duration POLL = Duration.ofMillis(200);

    /** How many changes may wait for {@link #await}. A program that never asks for outcomes would fill the heap. */
    private static final int REMEMBERED = 1_000;

    private final Cluster cluster;
    private final String prefix;
    private final Duration timeout;
    private final KafkaProducer<byte[], byte[]> producer;
    private final PartitionReader outcomes;
    private final String workspace;
    private final byte[] key;

    /* The last published changes that were not awaited yet, each with its outcome if that has already been read. */
    private final Map<String, Optional<Outcome>> published = new LinkedHashMap<>();

    /**
     * Starts to read outcomes at the current end of their topic. {@link #await} finds the outcomes of the last 1,000
     * changes, in any order and no matter when it is called.
     *
     * @param prefix the prefix of topic names
     * @param timeout for each answer of the cluster and for each outcome
     * @throws IllegalArgumentException if the name is not valid for a workspace
     * @throws KafkaUnavailableException if the cluster does not answer or lacks the topics
     */
    public ChangePublisher(Cluster cluster, String prefix, String workspace, Duration timeout) {
        this.cluster = cluster;
        this.prefix = prefix;
        this.timeout = timeout;
        this.workspace = workspace;
        this.key = workspace.getBytes(StandardCharsets.UTF_8);
        this.outcomes = PartitionReader.open(cluster, prefix + TopicNames.OUTCOMES, workspace, false, timeout);
        try {
            this.producer = producer(cluster, timeout);
        } catch (KafkaUnavailableException | MisconfiguredException e) {
            outcomes.close();
            throw e;
        }
    }

    /**
     * Creates a producer that never loses, duplicates or reorders records.
     *
     * @param timeout for each answer of the cluster
     * @throws KafkaUnavailableException if the producer cannot be created now
     * @throws MisconfiguredException if its settings are invalid
     */
    public static KafkaProducer<byte[], byte[]> producer(Cluster cluster, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        int request = Math.min(millis, 30_000);
        try {
            return new KafkaProducer<>(
                    cluster.with(Map.of(
                            ProducerConfig.ACKS_CONFIG, "all",
                            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true,
                            ProducerConfig.LINGER_MS_CONFIG, 0,
                            ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES,
                            ProducerConfig.MAX_BLOCK_MS_CONFIG, millis,
                            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, request,
                            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis)),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
        } catch (KafkaException e) {
            throw cluster.unavailable(e);
        }
    }

    /**
     * Publishes a change and returns when all replicas have its records.
     *
     * @throws IllegalArgumentException if the change is of another workspace
     * @throws MisconfiguredException if one of them is larger than the broker or the producer takes
     * @throws KafkaUnavailableException if they are not acknowledged in time. Some may have been written; a retry with
     *     the same change id is safe
     */
    public void publish(NewChange change) {
        if (!change.workspace().equals(workspace)) {
            throw new IllegalArgumentException("this publishes changes of workspace %s, and the change is of %s"
                    .formatted(workspace, change.workspace()));
        }
        remember(change.id());
        try {
            List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
            change.records(prefix + TopicNames.CHANGES)
                    .forEach(message -> acknowledgements.add(producer.send(message)));
            for (Future<RecordMetadata> acknowledgement : acknowledgements) {
                acknowledgement.get();
            }
        } catch (ExecutionException e) {
            throw cluster.unavailable(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            throw cluster.unavailable(e);
        }
    }

    private void remember(String changeId) {
        published.putIfAbsent(changeId, Optional.empty());
        if (published.size() > REMEMBERED) {
            published.remove(published.keySet().iterator().next());
        }
    }

    /**
     * Waits for the outcome of a change that was published here.
     *
     * @param pending receives the outcomes of parts that do not complete the change
     * @throws KafkaUnavailableException if the outcome does not arrive in time
     */
    public Outcome await(String changeId, Consumer<Outcome> pending) {
        return heard(changeId, pending, timeout)
                .orElseThrow(() -> new KafkaUnavailableException(
                        "The change %s is published, but its outcome did not arrive within %d s. Check that 'strake up' or 'strake serve' runs."
                                .formatted(changeId, timeout.toSeconds())));
    }

    /** Waits for the outcome of a change that was published here. Empty if it does not arrive in time. */
    public Optional<Outcome> poll(String changeId, Duration within) {
        return heard(changeId, pending -> {}, within);
    }

    private Optional<Outcome> heard(String changeId, Consumer<Outcome> pending, Duration within) {
        remember(changeId);
        long deadline = System.nanoTime() + within.toNanos();
        while (published.get(changeId).isEmpty() && System.nanoTime() < deadline) {
            for (ConsumerRecord<byte[], byte[]> message : outcomes.poll(POLL)) {
                if (!Arrays.equals(message.key(), key) || message.value() == null) {
                    continue;
                }
                Outcome outcome = OutcomeJson.read(message.value());
                String id = outcome.change().id();
                if (outcome.status() != OutcomeStatus.PENDING) {
                    published.computeIfPresent(id, (same, earlier) -> earlier.or(() -> Optional.of(outcome)));
                } else if (id.equals(changeId)) {
                    pending.accept(outcome);
                }
            }
        }
        if (published.get(changeId).isPresent()) {
            return published.remove(changeId);
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        outcomes.close();
        producer.close(Duration.ofSeconds(1));
    }
}
