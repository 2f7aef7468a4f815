package dev.strake.bench.stream;

import dev.strake.bench.DocumentSets;
import dev.strake.bench.Figures;
import dev.strake.bench.stream.IdentityTopology.Kind;
import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.NewChange;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Workspaces of one set of documents, and the changes they go through. */
final class Workspaces {

    static final String PREFIX = "strake.";

    private static final String CHANGES = PREFIX + TopicNames.CHANGES;
    static final String RENDERED = PREFIX + TopicNames.RENDERED;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int DOCUMENTS_AT_ONCE = 20_000;

    private final String name;
    private final int count;
    private final DocumentSets set;
    private final AtomicInteger version = new AtomicInteger();

    /**
     * Workspaces that do not exist yet.
     *
     * @param name what their names begin with
     */
    Workspaces(String name, int count, DocumentSets set) {
        this.name = name;
        this.count = count;
        this.set = set;
    }

    private String workspace(int i) {
        return name + "-" + i;
    }

    /** Publishes all documents; returns the nanoseconds until the last outcome. */
    long load(String bootstrapServers) {
        long nanos = 0;
        for (int i = 0; i < count; i++) {
            Cluster settings = Cluster.at(bootstrapServers);
            try (ChangePublisher publisher = new ChangePublisher(settings, PREFIX, workspace(i), PATIENCE)) {
                List<NewChange> changes = loading(workspace(i));
                long start = System.nanoTime();
                for (NewChange change : changes) {
                    publisher.publish(change);
                    Outcome outcome = publisher.await(change.id(), pending -> {});
                    if (outcome.status() != OutcomeStatus.RENDERED) {
                        throw new IllegalStateException(
                                "the set is " + outcome.status().text() + ": " + outcome.problems());
                    }
                }
                nanos += System.nanoTime() - start;
            }
        }
        return nanos;
    }

    private List<NewChange> loading(String workspace) {
        List<NewChange> changes = new ArrayList<>();
        List<MapValue> slice = new ArrayList<>();
        String bucket = null;
        for (MapValue document : set.all()) {
            String its = DocumentSets.bucket(document);
            if (slice.size() == DOCUMENTS_AT_ONCE || (bucket != null && !its.equals(bucket))) {
                changes.add(put(workspace, changes.size(), bucket, slice));
                slice = new ArrayList<>();
            }
            bucket = its;
            slice.add(document);
        }
        changes.add(put(workspace, changes.size(), bucket, slice));
        return changes;
    }

    private static NewChange put(String workspace, int i, String bucket, List<MapValue> documents) {
        return NewChange.ofBucket(workspace, workspace + "-load-" + i, ChangeType.DOCUMENTS_PUT, bucket, documents);
    }

    /**
     * Changes of one value in one leaf, of one workspace after the other. A leaf has two versions by turns, made once:
     * what it takes to make one is no part of what is measured, and identity topologies are given what is ready, too.
     */
    Subject oneDocument() {
        String bucket = DocumentSets.bucket(set.leaf(0, 1));
        byte[][] bodies = new byte[2 * set.leaves()][];
        AtomicInteger sent = new AtomicInteger();
        return new Subject("Strake", "strake-", RENDERED, HeaderNames.CHANGE_ID, amount -> {
            int from = sent.getAndAdd(amount);
            return i -> {
                int which = (from + i) / count % bodies.length;
                if (bodies[which] == null) {
                    bodies[which] = JsonBytes.of(set.leaf(which % set.leaves(), 1 + which / set.leaves()));
                }
                return change(bodies[which], bucket, "leaf", from + i);
            };
        });
    }

    /** Asks what changes of one value in one leaf of the first workspace would do, each of which differs from all that are sent. */
    Plans plans(Figures figures, int settle, int changes, int perSecond, int httpPort) {
        URI uri = URI.create("http://localhost:%d/workspaces/%s/plan?type=%s&bucket=%s"
                .formatted(
                        httpPort, workspace(0), ChangeType.DOCUMENTS_PUT.text(), DocumentSets.bucket(set.leaf(0, 1))));
        return new Plans(
                figures, settle, changes, perSecond, uri, i -> JsonBytes.of(set.leaf(i % set.leaves(), 3 + i)));
    }

    /** A change of the parent of all leaves, for a family. */
    ProducerRecord<byte[], byte[]> parent() {
        int next = version.incrementAndGet();
        MapValue parent = set.profile(0, next);
        return change(JsonBytes.of(parent), DocumentSets.bucket(parent), "parent", next);
    }

    private ProducerRecord<byte[], byte[]> change(byte[] body, String bucket, String what, int number) {
        String workspace = workspace(number % count);
        return Load.record(
                CHANGES,
                workspace.getBytes(StandardCharsets.UTF_8),
                body,
                workspace + "-" + what + "-" + number,
                ChangeType.DOCUMENTS_PUT,
                bucket);
    }

    /** The same records again, for a topology that only forwards them. */
    static Subject identity(Kind kind, List<ConsumerRecord<byte[], byte[]>> records) {
        AtomicInteger sent = new AtomicInteger();
        IntFunction<ProducerRecord<byte[], byte[]>> forward = i -> {
            ConsumerRecord<byte[], byte[]> published = records.get(i % records.size());
            String id = "identity-" + sent.incrementAndGet();
            return again(published.partition(), published.key(), published.value(), published.headers(), id);
        };
        return new Subject(
                kind.toString(), kind.application(), IdentityTopology.OUT, HeaderNames.CE_ID, amount -> forward);
    }

    /** A record that tells a topology what to do with those that came before in its partition. */
    static ProducerRecord<byte[], byte[]> order(int partition, byte[] key) {
        return again(partition, key, new byte[0], new RecordHeaders(), "order");
    }

    /* In the partition of its workspace, with the headers that were published, too: they are a fifth of a record. */
    private static ProducerRecord<byte[], byte[]> again(
            int partition, byte[] key, byte[] value, Headers headers, String id) {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(IdentityTopology.IN, partition, null, key, value, headers);
        record.headers().remove(HeaderNames.CE_ID).add(HeaderNames.CE_ID, id.getBytes(StandardCharsets.UTF_8));
        return record;
    }
}
