package dev.strake.checks.bench.stream;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.stream.IdentityTopology.Kind;
import dev.strake.client.ChangePublisher;
import dev.strake.client.Cluster;
import dev.strake.client.NewChange;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Workspaces with the same set of documents, and their changes. */
final class Workspaces {

    static final String PREFIX = "strake.";
    static final String RENDERED = PREFIX + TopicNames.RENDERED;

    private static final String CHANGES = PREFIX + TopicNames.CHANGES;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int DOCUMENTS_AT_ONCE = 20_000;

    private final String name;
    private final int count;
    private final DocumentSets set;
    private final byte[][] leaves;
    private final AtomicInteger version = new AtomicInteger();

    /**
     * Creates workspaces that do not exist yet.
     *
     * @param name the prefix of their names
     */
    Workspaces(String name, int count, DocumentSets set) {
        this.name = name;
        this.count = count;
        this.set = set;
        this.leaves = new byte[2 * set.leaves()][];
    }

    private String workspace(int i) {
        return name + "-" + i;
    }

    /** Publishes all documents; returns the nanoseconds until the last outcome. */
    long load(String bootstrapServers) {
        long nanos = 0;
        for (int i = 0; i < count; i++) {
            Cluster settings = Cluster.at(bootstrapServers);
            String workspace = workspace(i);
            try (ChangePublisher publisher = new ChangePublisher(settings, PREFIX, workspace, PATIENCE)) {
                long start = System.nanoTime();
                int number = 0;
                for (DocumentSets.Slice slice : set.slices(DOCUMENTS_AT_ONCE)) {
                    String id = workspace + "-load-" + number++;
                    publisher.publish(NewChange.ofBucket(
                            workspace, id, ChangeType.DOCUMENTS_PUT, slice.bucket(), slice.documents()));
                    Outcome outcome = publisher.await(id, pending -> {});
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

    /** Returns changes of one value in one leaf, in each workspace in turn. */
    Subject oneDocument() {
        String bucket = DocumentSets.bucket(set.leaf(0, 1));
        AtomicInteger sent = new AtomicInteger();
        return new Subject("Strake", "strake-", RENDERED, HeaderNames.CHANGE_ID, amount -> {
            int from = sent.getAndAdd(amount);
            return i -> change(leaf(from + i), bucket, "leaf", from + i);
        });
    }

    /** Returns all documents of all workspaces, as a few changes for each, to send without waiting for outcomes. */
    List<ProducerRecord<byte[], byte[]>> all() {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (DocumentSets.Slice slice : set.slices(DOCUMENTS_AT_ONCE)) {
            byte[] body = JsonBytes.of(ListValue.of(slice.documents()));
            for (int i = 0; i < count; i++) {
                records.add(change(body, slice.bucket(), "all", records.size()));
            }
        }
        return records;
    }

    /** The number of documents in all workspaces. */
    int documents() {
        return count * set.size();
    }

    /** The number of records that all documents render to. */
    int rendered() {
        return count * set.rendered();
    }

    /* A leaf has two alternating versions, cached so that the measurement does not include their creation. */
    private byte[] leaf(int number) {
        int which = number / count % leaves.length;
        if (leaves[which] == null) {
            leaves[which] = JsonBytes.of(set.leaf(which % set.leaves(), 1 + which / set.leaves()));
        }
        return leaves[which];
    }

    /** Returns a change of the parent of all leaves in a family. */
    ProducerRecord<byte[], byte[]> parent() {
        int next = version.incrementAndGet();
        MapValue parent = set.profile(0, next);
        return change(JsonBytes.of(parent), DocumentSets.bucket(parent), "parent", next);
    }

    private ProducerRecord<byte[], byte[]> change(byte[] body, String bucket, String what, int number) {
        String workspace = workspace(number % count);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(CHANGES, workspace.getBytes(StandardCharsets.UTF_8), body);
        header(record, HeaderNames.CE_ID, workspace + "-" + what + "-" + number);
        header(record, HeaderNames.CE_TYPE, ChangeType.DOCUMENTS_PUT.text());
        header(record, HeaderNames.BUCKET, bucket);
        return record;
    }

    /** Returns the same leaves for an identity topology, in the partitions of their workspaces. */
    Subject identity(Kind kind, int partitions) {
        AtomicInteger sent = new AtomicInteger();
        return new Subject(kind.toString(), kind.application(), kind.out(), HeaderNames.CE_ID, amount -> {
            int from = sent.getAndAdd(amount);
            return i -> {
                int number = from + i;
                String workspace = workspace(number % count);
                byte[] key = (workspace + "|bench/Chart/v1|leaf-" + number / count % set.leaves())
                        .getBytes(StandardCharsets.UTF_8);
                int partition = WorkspaceKey.partition(workspace, partitions);
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(kind.in(), partition, key, leaf(number));
                header(record, HeaderNames.CE_ID, "identity-" + number);
                return record;
            };
        });
    }

    private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
