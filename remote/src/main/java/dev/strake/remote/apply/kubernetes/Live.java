package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.KubernetesObject;
import java.util.Optional;
import java.util.Set;

/** The state of an object in a cluster. */
record Live(MapValue object) {

    /** Members of the metadata that the API server sets. */
    private static final Set<String> OF_THE_SERVER = Set.of(
            "managedFields",
            "resourceVersion",
            "uid",
            "creationTimestamp",
            "generation",
            "selfLink",
            "deletionTimestamp");

    private static final String METADATA = "metadata";
    private static final String ANNOTATIONS = "annotations";

    String version() {
        return object.map(METADATA).text("resourceVersion");
    }

    String uid() {
        return object.map(METADATA).text("uid");
    }

    /** Whether the server is deleting the object. */
    boolean isBeingDeleted() {
        return !object.map(METADATA).text("deletionTimestamp").isEmpty();
    }

    /** Returns why an object that is being deleted still exists. */
    String whyStillThere() {
        return object.map(METADATA).items("finalizers").isEmpty()
                ? "the object is being deleted, and is not gone yet"
                : "the object is being deleted, and waits for its finalizers";
    }

    Optional<String> owner() {
        return new KubernetesObject(object).annotation(KubernetesObject.PARENT);
    }

    /** Returns the document that was applied last; null if it is not known. */
    MapValue lastApplied() {
        return new KubernetesObject(object).lastApplied().orElse(null);
    }

    /**
     * Whether changing this object into another one would have no effect worth a write. The record of a create contains
     * the owner and later records do not; this difference alone is ignored.
     */
    boolean isAsGoodAs(MapValue wanted) {
        return object.equals(wanted) || (withoutRecord(object).equals(withoutRecord(wanted)) && hasRecordOf(wanted));
    }

    /** Whether both objects record the same document as applied last, apart from the owner. */
    boolean hasRecordOf(MapValue wanted) {
        return record(object) != null && record(object).equals(record(wanted));
    }

    private static Value record(MapValue tree) {
        MapValue last = new Live(tree).lastApplied();
        return last == null ? null : without(last, KubernetesObject.PARENT);
    }

    /** Returns an object without its record of the document that was applied last. */
    static MapValue withoutRecord(MapValue tree) {
        return without(tree, KubernetesObject.LAST_APPLIED);
    }

    /** Returns the part of an object that is shown: without its status, its record and what the server sets. */
    static MapValue shown(MapValue tree) {
        MapValue shown = withoutRecord(tree).without("status");
        return shown.get(METADATA) instanceof MapValue metadata
                ? shown.with(METADATA, metadata.withEach((key, value) -> OF_THE_SERVER.contains(key) ? null : value))
                : shown;
    }

    private static MapValue without(MapValue tree, String annotation) {
        MapValue metadata = tree.map(METADATA);
        MapValue annotations = metadata.map(ANNOTATIONS);
        if (!annotations.has(annotation)) {
            return tree;
        }
        MapValue less = annotations.without(annotation);
        return tree.with(METADATA, less.isEmpty() ? metadata.without(ANNOTATIONS) : metadata.with(ANNOTATIONS, less));
    }

    /** Returns the live values at the places where a document has values. */
    Value at(Value places) {
        return at(object, places);
    }

    private static Value at(Value live, Value places) {
        if (places instanceof MapValue wanted && live instanceof MapValue map) {
            return wanted.withEach((key, value) -> map.has(key) ? at(map.get(key), value) : null);
        }
        return live == null ? MapValue.EMPTY : live;
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "Live" + object.keys();
    }
}
