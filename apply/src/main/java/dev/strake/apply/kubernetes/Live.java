package dev.strake.apply.kubernetes;

import dev.strake.engine.apply.KubernetesObject;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
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
        return text("resourceVersion");
    }

    String uid() {
        return text("uid");
    }

    /** Whether it waits for somebody's finalizers. */
    boolean isBeingDeleted() {
        return !text("deletionTimestamp").isEmpty();
    }

    /** Why it is still there, although it is being deleted. */
    String whyStillThere() {
        boolean isKept = object.get(METADATA) instanceof MapValue metadata
                && metadata.get("finalizers") instanceof ListValue finalizers
                && finalizers.size() > 0;
        return isKept
                ? "the object is being deleted, and waits for its finalizers"
                : "the object is being deleted, and is not gone yet";
    }

    Optional<String> owner() {
        return new KubernetesObject(object).annotation(KubernetesObject.PARENT);
    }

    /** The document that was applied last; null if it is not known. */
    Value lastApplied() {
        Optional<String> kept = new KubernetesObject(object).annotation(KubernetesObject.LAST_APPLIED);
        try {
            return kept.isEmpty() ? null : JsonValues.read(kept.get().getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return null; // the note of the additive mode, or somebody's mistake: no history either way
        }
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
        return new Live(tree).lastApplied() instanceof MapValue map ? without(map, KubernetesObject.PARENT) : null;
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
        if (!(tree.get(METADATA) instanceof MapValue metadata)
                || !(metadata.get(ANNOTATIONS) instanceof MapValue annotations)) {
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

    private String text(String member) {
        return object.get(METADATA) instanceof MapValue metadata && metadata.get(member) instanceof Text text
                ? text.value()
                : "";
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "Live" + object.keys();
    }
}
