package dev.strake.engine.derivation;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Gathers a value from every rendered document of a schema into one derived document. The data of its owner:
 *
 * <pre>
 *   schema: net/Service/v1                       the documents to gather from
 *   labels: {tier: web}                          only those that carry these labels; all if left out
 *   path: .endpoint                              the value to take from each; the whole data if left out
 *   as: map                                      what they become: a list (if left out) or a map
 *   key: .id                                     of a map: the key, a text, number or boolean of the same document;
 *                                                the document's name if left out
 *   into: {schema: net/Endpoints/v1, name: web}  the derived document
 * </pre>
 *
 * Values are in the order of the names of their documents. A document with nothing at the path, or null, is skipped.
 */
public final class Collection implements Derivation {

    /** The schema of the owners. */
    public static final String SCHEMA = Kind.COLLECTION_SCHEMA;

    static final Collection KIND = new Collection();

    private static final Set<String> KEYS = Set.of("schema", "labels", "path", "as", "key", "into");

    /** The parsed data of an owner. The key is null for a list, and for a map by names. */
    private record Wanted(String schema, MapValue labels, Path path, boolean asMap, Path key, DocumentKey into) {}

    private Collection() {}

    @Override
    public String schema() {
        return SCHEMA;
    }

    @Override
    public void check(Value data) throws EvaluationException {
        wanted(data);
    }

    @Override
    public Map<DocumentKey, Value> derive(DocumentId owner, Value data, Reader reader, Consumer<Problem> problems)
            throws EvaluationException {
        Wanted wanted = wanted(data);
        Map<String, Value> gathered = new LinkedHashMap<>();
        Map<String, DocumentKey> from = new HashMap<>();
        boolean hasSecretKeys = false;
        for (DocumentKey each : reader.select(wanted.schema, wanted.labels)) {
            Value value = reader.read(each, wanted.path);
            if (value != null && !(value instanceof Null)) {
                Value named = wanted.key == null ? null : reader.read(each, wanted.key);
                if (Text.isSealed(named)) {
                    return Map.of(wanted.into, named); // a map with a sealed key is sealed as a whole
                }
                boolean mayBeAbsent = Text.isSealed(value); // in clear it may be null, and then the key does not matter
                if (mayBeAbsent && wanted.key != null && !isKey(named)) {
                    continue;
                }
                String key = wanted.key == null ? each.name() : key(each, named);
                hasSecretKeys |= named != null && named.isSecret();
                DocumentKey other = from.putIfAbsent(key, each);
                if (other == null || mayBeAbsent) {
                    gathered.put(key, value);
                } else if (!Text.isSealed(gathered.get(key))) {
                    throw failed(
                            ".data.key",
                            "finds the same key in " + other + " and " + each,
                            "give them different keys, or gather a list");
                }
                reader.budget().spend(1);
            }
        }
        if (!wanted.asMap) {
            return Map.of(wanted.into, ListValue.of(new ArrayList<>(gathered.values())));
        }
        MapValue map = MapValue.of(gathered);
        return Map.of(wanted.into, hasSecretKeys ? map.closed() : map);
    }

    private static boolean isKey(Value value) {
        return value instanceof Text || value instanceof Num || value instanceof Bool;
    }

    private static String key(DocumentKey document, Value key) throws EvaluationException {
        if (key instanceof Text text) {
            return text.value();
        } else if (key instanceof Num num) {
            return num.literal();
        } else if (key instanceof Bool) {
            return Bool.TRUE.equals(key) ? "true" : "false";
        }
        throw failed(
                ".data.key",
                "finds " + (key == null ? "nothing" : key.kindWithArticle()) + " in " + document
                        + ", but a key has to be text, a number or a boolean",
                "add a key to the document, or remove key to use the names of documents");
    }

    private static EvaluationException failed(String path, String message, String hint) {
        return new EvaluationException(ProblemCode.DERIVATION_FAILED, path, message, hint, null);
    }

    private static Wanted wanted(Value data) throws EvaluationException {
        MapValue map = OwnerData.of(data, KEYS, "schema and into", ProblemCode.INVALID_COLLECTION);
        String schema = schema(map.get("schema"), ".data.schema");
        MapValue labels = labels(map.get("labels"));
        String as = map.has("as") ? text(map.get("as"), ".data.as") : "list";
        if (!as.equals("list") && !as.equals("map")) {
            throw invalid(".data.as", "has to be list or map", null);
        }
        if (map.has("key") && as.equals("list")) {
            throw invalid(
                    ".data.key", "is only for maps, but this collection gathers a list", "add as: map, or remove key");
        }
        return new Wanted(
                schema,
                labels,
                path(map, "path", Path.ROOT),
                as.equals("map"),
                path(map, "key", null),
                into(map.get("into")));
    }

    private static MapValue labels(Value value) throws EvaluationException {
        if (value == null) {
            return MapValue.EMPTY;
        }
        if (!(value instanceof MapValue labels) || labels.isEmpty()) {
            throw invalid(
                    ".data.labels",
                    "has to be a mapping with at least one label",
                    "remove labels to gather from all documents of the schema");
        }
        for (String label : labels.keys()) {
            if (labels.get(label) instanceof Null) {
                throw invalid(".data.labels", "has a label that is null", "give every label a value");
            }
        }
        return labels;
    }

    private static Path path(MapValue data, String key, Path absent) throws EvaluationException {
        if (!data.has(key)) {
            return absent;
        }
        try {
            return Path.of(text(data.get(key), ".data." + key));
        } catch (PathSyntaxException e) {
            throw invalid(".data." + key, e.getMessage(), null);
        }
    }

    private static DocumentKey into(Value value) throws EvaluationException {
        if (!(value instanceof MapValue into) || into.size() != 2 || !into.has("schema") || !into.has("name")) {
            throw invalid(".data.into", "has to be a mapping with schema and name", "write into: {schema: …, name: …}");
        }
        String schema = schema(into.get("schema"), ".data.into.schema");
        String name = text(into.get("name"), ".data.into.name");
        if (name.isEmpty() || name.length() > DocumentId.LONGEST_PART) {
            throw invalid(".data.into.name", "has to have 1 to " + DocumentId.LONGEST_PART + " characters", null);
        }
        if (!Kind.isDerivable(schema)) {
            throw invalid(
                    ".data.into.schema",
                    "is a reserved schema, which derived documents cannot have",
                    "use a schema of your own");
        }
        return new DocumentKey(schema, name);
    }

    private static String schema(Value value, String at) throws EvaluationException {
        String schema = text(value, at);
        if (!Kind.isSchemaName(schema) || schema.length() > DocumentId.LONGEST_PART) {
            throw invalid(at, "has to have the form namespace/Kind/vN", Kind.SCHEMA_NAME_RULE);
        }
        return schema;
    }

    private static String text(Value value, String at) throws EvaluationException {
        if (value instanceof Text text) {
            return text.value();
        }
        throw invalid(at, value == null ? "is missing" : "has to be text, but is " + value.kindWithArticle(), null);
    }

    private static EvaluationException invalid(String path, String message, String hint) {
        return new EvaluationException(ProblemCode.INVALID_COLLECTION, path, message, hint, null);
    }
}
