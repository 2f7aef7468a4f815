package dev.strake.checks.bench.state;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.state.ProcessingRig.Processed;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.TopologySettings;
import java.util.List;

/** A workspace in the stores of a rig, and its changes. Keeps no documents in memory. */
final class StoredWorkspace {

    static final TopologySettings SETTINGS = TopologySettings.of(1);

    /** Without parsed documents on the heap, only the graph remains. */
    static final TopologySettings WITHOUT_CACHE = TopologySettings.of(1).caching(0);

    private static final int DOCUMENTS_AT_ONCE = 5_000;
    private static final long STEP = 7_919;

    private final String name;
    private final DocumentSets set;
    private final String storagePolicy;
    private long revision;
    private int version;

    StoredWorkspace(String name, DocumentSets set) {
        this(name, set, null);
    }

    /**
     * @param storagePolicy of all documents; null for the original ones, where sources are encrypted, so all that use
     *     them are secret
     */
    StoredWorkspace(String name, DocumentSets set, String storagePolicy) {
        this.name = name;
        this.set = set;
        this.storagePolicy = storagePolicy;
    }

    /** Publishes the documents in changes of a few thousand; returns the CPU time in nanoseconds. */
    long load(ProcessingRig rig) {
        long cpu = 0;
        for (DocumentSets.Slice slice : set.slices(DOCUMENTS_AT_ONCE)) {
            List<MapValue> documents =
                    slice.documents().stream().map(this::asIs).toList();
            cpu += process(rig, slice.bucket(), JsonBytes.of(ListValue.of(List.copyOf(documents))))
                    .cpuNanos();
        }
        return cpu;
    }

    private MapValue asIs(MapValue document) {
        if (storagePolicy == null || !(document.get("metadata") instanceof MapValue metadata)) {
            return document;
        }
        boolean isControl = metadata.get("schema").toString().contains("metadata/Control");
        return isControl
                ? document
                : document.with("metadata", metadata.with("storagePolicy", new Text(storagePolicy)));
    }

    /** Changes one value of one document, each time of another. */
    Processed changeLeaf(ProcessingRig rig) {
        MapValue leaf = asIs(set.leaf((int) (version * STEP % set.leaves()), ++version));
        return process(rig, DocumentSets.bucket(leaf), JsonBytes.of(leaf));
    }

    /** Changes the parent of a family, and thereby every child. */
    Processed changeParent(ProcessingRig rig) {
        MapValue parent = set.profile(0, ++version);
        return process(rig, DocumentSets.bucket(parent), JsonBytes.of(parent));
    }

    /** Changes the same document regardless of earlier changes; opens the workspace if necessary. */
    Processed changeFirstLeaf(ProcessingRig rig) {
        MapValue leaf = set.leaf(0, -1);
        return process(rig, DocumentSets.bucket(leaf), JsonBytes.of(leaf));
    }

    private Processed process(ProcessingRig rig, String bucket, byte[] body) {
        Processed processed = rig.process(name, ChangeType.DOCUMENTS_PUT, bucket, body);
        if (processed.outcome().status() != OutcomeStatus.RENDERED) {
            throw new IllegalStateException(
                    "a change is %s".formatted(processed.outcome().status().text()));
        }
        revision = processed.outcome().revision();
        return processed;
    }

    String name() {
        return name;
    }

    DocumentSets set() {
        return set;
    }

    long revision() {
        return revision;
    }
}
