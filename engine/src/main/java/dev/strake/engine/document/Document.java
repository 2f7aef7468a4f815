package dev.strake.engine.document;

import dev.strake.engine.document.Substitution.Destination;
import dev.strake.engine.document.Substitution.Source;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A document as its author published it, in valid format. Data that is to be kept encrypted is marked as secret. The
 * whole tree is kept, because the rendered document has the author's metadata unchanged. The parts that layering and
 * substitution need are read from the tree once.
 */
public final class Document {

    /** Control documents steer the engine: they are never layered and never substituted into. */
    public static final String CONTROL_PREFIX = "metadata/Control/";

    private final MapValue tree;
    private final DocumentId id;
    private final boolean control;
    private final Kind kind;
    private final boolean isAbstract;
    private final boolean replacement;
    private final MapValue labels;
    private final MapValue selector;
    private final List<Action> actions;
    private final List<Substitution> substitutions;
    private final String origin;
    private final MissingKey missingKey;

    private Document(MapValue tree, String origin, MissingKey missingKey) {
        this.tree = StoragePolicy.isEncrypted(tree)
                ? tree.with("data", tree.get("data").secret())
                : tree;
        this.origin = origin;
        this.missingKey = missingKey;
        MapValue metadata = (MapValue) tree.get("metadata");
        this.control = metadata.text("schema").startsWith(CONTROL_PREFIX);
        // A control document may have any metadata, so the code below must not rely on the kinds of its values.
        MapValue layering = metadata.map("layeringDefinition");
        this.id = new DocumentId(tree.text("schema"), layering.text("layer"), metadata.text("name"));
        this.kind = Kind.of(id.schema(), control);
        this.isAbstract = Bool.TRUE.equals(layering.get("abstract"));
        this.replacement = !control && Bool.TRUE.equals(metadata.get("replacement"));
        this.labels = metadata.map("labels");
        this.selector = control ? MapValue.EMPTY : layering.map("parentSelector");
        this.actions = control ? List.of() : actions(layering);
        this.substitutions = control ? List.of() : substitutions(metadata);
    }

    /** Whether a tree looks like a Kubernetes object. Authors may keep such objects next to documents. */
    public static boolean isKubernetesObject(Value tree) {
        return tree instanceof MapValue map && map.has("apiVersion") && map.has("kind");
    }

    /**
     * Creates a document from its tree. Adds the metadata that the author left out.
     *
     * @throws DocumentFormatException if the tree is not a document; contains all problems that were found
     */
    public static Document of(Value tree) throws DocumentFormatException {
        return of(tree, null);
    }

    /**
     * As {@link #of(Value)}, with the place where the author keeps the document.
     *
     * @param origin null if the place is not known
     * @throws DocumentFormatException if the tree is not a document; contains all problems that were found
     */
    public static Document of(Value tree, String origin) throws DocumentFormatException {
        Value whole = LeftOut.written(tree);
        return of(whole, origin, DocumentFormat.check(whole));
    }

    /**
     * As {@link #of(Value, String)}, by Deckhand's rules: the metadata has to be complete, and schemas have Deckhand's
     * names.
     *
     * @param origin null if the place is not known
     * @throws DocumentFormatException if the tree is not a document; contains all problems that were found
     */
    public static Document ofDeckhand(Value tree, String origin) throws DocumentFormatException {
        return of(tree, origin, DocumentFormat.checkAsDeckhand(tree));
    }

    private static Document of(Value tree, String origin, List<Problem> problems) throws DocumentFormatException {
        if (!problems.isEmpty()) {
            throw new DocumentFormatException(problems);
        }
        return ofValid((MapValue) tree, origin);
    }

    /** Creates a document from a tree that was checked before, for example one from a store. */
    public static Document ofValid(MapValue tree) {
        return ofValid(tree, null);
    }

    /**
     * As {@link #ofValid(MapValue)}, with the place where the author keeps the document.
     *
     * @param origin null if the place is not known
     */
    public static Document ofValid(MapValue tree, String origin) {
        // If "data" is missing, it becomes an empty map, as in Deckhand's service.
        return new Document(tree.has("data") ? tree : tree.with("data", MapValue.EMPTY), origin, null);
    }

    /**
     * Creates a document whose data cannot be decrypted. A placeholder replaces the data.
     *
     * @param tree a document that was checked before, with any data
     * @param origin null if the place is not known
     */
    public static Document locked(MapValue tree, String origin, MissingKey key) {
        return new Document(tree.with("data", key.placeholder()), origin, key);
    }

    public MapValue tree() {
        return tree;
    }

    /** The missing key with which the data was encrypted; empty for nearly all documents. */
    public Optional<MissingKey> missingKey() {
        return Optional.ofNullable(missingKey);
    }

    /**
     * Where the author keeps the document, for example {@code sites/a/db.yaml:12}; empty if the author did not say. The
     * origin is not part of the content: documents that differ only in their origin are the same.
     */
    public Optional<String> origin() {
        return Optional.ofNullable(origin);
    }

    /** The size of the origin on the heap, in bytes. */
    public long originBytes() {
        return origin == null ? 0 : 2L * origin.length();
    }

    public DocumentId id() {
        return id;
    }

    public Kind kind() {
        return kind;
    }

    public boolean isControl() {
        return control;
    }

    public boolean isAbstract() {
        return isAbstract;
    }

    /** Whether the author wants the data kept encrypted ({@code storagePolicy}). */
    public boolean isEncrypted() {
        return StoragePolicy.isEncrypted(tree);
    }

    public boolean isReplacement() {
        return replacement;
    }

    public MapValue labels() {
        return labels;
    }

    /** The parentSelector: labels that the parent must have; empty if the document has no selector. */
    public MapValue selector() {
        return selector;
    }

    public List<Action> actions() {
        return actions;
    }

    public List<Substitution> substitutions() {
        return substitutions;
    }

    public Value data() {
        return tree.get("data");
    }

    public MapValue metadata() {
        return (MapValue) tree.get("metadata");
    }

    /** The rendered document: the author's schema and metadata, and the given data, in this order. */
    public MapValue rendered(Value data) {
        return MapValue.builder()
                .put("schema", tree.get("schema"))
                .put("metadata", tree.get("metadata"))
                .put("data", data)
                .build();
    }

    @Override
    public String toString() {
        return "Document" + id;
    }

    private static List<Action> actions(MapValue layering) {
        List<Action> result = new ArrayList<>();
        for (Value item : layering.items("actions")) {
            MapValue action = (MapValue) item;
            Action.Method method = Action.Method.valueOf(action.text("method").toUpperCase(Locale.ROOT));
            result.add(new Action(method, action.text("path")));
        }
        return List.copyOf(result);
    }

    private static List<Substitution> substitutions(MapValue metadata) {
        List<Substitution> result = new ArrayList<>();
        for (Value item : metadata.items("substitutions")) {
            MapValue substitution = (MapValue) item;
            MapValue src = substitution.map("src");
            Source source = new Source(
                    new DocumentKey(src.text("schema"), src.text("name")),
                    src.text("path"),
                    src.text("pattern"),
                    integer(src.get("match_group"), 0));
            Value dest = substitution.get("dest");
            List<Value> places = dest instanceof ListValue several ? several.items() : List.of(dest);
            List<Destination> destinations = new ArrayList<>();
            for (Value place : places) {
                MapValue to = (MapValue) place;
                Integer depth = to.has("recurse")
                        ? Integer.valueOf(integer(to.map("recurse").get("depth"), -1))
                        : null;
                destinations.add(new Destination(to.text("path"), to.text("pattern"), depth));
            }
            result.add(new Substitution(source, List.copyOf(destinations)));
        }
        return List.copyOf(result);
    }

    private static int integer(Value value, int absent) {
        return value instanceof Num num ? num.nearestInt() : absent;
    }
}
