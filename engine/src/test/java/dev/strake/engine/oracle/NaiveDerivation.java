package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.NaiveRenderer.Outcome;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Derives documents from a rendered set: each owner from scratch, then conflicts between names. */
final class NaiveDerivation {

    /** The size limit of all documents derived from one owner, in multiples of the limit of one document. */
    private static final int MOST_FULL = 4;

    private final Map<DocumentId, PlainDocument> documents;
    private final Links links;
    private final Limits limits;
    private final Map<DocumentId, Outcome> outcomes;
    private final Map<DocumentId, Owner> owners = new TreeMap<>();

    /**
     * The result of an owner.
     *
     * @param documents the derived documents; null if they cannot be derived
     * @param used everything that the owner read, in order; null if evaluation did not get that far
     */
    record Owner(Map<DocumentKey, MapValue> documents, Trouble trouble, List<Object> used) {}

    NaiveDerivation(
            Map<DocumentId, PlainDocument> documents, Links links, Limits limits, Map<DocumentId, Outcome> outcomes) {
        this.documents = documents;
        this.links = links;
        this.limits = limits;
        this.outcomes = outcomes;
        documents.forEach((id, document) -> {
            if (document.derives() && links.isInForce(id)) {
                owners.put(id, outcomes.get(id).isInTrouble() ? new Owner(null, null, null) : owner(id));
            }
        });
    }

    Map<DocumentId, Owner> owners() {
        return owners;
    }

    /** All documents that would be published under a key, in order of identity. */
    List<DocumentId> claimants(DocumentKey key) {
        Set<DocumentId> result = new TreeSet<>();
        documents.keySet().stream()
                .filter(id -> id.key().equals(key) && links.isRendered(id))
                .forEach(result::add);
        owners.forEach((id, owner) -> {
            if (owner.documents != null && owner.documents.containsKey(key)) {
                result.add(id);
            }
        });
        return List.copyOf(result);
    }

    /** The trouble of a document with what is derived; null if there is none. */
    Trouble trouble(DocumentId id) {
        Owner owner = owners.get(id);
        if (owner == null) {
            List<DocumentId> rivals = claimants(id.key());
            boolean isContested = links.isRendered(id) && rivals.stream().anyMatch(owners::containsKey);
            return isContested ? Trouble.of(ProblemCode.DUPLICATE_DOCUMENT_EXISTS, null, rivals) : null;
        }
        if (owner.trouble != null || owner.documents == null) {
            return owner.trouble;
        }
        for (DocumentKey key : owner.documents.keySet()) {
            if (claimants(key).size() > 1) {
                return Trouble.of(ProblemCode.DUPLICATE_DOCUMENT_EXISTS, null, claimants(key));
            }
        }
        return null;
    }

    private Owner owner(DocumentId id) {
        List<Object> used = new ArrayList<>();
        MapValue data = (MapValue) outcomes.get(id).data();
        used.add(marked(data));
        boolean isSecret = Secrets.isIn(data);
        boolean[] encrypted = {isSecret};
        try {
            NaiveKind kind = documents.get(id).kind();
            NaiveKind.Derived derived = kind != null
                    ? kind.derive(id.name(), data, key -> readIfThere(key, used, encrypted))
                    : new NaiveKind.Derived(Map.of(into(data), gathered(data, used, encrypted)), null);
            Map<DocumentKey, MapValue> made = new TreeMap<>();
            long bytes = 0;
            for (Map.Entry<DocumentKey, Value> each : derived.documents().entrySet()) {
                limits.check(each.getValue());
                boolean isWhole = kind == null ? isSecret : encrypted[0];
                MapValue tree = document(id, each.getKey(), each.getValue().secretIf(isWhole));
                made.put(each.getKey(), tree);
                bytes += JsonBytes.of(tree).length;
                if (bytes > MOST_FULL * limits.bytes()) {
                    throw Trouble.of(ProblemCode.LIMIT_EXCEEDED, ".data").exception();
                }
            }
            checkSchema(made, used);
            return new Owner(made, derived.trouble(), used);
        } catch (TroubleException e) {
            return new Owner(null, e.trouble(), used);
        }
    }

    private static DocumentKey into(MapValue data) {
        MapValue into = (MapValue) data.get("into");
        return new DocumentKey(text(into.get("schema")), text(into.get("name")));
    }

    private void checkSchema(Map<DocumentKey, MapValue> made, List<Object> used) throws TroubleException {
        for (Map.Entry<DocumentKey, MapValue> each : made.entrySet()) {
            DocumentKey key =
                    new DocumentKey("deckhand/DataSchema/v1", each.getKey().schema());
            Value body = readIfThere(key, used, new boolean[1]);
            boolean isFit = body == null
                    || (SchemaBody.isSchema(body)
                            && new NaiveSchema((MapValue) body)
                                    .violations(each.getValue().get("data"))
                                    .isEmpty());
            if (!isFit) {
                throw Trouble.of(ProblemCode.INVALID_DOCUMENT_FORMAT, ".data", rendered(key))
                        .exception();
            }
        }
    }

    private Value readIfThere(DocumentKey key, List<Object> used, boolean[] encrypted) throws TroubleException {
        if (rendered(key) == null) {
            used.add("no " + key);
            return null;
        }
        return read(key, ".", used, encrypted);
    }

    private DocumentId rendered(DocumentKey key) {
        return documents.keySet().stream()
                .filter(each -> each.key().equals(key) && links.isRendered(each))
                .findFirst()
                .orElse(null);
    }

    private static MapValue document(DocumentId owner, DocumentKey key, Value data) {
        Map<String, Value> metadata = new LinkedHashMap<>();
        metadata.put("schema", new Text("metadata/Document/v1"));
        metadata.put("name", new Text(key.name()));
        metadata.put("storagePolicy", new Text(data.isSecret() ? "encrypted" : "cleartext"));
        metadata.put("layeringDefinition", MapValue.of("layer", new Text(owner.layer())));
        Map<String, Value> tree = new LinkedHashMap<>();
        tree.put("schema", new Text(key.schema()));
        tree.put("metadata", MapValue.of(metadata));
        tree.put("data", data);
        return MapValue.of(tree);
    }

    private Value gathered(MapValue data, List<Object> used, boolean[] encrypted) throws TroubleException {
        List<String> names = names(data);
        used.add(names);
        List<Value> list = new ArrayList<>();
        Map<String, Value> map = new LinkedHashMap<>();
        boolean asMap = new Text("map").equals(data.get("as"));
        boolean areKeysSecret = false;
        for (String name : names) {
            DocumentKey key = new DocumentKey(text(data.get("schema")), name);
            Value value = read(key, data.has("path") ? text(data.get("path")) : ".", used, encrypted);
            if (value == null || value instanceof Null) {
                continue;
            }
            list.add(value);
            String at = name;
            if (asMap && data.has("key")) {
                Value named = read(key, text(data.get("key")), used, encrypted);
                at = keyText(named);
                areKeysSecret |= named.isSecret();
            }
            if (asMap && map.put(at, value) != null) {
                throw Trouble.of(ProblemCode.DERIVATION_FAILED, ".data.key").exception();
            }
        }
        MapValue gathered = MapValue.of(map);
        return asMap ? (areKeysSecret ? gathered.closed() : gathered) : ListValue.of(list);
    }

    private static String keyText(Value key) throws TroubleException {
        if (key instanceof Text text) {
            return text.value();
        }
        if (key instanceof Num || key instanceof Bool) {
            return written(key);
        }
        throw Trouble.of(ProblemCode.DERIVATION_FAILED, ".data.key").exception();
    }

    private List<String> names(MapValue data) {
        Set<String> names = new TreeSet<>();
        documents.forEach((id, document) -> {
            boolean carries = !(data.get("labels") instanceof MapValue labels)
                    || labels.keys().stream()
                            .allMatch(label ->
                                    labels.get(label).equals(document.labels().get(label)));
            if (id.schema().equals(text(data.get("schema"))) && links.isRendered(id) && carries) {
                names.add(id.name());
            }
        });
        return List.copyOf(names);
    }

    private Value read(DocumentKey key, String path, List<Object> used, boolean[] encrypted) throws TroubleException {
        DocumentId id = rendered(key);
        Outcome outcome = outcomes.get(id);
        if (outcome.isInTrouble()) {
            Trouble passed = outcome.trouble().passedOnBy(id);
            used.add(List.of(key, path, id, passed)); // the problem names the document that was read
            throw passed.exception();
        }
        try {
            Value value = Places.first(Path.of(path), outcome.data());
            used.add(List.of(key, path, value == null ? "nothing" : List.of(marked(value))));
            encrypted[0] |= value != null && Secrets.isIn(value);
            return value;
        } catch (PathSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Value value) {
        return ((Text) value).value();
    }

    private static Object marked(Value value) {
        return List.of(written(value), Secrets.marks(value));
    }

    private static String written(Value value) {
        return JsonBytes.text(value);
    }

    /** The place of the first mistake in the data of a collection; null if there is none. */
    static String mistake(Value data) {
        if (!(data instanceof MapValue map)) {
            return ".data";
        }
        Set<String> known = Set.of("schema", "labels", "path", "as", "key", "into");
        for (String key : map.keys()) {
            if (!known.contains(key)) {
                return ".data." + key;
            }
        }
        if (!isSchema(map.get("schema"))) {
            return ".data.schema";
        }
        if (map.has("labels")
                && (!(map.get("labels") instanceof MapValue labels)
                        || labels.isEmpty()
                        || labels.keys().stream().anyMatch(label -> labels.get(label) instanceof Null))) {
            return ".data.labels";
        }
        boolean asMap = new Text("map").equals(map.get("as"));
        if (map.has("as") && !asMap && !new Text("list").equals(map.get("as"))) {
            return ".data.as";
        }
        if (map.has("key") && !asMap) {
            return ".data.key";
        }
        for (String key : List.of("path", "key")) {
            if (map.has(key) && !isPath(map.get(key))) {
                return ".data." + key;
            }
        }
        return intoMistake(map.get("into"));
    }

    private static String intoMistake(Value value) {
        if (!(value instanceof MapValue into) || !Set.copyOf(into.keys()).equals(Set.of("schema", "name"))) {
            return ".data.into";
        }
        if (!isSchema(into.get("schema"))) {
            return ".data.into.schema";
        }
        if (!(into.get("name") instanceof Text name) || name.value().isEmpty()) {
            return ".data.into.name";
        }
        return text(into.get("schema")).matches("(deckhand|strake)/.*|heat/Stack/v1") ? ".data.into.schema" : null;
    }

    private static boolean isSchema(Value value) {
        return value instanceof Text text && PlainDocument.isSchemaName(text.value());
    }

    private static boolean isPath(Value value) {
        try {
            return value instanceof Text text && Path.of(text.value()) != null;
        } catch (PathSyntaxException e) {
            return false;
        }
    }
}
