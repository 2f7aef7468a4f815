package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.KubernetesObject;
import java.util.Optional;
import java.util.Set;

/** What an object in a cluster says about itself. */
record Live(MapValue object) {

    /** Members of the metadata that the server sets. */
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

    /** Whether it waits for somebody's finalizers. */
    boolean isBeingDeleted() {
        return !object.map(METADATA).text("deletionTimestamp").isEmpty();
    }

    /** Why it is still there, although it is being deleted. */
    String whyStillThere() {
        return object.map(METADATA).items("finalizers").isEmpty()
                ? "the object is being deleted, and is not gone yet"
                : "the object is being deleted, and waits for its finalizers";
    }

    Optional<String> owner() {
        return new KubernetesObject(object).annotation(KubernetesObject.PARENT);
    }

    /** The document that was applied last; null if it is not known. */
    MapValue lastApplied() {
        return new KubernetesObject(object).lastApplied().orElse(null);
    }

    /**
     * Whether it would stay as it is, if it became another object. After a create the recorded document has the owner in it
     * and later ones have not: to write the record anew for that alone helps nobody.
     */
    boolean isAsGoodAs(MapValue wanted) {
        return object.equals(wanted) || (withoutRecord(object).equals(withoutRecord(wanted)) && hasRecordOf(wanted));
    }

    /** Whether the document that was applied last is the one with which it would become another object. */
    boolean hasRecordOf(MapValue wanted) {
        return record(object) != null && record(object).equals(record(wanted));
    }

    private static Value record(MapValue tree) {
        MapValue last = new Live(tree).lastApplied();
        return last == null ? null : without(last, KubernetesObject.PARENT);
    }

    /** The same, and nothing said of the document that was applied last. */
    static MapValue withoutRecord(MapValue tree) {
        return without(tree, KubernetesObject.LAST_APPLIED);
    }

    /** Of an object, what a person wants to compare: nothing that the server sets, and no record. */
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

    /** The values that stand where a document has some. */
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
