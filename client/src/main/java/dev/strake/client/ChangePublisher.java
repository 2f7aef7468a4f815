package dev.strake.client;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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

/** Publishes changes of one workspace and hears what became of them. Not for use by several threads. */
public final class ChangePublisher implements AutoCloseable {

    private static final int MAX_REQUEST_BYTES = 20 << 20;
    private static final Duration POLL = Duration.ofMillis(200);

    private final Cluster cluster;
    private final String prefix;
    private final Duration timeout;
    private final KafkaProducer<byte[], byte[]> producer;
    private final PartitionReader outcomes;
    private final byte[] workspace;

    /**
     * Gets ready to publish. Outcomes from now on are heard, whenever {@link #await} is called.
     *
     * @param prefix of the topics' names
     * @param timeout for each answer of the cluster and for each outcome
     * @throws KafkaUnavailableException if the cluster does not answer or lacks the topics
     */
    public ChangePublisher(Cluster cluster, String prefix, String workspace, Duration timeout) {
        this.cluster = cluster;
        this.prefix = prefix;
        this.timeout = timeout;
        this.workspace = workspace.getBytes(StandardCharsets.UTF_8);
        this.outcomes = PartitionReader.open(cluster, prefix + TopicNames.OUTCOMES, workspace, false, timeout);
        try {
            this.producer = producer(cluster, timeout);
        } catch (KafkaUnavailableException | MisconfiguredException e) {
            outcomes.close();
            throw e;
        }
    }

    /**
     * A producer as changes want it: no record is lost, doubled or overtaken.
     *
     * @param timeout for each answer of the cluster
     * @throws KafkaUnavailableException if the settings make no client
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
     * @throws KafkaUnavailableException if they do not in time; some of the records may be there all the same, and the
     *     same change id makes another try safe
     */
    public void publish(NewChange change) {
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

    /**
     * Waits for the outcome of a change that was published here.
     *
     * @param pending hears the outcomes of parts that did not complete it
     * @throws KafkaUnavailableException if it does not come in time
     */
    public Outcome await(String changeId, Consumer<Outcome> pending) {
        return heard(changeId, pending, timeout)
                .orElseThrow(() -> new KafkaUnavailableException(
                        "The change %s is published, but no outcome came within %d s. Does 'strake up' or 'strake serve' run?"
                                .formatted(changeId, timeout.toSeconds())));
    }

    /** The outcome of a change that was published here, if it comes within some time. */
    public Optional<Outcome> hear(String changeId, Duration within) {
        return heard(changeId, pending -> {}, within);
    }

    private Optional<Outcome> heard(String changeId, Consumer<Outcome> pending, Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        while (System.nanoTime() < deadline) {
            for (ConsumerRecord<byte[], byte[]> message : outcomes.poll(POLL)) {
                if (!Arrays.equals(message.key(), workspace) || message.value() == null) {
                    continue;
                }
                Outcome outcome = OutcomeJson.read(message.value());
                if (outcome.change().id().equals(changeId)) {
                    if (outcome.status() != OutcomeStatus.PENDING) {
                        return Optional.of(outcome);
                    }
                    pending.accept(outcome);
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        outcomes.close();
        producer.close(Duration.ofSeconds(1));
    }
}
