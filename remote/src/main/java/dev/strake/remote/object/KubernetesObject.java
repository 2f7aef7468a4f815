package dev.strake.remote.object;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.InvalidPatchException.Kind;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The metadata of a Kubernetes object, with the labels and annotations that control an applier. */
public record KubernetesObject(MapValue tree) {

    /** Label of a document: the mode in which it is applied. */
    public static final String MODE = "deploy.razee.io/mode";

    /** Label of a document: what happens to the object once the document is gone. */
    public static final String RECONCILE = "deploy.razee.io/Reconcile";

    /** Label of an object: somebody is debugging it, so it is left alone. */
    public static final String DEBUG = "deploy.razee.io/debug";

    /** Annotation: the owner of the object. Razee writes the name with a dot. */
    public static final String PARENT = "deploy.razee.io.parent";

    /** Annotation: the document that was applied last, as JSON. */
    public static final String LAST_APPLIED = "deploy.razee.io/last-applied-configuration";

    /** Annotation: the document that is pending until {@link #DEBUG} is removed, as JSON. */
    public static final String PENDING = "deploy.razee.io/pending-configuration";

    /** The value of {@link #LAST_APPLIED} if nothing is removed by comparison. */
    public static final String ADDITIVE_NOTE = "AdditiveMergePatch - Skipping reconcileFields from last-applied.";

    private static final String METADATA = "metadata";

    private static final Pattern API_VERSION = Pattern.compile("([a-z0-9.-]+/)?[a-z0-9]+");
    private static final Pattern KIND = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");
    private static final Pattern SEGMENT = Pattern.compile("(?!\\.{1,2}$)[^/%\\p{Cntrl}]*");
    private static final Set<String> IDENTIFYING = Set.of("name", "namespace");
    private static final String LABELS = "labels";
    private static final String ANNOTATIONS = "annotations";

    /** Returns the text of a label; empty if it is missing, or no text, which no API server accepts. */
    public Optional<String> label(String name) {
        return text(LABELS, name);
    }

    public Optional<String> annotation(String name) {
        return text(ANNOTATIONS, name);
    }

    /**
     * Returns the document that was applied last, from which removals are derived. Empty if the annotation is missing
     * or no JSON object: the mode AdditiveMergePatch stores a sentence there, and anybody may edit annotations.
     */
    public Optional<MapValue> lastApplied() {
        return annotation(LAST_APPLIED).flatMap(KubernetesObject::document);
    }

    /** Parses the text of an annotation that contains a document; empty if it is no JSON object. */
    public static Optional<MapValue> document(String json) {
        try {
            return JsonReader.read(json) instanceof MapValue map ? Optional.of(map) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public boolean hasAnnotation(String name) {
        return metadata().map(ANNOTATIONS).has(name);
    }

    public KubernetesObject withAnnotation(String name, Value value) {
        return with(ANNOTATIONS, metadata().map(ANNOTATIONS).with(name, value));
    }

    /** Treats explicit null annotations as none. Sent as they are, they would remove the annotations of others. */
    public KubernetesObject withoutNullAnnotations() {
        return metadata().get(ANNOTATIONS) instanceof Null ? with(ANNOTATIONS, MapValue.EMPTY) : this;
    }

    /**
     * Replaces each value by a mask, except those that identify the object. Nulls and mappings are kept, because
     * removals are derived from them. A list or scalar is always removed as a whole, so its content is not needed.
     */
    public MapValue masked(String mask) {
        Text text = new Text(mask);
        return tree.withEach((key, value) -> switch (key) {
            case "apiVersion", "kind" -> value;
            case METADATA ->
                masked(value, text) instanceof MapValue masked
                        ? masked.withEach((name, item) ->
                                IDENTIFYING.contains(name) ? metadata().get(name) : item)
                        : text;
            default -> masked(value, text);
        });
    }

    private static Value masked(Value value, Text mask) {
        if (value instanceof MapValue map) {
            return map.withEach((key, item) -> masked(item, mask));
        }
        return value instanceof Null ? value : mask;
    }

    private KubernetesObject with(String member, Value value) {
        return new KubernetesObject(tree.with(METADATA, metadata().with(member, value)));
    }

    private MapValue metadata() {
        return tree.map(METADATA);
    }

    private Optional<String> text(String member, String name) {
        return metadata().map(member).get(name) instanceof Text text ? Optional.of(text.value()) : Optional.empty();
    }

    /** Checks that this is a document which can be applied. */
    public void check() throws InvalidPatchException {
        InvalidPatchException.checkDepth(tree);
        for (String member : new String[] {"apiVersion", "kind"}) {
            if (tree.text(member).isEmpty()) {
                throw invalid("a Kubernetes object needs a text under " + member)
                        .within(member);
            }
        }
        checkName("apiVersion", tree.get("apiVersion"), API_VERSION);
        checkName("kind", tree.get("kind"), KIND);
        if (metadata().text("name").isEmpty()) {
            throw invalid("a Kubernetes object needs a text under metadata.name")
                    .within("name")
                    .within(METADATA);
        }
        for (String member : new String[] {"name", "namespace"}) {
            try {
                checkName(member, metadata().get(member), SEGMENT);
            } catch (InvalidPatchException e) {
                throw e.within(METADATA);
            }
        }
        for (String member : new String[] {LABELS, ANNOTATIONS}) {
            Value value = metadata().get(member);
            if (value != null && !(value instanceof Null) && !(value instanceof MapValue)) {
                throw invalid("a mapping has to stand here").within(member).within(METADATA);
            }
        }
        for (String name : new String[] {MODE, RECONCILE}) {
            if (metadata().map(LABELS).has(name) && label(name).isEmpty()) {
                throw invalid("the value of a label has to be a text: put it in quotes")
                        .within(name)
                        .within(LABELS)
                        .within(METADATA);
            }
        }
    }

    /* Identifying values become part of request paths, so a slash would address another object. */
    private static void checkName(String member, Value value, Pattern form) throws InvalidPatchException {
        if (value instanceof Text text) {
            if (!form.matcher(text.value()).matches()) {
                throw invalid("no API server accepts this " + member).within(member);
            }
        } else if (value != null && !(value instanceof Null)) {
            throw invalid("a text has to stand here").within(member);
        }
    }

    private static InvalidPatchException invalid(String message) {
        return new InvalidPatchException(Kind.INVALID_OBJECT, message);
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "KubernetesObject" + tree.keys();
    }
}
