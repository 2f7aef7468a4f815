package dev.strake.topology;

import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.topology.apply.ApplyChange;
import dev.strake.topology.apply.SharedMemory;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.store.DocumentCache;
import dev.strake.topology.store.LiveHeads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * The Kafka Streams topology.
 *
 * <pre>
 *  strake.document-changes                        key = workspace
 *         │
 *   changes-source ─────────────────────────────► strake.dead-letters (no workspace: Kafka's own handler)
 *         │
 *   apply-change ──── documents, revisions, layer-graph, rendered, changes
 *         ├──► rendered-sink ───► strake.rendered-documents      only renderings that differ
 *         ├──► cleartext-sink ──► strake.cleartext-documents     secret documents in clear text, if enabled
 *         ├──► problems-sink ───► strake.render-problems
 *         ├──► outcomes-sink ───► strake.outcomes                last, closes the revision
 *         └──► misplaced-sink ──► strake.document-changes        records of other partitions
 * </pre>
 *
 * <p>The key is the workspace. Documents that can refer to each other are therefore in one partition: one transaction
 * covers one revision, and no repartition topic is needed. The price is that one task does all the work of a workspace.
 * Everything between reading a change and closing its revision happens in one {@code process} call. Kafka Streams
 * commits only between records, so a revision becomes visible as a whole. There is a single stateful processor, because
 * both accepting and rendering a revision need the head of the workspace, which is on the heap once.
 */
public final class RenderTopology {

    /** The names of the stores, which are also part of the names of their changelogs. */
    public static final List<String> STORES = List.of(
            DocumentsLayout.STORE,
            RevisionsLayout.STORE,
            LayerGraphLayout.STORE,
            RenderedLayout.STORE,
            ChangesLayout.STORE);

    static final String SOURCE = "changes-source";
    static final String APPLY_CHANGE = "apply-change";

    /** The largest record of a changelog, uncompressed: twice the limit of a topic, for documents and parts. */
    public static final int MAX_RECORD_BYTES = 2 * RecordSize.TOPIC_TAKES;

    /**
     * The settings of a changelog. Compaction never touches the active segment, so segments are kept small. An entry
     * has the timestamp of its change, of any age: a broker that rejects it would stop the partition. Tombstones must
     * outlive the absence and the restoration of an instance, or it would keep deleted entries.
     */
    public static final Map<String, String> CHANGELOG_SETTINGS = Map.of(
            "cleanup.policy", "compact",
            "segment.bytes", Integer.toString(64 << 20),
            "min.cleanable.dirty.ratio", "0.3",
            "max.message.bytes", Integer.toString(MAX_RECORD_BYTES),
            "message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE),
            "message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE),
            "delete.retention.ms", Long.toString(Duration.ofDays(7).toMillis()),
            "compression.type", "producer",
            "unclean.leader.election.enable", "false");

    private RenderTopology() {}

    /**
     * Builds the topology. Its topics must exist already, with equal partition counts.
     *
     * @param live publishes the heads in memory to readers
     * @param around wraps the processor of each task
     */
    public static Topology build(
            TopologySettings settings,
            ChangeObserver observer,
            LiveHeads live,
            UnaryOperator<Processor<String, byte[], byte[], byte[]>> around) {
        SharedMemory shared = new SharedMemory(new DocumentCache(settings.cacheBytes()), live);
        String prefix = settings.topics().prefix();
        ByWorkspace partitioner = new ByWorkspace();
        ByteArraySerializer bytes = new ByteArraySerializer();
        Topology topology = new Topology();
        topology.addSource(
                AutoOffsetReset.earliest(),
                SOURCE,
                RenderTopology::timestamp,
                new WorkspaceKey(),
                new ByteArrayDeserializer(),
                prefix + TopicNames.CHANGES);
        topology.addProcessor(APPLY_CHANGE, () -> around.apply(processor(settings, observer, shared)), SOURCE);
        STORES.forEach(store -> topology.addStateStore(store(store), APPLY_CHANGE));
        topology.addSink(
                ApplyChange.RENDERED_SINK, prefix + TopicNames.RENDERED, bytes, bytes, partitioner, APPLY_CHANGE);
        if (settings.secrets().cleartextTopic()) {
            topology.addSink(
                    ApplyChange.CLEARTEXT_SINK, prefix + TopicNames.CLEARTEXT, bytes, bytes, partitioner, APPLY_CHANGE);
        }
        topology.addSink(
                ApplyChange.PROBLEMS_SINK, prefix + TopicNames.PROBLEMS, bytes, bytes, partitioner, APPLY_CHANGE);
        topology.addSink(
                ApplyChange.OUTCOMES_SINK, prefix + TopicNames.OUTCOMES, bytes, bytes, partitioner, APPLY_CHANGE);
        topology.addSink(
                ApplyChange.MISPLACED_SINK, prefix + TopicNames.CHANGES, bytes, bytes, partitioner, APPLY_CHANGE);
        return topology;
    }

    /** Creates the processor for callers that do not use Kafka Streams. */
    public static ApplyChange processor(TopologySettings settings, ChangeObserver observer, SharedMemory shared) {
        ApplyChange.Settings work = new ApplyChange.Settings(
                settings.topics().partitions(),
                settings.topics().changesId(),
                settings.intake(),
                settings.rendering(),
                settings.retention(),
                settings.secrets());
        return new ApplyChange(work, observer, shared);
    }

    /* A client may omit the timestamp (-1), with which Streams would stop. */
    static long timestamp(ConsumerRecord<Object, Object> change, long partitionTime) {
        return Math.max(0, change.timestamp());
    }

    private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withCachingDisabled()
                .withLoggingEnabled(CHANGELOG_SETTINGS);
    }
}
