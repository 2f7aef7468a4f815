package dev.strake.remote.apply;

import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topic of results: the latest result of each document at each target.
 *
 * <pre>
 *  key    WORKSPACE|TARGET|SCHEMA|NAME
 *  value  {"workspace","target","document":{"schema","name"},"object","revision","status","reason","time"}
 *         a tombstone if the document left the workspace, and nothing of it is left at the target
 * </pre>
 */
public final class ResultTopic implements DocumentResult.Listener, AutoCloseable {

    /** The name of the topic, without its prefix. */
    public static final String NAME = "apply-results";

    /** The configuration of the topic when it is created: compacted, so the latest record of a key counts. */
    public static final Map<String, String> CONFIG =
            Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);

    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final String topic;
    private final String workspace;
    private final String target;
    private final int partition;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Clock clock = Clock.systemUTC();
    private final Map<DocumentKey, DocumentResult> last = new ConcurrentHashMap<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private ResultTopic(
            Cluster cluster,
            String topic,
            String workspace,
            String target,
            int partitions,
            KafkaProducer<byte[], byte[]> producer) {
        this.cluster = cluster;
        this.topic = topic;
        this.workspace = workspace;
        this.target = target;
        this.producer = producer;
        this.partition = WorkspaceKey.partition(workspace, partitions);
    }

    /**
     * Opens the topic. If it is missing, it is created with as many partitions as the topic of outcomes.
     *
     * @param target the name of the applier
     * @throws KafkaUnavailableException if the cluster does not answer, or denies access
     */
    public static ResultTopic open(Cluster cluster, String prefix, String workspace, String target, Duration timeout) {
        String topic = prefix + NAME;
        int partitions = cluster.createLike(prefix + TopicNames.OUTCOMES, topic, CONFIG, timeout);
        return new ResultTopic(
                cluster, topic, workspace, target, partitions, ChangePublisher.producer(cluster, timeout));
    }

    /**
     * Writes a result, unless it equals the last result of the document.
     *
     * @throws KafkaUnavailableException if an earlier result could not be written; then all results are written again
     */
    @Override
    public void became(DocumentResult result) {
        if (!result.equals(last.put(result.document(), result))) {
            send(result.document(), value(result));
        }
    }

    @Override
    public void gone(DocumentKey document) {
        last.remove(document);
        send(document, null);
    }

    private void send(DocumentKey document, byte[] value) {
        Exception before = failure.getAndSet(null);
        if (before != null) {
            last.clear();
            throw cluster.unavailable(before);
        }
        String key = String.join("|", workspace, target, document.schema(), document.name());
        try {
            var unused = producer.send(
                    new ProducerRecord<>(topic, partition, key.getBytes(StandardCharsets.UTF_8), value),
                    (sent, exception) -> failure.compareAndSet(null, exception));
        } catch (KafkaException e) {
            last.clear();
            throw cluster.unavailable(e);
        }
    }

    private byte[] value(DocumentResult result) {
        MapValue document = MapValue.of("schema", result.document().schema())
                .with("name", result.document().name());
        return JsonBytes.of(MapValue.builder()
                .put("workspace", workspace)
                .put("target", target)
                .put("document", document)
                .put("object", result.object())
                .put("revision", result.revision())
                .put("status", result.status().text())
                .put("reason", result.reason())
                .put("time", clock.instant().toString())
                .build());
    }

    /**
     * Flushes pending results and closes the producer.
     *
     * @throws KafkaUnavailableException if a result could not be written
     */
    @Override
    public void close() {
        producer.close(CLOSING);
        Exception lost = failure.get();
        if (lost != null) {
            throw cluster.unavailable(lost);
        }
    }
}
