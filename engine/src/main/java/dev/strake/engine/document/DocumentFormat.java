package dev.strake.engine.document;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The format that every published document must have: Deckhand's base schema, its metadata schemas and the schemas of
 * its control documents. JSON Schemas would be slower, and these checks run for each document of each change. Their
 * messages also tell the author what to do.
 *
 * <p>Stricter than Deckhand in one place: unknown keys at the top level are rejected. Deckhand only intends to do so.
 */
final class DocumentFormat {

    private final List<Problem> problems = new ArrayList<>();
    private final DocumentId id;
    private final boolean asDeckhand;

    private DocumentFormat(DocumentId id, boolean asDeckhand) {
        this.id = id;
        this.asDeckhand = asDeckhand;
    }

    /** All problems with the format of a document with complete metadata; empty if the document is valid. */
    static List<Problem> check(Value tree) {
        return check(tree, false);
    }

    /** As {@link #check}, by Deckhand's rules for names of schemas. */
    static List<Problem> checkAsDeckhand(Value tree) {
        return check(tree, true);
    }

    private static List<Problem> check(Value tree, boolean asDeckhand) {
        if (!(tree instanceof MapValue document)) {
            return List.of(Problem.of(
                    ProblemCode.INVALID_DOCUMENT_FORMAT,
                    "a document has to be a mapping with the keys schema, metadata and data, but this is "
                            + tree.kindWithArticle(),
                    null));
        }
        if (Document.isKubernetesObject(document) && !document.has("schema")) {
            return List.of(Problem.of(
                    ProblemCode.INVALID_DOCUMENT_FORMAT,
                    "this is a Kubernetes object with apiVersion and kind, but a document has schema, metadata and data",
                    "remove it, or make it the data of a document"));
        }
        DocumentFormat format = new DocumentFormat(bestGuess(document), asDeckhand);
        format.checkDocument(document);
        return format.problems;
    }

    /* The identity for messages; parts that are missing or of the wrong kind stay empty. */
    private static DocumentId bestGuess(MapValue document) {
        MapValue metadata = document.map("metadata");
        String layer = metadata.map("layeringDefinition").text("layer");
        return new DocumentId(shown(document.text("schema")), shown(layer), shown(metadata.text("name")));
    }

    private static String shown(String part) {
        return part.length() > DocumentId.LONGEST_PART ? Problem.cut(part, 64) : part;
    }

    private void checkDocument(MapValue document) {
        closed(document, "", Set.of("schema", "metadata", "data"));
        String schema = requiredText(document, "", "schema");
        limited(schema, ".schema");
        if (schema != null && asDeckhand && !Kind.isDeckhandSchemaName(schema)) {
            add(".schema", "has to have the form namespace/Kind/vN, with only letters in the first two parts", null);
        } else if (schema != null && !Kind.isSchemaName(schema)) {
            add(".schema", "has to have the form namespace/Kind/vN", Kind.SCHEMA_NAME_RULE);
        }
        MapValue metadata = requiredMap(document, "", "metadata");
        if (metadata == null) {
            return;
        }
        String kind = requiredText(metadata, ".metadata", "schema");
        String name = requiredText(metadata, ".metadata", "name");
        limited(name, ".metadata.name");
        if (LeftOut.DOCUMENT.equals(kind)) {
            checkDocumentMetadata(metadata);
        } else if (LeftOut.CONTROL.equals(kind)) {
            checkControlMetadata(metadata);
        } else if (kind != null) {
            add(".metadata.schema", "is an unknown metadata schema", "use metadata/Document/v1 or metadata/Control/v1");
        }
        if (schema != null) {
            checkControlData(schema, name, document);
        }
    }

    private void checkDocumentMetadata(MapValue metadata) {
        closed(
                metadata,
                ".metadata",
                Set.of(
                        "schema",
                        "name",
                        StoragePolicy.KEY,
                        "labels",
                        "layeringDefinition",
                        "replacement",
                        "substitutions"));
        if (!metadata.has(StoragePolicy.KEY)) {
            add(".metadata.storagePolicy", "is missing", "use cleartext, or encrypted for a secret");
        }
        checkStoragePolicy(metadata);
        optional(metadata, ".metadata", "labels", MapValue.class, "a mapping");
        optional(metadata, ".metadata", "replacement", Bool.class, "a boolean");
        MapValue layering = requiredMap(metadata, ".metadata", "layeringDefinition");
        if (layering != null) {
            checkLayering(layering, ".metadata.layeringDefinition");
        }
        ListValue substitutions = optional(metadata, ".metadata", "substitutions", ListValue.class, "a list");
        each(substitutions, ".metadata.substitutions", this::checkSubstitution);
    }

    private void checkControlMetadata(MapValue metadata) {
        if (metadata.get("layeringDefinition") instanceof MapValue layering
                && layering.get("layer") instanceof Text layer) {
            limited(layer.value(), ".metadata.layeringDefinition.layer");
        }
        checkStoragePolicy(metadata);
        MapValue labels = optional(metadata, ".metadata", "labels", MapValue.class, "a mapping");
        if (labels != null) {
            labels.forEach((key, value) -> {
                if (!(value instanceof Text)) {
                    add(
                            ".metadata.labels." + key,
                            "has to be text in a control document, but is " + value.kindWithArticle(),
                            null);
                }
            });
        }
    }

    private void checkStoragePolicy(MapValue metadata) {
        if (metadata.has(StoragePolicy.KEY) && !StoragePolicy.isOne(metadata.get(StoragePolicy.KEY))) {
            add(".metadata.storagePolicy", "has to be cleartext or encrypted", null);
        }
    }

    private void checkLayering(MapValue layering, String at) {
        closed(layering, at, Set.of("layer", "abstract", "parentSelector", "actions"));
        limited(requiredText(layering, at, "layer"), at + ".layer");
        optional(layering, at, "abstract", Bool.class, "a boolean");
        MapValue selector = optional(layering, at, "parentSelector", MapValue.class, "a mapping");
        if (selector != null && selector.isEmpty()) {
            add(at + ".parentSelector", "needs at least one label", null);
        }
        ListValue actions = optional(layering, at, "actions", ListValue.class, "a list");
        if (actions != null && actions.size() == 0) {
            add(at + ".actions", "needs at least one action", null);
        }
        if (layering.has("parentSelector") != layering.has("actions")) {
            add(at, "has only one of parentSelector and actions", "a child needs both");
        }
        each(actions, at + ".actions", this::checkAction);
    }

    private void checkAction(Value item, String at) {
        if (!(item instanceof MapValue action)) {
            add(at, "has to be a mapping with method and path, but is " + item.kindWithArticle(), null);
            return;
        }
        closed(action, at, Set.of("method", "path"));
        String method = requiredText(action, at, "method");
        if (method != null && !Set.of("merge", "replace", "delete").contains(method)) {
            add(at + ".method", "is an unknown method", "use merge, replace or delete");
        }
        requiredText(action, at, "path");
    }

    private void checkSubstitution(Value item, String at) {
        if (!(item instanceof MapValue substitution)) {
            add(at, "has to be a mapping with src and dest, but is " + item.kindWithArticle(), null);
            return;
        }
        closed(substitution, at, Set.of("src", "dest"));
        MapValue src = requiredMap(substitution, at, "src");
        if (src != null) {
            String srcAt = at + ".src";
            closed(src, srcAt, Set.of("schema", "name", "path", "pattern", "match_group", "deepcopy"));
            List.of("schema", "name", "path").forEach(key -> requiredText(src, srcAt, key));
            optional(src, srcAt, "pattern", Text.class, "text");
            optionalInteger(src, srcAt, "match_group");
            optional(src, srcAt, "deepcopy", Bool.class, "a boolean");
        }
        Value dest = substitution.get("dest");
        if (dest instanceof ListValue several) {
            if (several.size() == 0) {
                add(at + ".dest", "needs at least one destination", null);
            }
            each(several, at + ".dest", this::checkDestination);
        } else if (dest == null) {
            add(at + ".dest", "is missing", null);
        } else {
            checkDestination(dest, at + ".dest");
        }
    }

    private void checkDestination(Value item, String at) {
        if (!(item instanceof MapValue dest)) {
            add(at, "has to be a mapping with a path, but is " + item.kindWithArticle(), null);
            return;
        }
        closed(dest, at, Set.of("path", "pattern", "recurse"));
        requiredText(dest, at, "path");
        optional(dest, at, "pattern", Text.class, "text");
        MapValue recurse = optional(dest, at, "recurse", MapValue.class, "a mapping");
        if (recurse != null) {
            closed(recurse, at + ".recurse", Set.of("depth"));
            if (!recurse.has("depth")) {
                add(at + ".recurse.depth", "is missing", "use -1 for any depth");
            }
            Num depth = optionalInteger(recurse, at + ".recurse", "depth");
            if (depth != null && depth.nearestInt() < -1) {
                add(at + ".recurse.depth", "has to be -1 or more", null);
            }
        }
    }

    /* Checks documents with Deckhand's own control schemas. Secrets are checked after they are rendered. */
    private void checkControlData(String schema, String name, MapValue document) {
        Value data = document.get("data");
        if (StoragePolicy.isSealed(document)) {
            if (Kind.isPolicy(schema)) {
                add(
                        ".data",
                        "is sealed, and nothing renders without known layers",
                        "publish the layering policy as cleartext, or use 'strake plan --url URL': the service decrypts it");
            }
        } else if (Kind.isPolicy(schema)) {
            if (data instanceof MapValue policy) {
                closed(policy, ".data", Set.of("layerOrder"));
                checkLayerOrder(policy);
            } else {
                add(".data", "has to be a mapping with layerOrder", null);
            }
        } else if (schema.startsWith(Kind.ANY_DATA_SCHEMA)) {
            // Authors also keep plain text in DataSchemas. In Deckhand, only those named like a schema govern others.
            boolean governs = name != null && Kind.isDeckhandSchemaName(name);
            if (governs && data != null && !(data instanceof MapValue)) {
                add(".data", "has to be a mapping with a JSON Schema", null);
            }
        } else if (schema.startsWith(Kind.ANY_VALIDATION_POLICY)) {
            checkValidationPolicy(data);
        }
    }

    private void checkValidationPolicy(Value data) {
        if (!(data instanceof MapValue policy) || !(policy.get("validations") instanceof ListValue validations)) {
            add(".data.validations", "is missing or not a list", null);
            return;
        }
        closed(policy, ".data", Set.of("validations"));
        each(validations, ".data.validations", (item, at) -> {
            if (item instanceof MapValue validation) {
                closed(validation, at, Set.of("name", "expiresAfter"));
                requiredText(validation, at, "name");
                optional(validation, at, "expiresAfter", Text.class, "text");
            } else {
                add(at, "has to be a mapping with a name", null);
            }
        });
    }

    private void checkLayerOrder(MapValue policy) {
        if (!(policy.get("layerOrder") instanceof ListValue layers)) {
            add(".data.layerOrder", "is missing or not a list", "list the layers, the most general one first");
            return;
        }
        each(layers, ".data.layerOrder", (layer, at) -> {
            if (!(layer instanceof Text)) {
                add(at, "has to be text, but is " + layer.kindWithArticle(), null);
            }
        });
    }

    /* Checks each item of a list, with its place. Does nothing if the list is null. */
    private static void each(ListValue list, String at, BiConsumer<Value, String> check) {
        for (int i = 0; list != null && i < list.size(); i++) {
            check.accept(list.get(i), at + "[" + i + "]");
        }
    }

    private void closed(MapValue map, String at, Set<String> known) {
        for (String key : map.keys()) {
            if (!known.contains(key)) {
                add(
                        at + "." + key,
                        "is an unknown key",
                        "known keys: "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        }
    }

    private void limited(String name, String at) {
        if (name != null && name.length() > DocumentId.LONGEST_PART) {
            add(at, "is longer than " + DocumentId.LONGEST_PART + " characters", "shorten it");
        }
    }

    private String requiredText(MapValue map, String at, String key) {
        Text text = required(map, at, key, Text.class, "text");
        return text == null ? null : text.value();
    }

    private MapValue requiredMap(MapValue map, String at, String key) {
        return required(map, at, key, MapValue.class, "a mapping");
    }

    private <T extends Value> T required(MapValue map, String at, String key, Class<T> type, String name) {
        if (!map.has(key)) {
            add(at + "." + key, "is missing", null);
        }
        return optional(map, at, key, type, name);
    }

    private <T extends Value> T optional(MapValue map, String at, String key, Class<T> type, String name) {
        Value value = map.get(key);
        if (value != null && !type.isInstance(value)) {
            add(at + "." + key, "has to be " + name + ", but is " + value.kindWithArticle(), null);
            return null;
        }
        return type.cast(value);
    }

    private Num optionalInteger(MapValue map, String at, String key) {
        Num num = optional(map, at, key, Num.class, "an integer");
        if (num != null && !num.isInteger()) {
            add(at + "." + key, "has to be an integer, but has a fraction or exponent", null);
            return null;
        }
        return num;
    }

    private void add(String path, String message, String hint) {
        problems.add(Problem.of(ProblemCode.INVALID_DOCUMENT_FORMAT, id, message, hint)
                .at(path));
    }
}
