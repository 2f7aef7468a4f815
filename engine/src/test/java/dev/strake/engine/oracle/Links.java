package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.oracle.PlainDocument.Substitution;
import dev.strake.engine.oracle.PlainDocument.Target;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The links between the documents of a set, found by comparing every document with every other: slow, and short enough
 * to compare with the description of Deckhand. Shares nothing with the graph of the engine.
 */
final class Links {

    static final String DATA_SCHEMA = "deckhand/DataSchema/v1";

    private static final String SELECTOR = ".metadata.layeringDefinition.parentSelector";

    private final Map<DocumentId, PlainDocument> documents;
    private final List<String> layers;
    private final Map<DocumentId, DocumentId> parents = new TreeMap<>();
    private final Map<DocumentId, Trouble> parentTroubles = new TreeMap<>();
    private final Map<DocumentId, List<DocumentId>> replacements = new TreeMap<>();
    private final Map<DocumentKey, List<DocumentId>> byKey = new HashMap<>();
    /** Cached for the cycle search, because the documents never change. */
    private final Map<DocumentId, Set<DocumentId>> operators = new TreeMap<>();

    private final Map<DocumentId, Set<DocumentId>> reads = new TreeMap<>();

    Links(Map<DocumentId, PlainDocument> documents) {
        this.documents = documents;
        this.layers = layerOrder();
        documents
                .keySet()
                .forEach(id -> byKey.computeIfAbsent(id.key(), key -> new ArrayList<>())
                        .add(id));
        if (layers != null) {
            documents.keySet().forEach(this::chooseParent);
        }
        parents.forEach((child, parent) -> {
            if (documents.get(child).replacement() && parent.key().equals(child.key())) {
                replacements.computeIfAbsent(parent, key -> new ArrayList<>()).add(child);
            }
        });
        replacements
                .values()
                .forEach(claims -> claims.sort(Comparator.comparingInt((DocumentId id) -> layers.indexOf(id.layer()))
                        .reversed()));
    }

    /** The layers, the most general one first; null without a policy. */
    List<String> layers() {
        return layers;
    }

    private List<String> layerOrder() {
        for (PlainDocument document : documents.values()) {
            if (document.id().schema().startsWith("deckhand/LayeringPolicy/")) {
                ListValue order = (ListValue) ((MapValue) document.data()).get("layerOrder");
                return order.items().stream()
                        .map(layer -> ((Text) layer).value())
                        .toList();
            }
        }
        return null;
    }

    /** Returns all other documents that the selector of a child matches, including invalid parents. */
    Set<DocumentId> chosenBy(DocumentId child) {
        Set<DocumentId> result = new TreeSet<>();
        MapValue selector = documents.get(child).selector();
        documents.forEach((id, document) -> {
            if (!id.equals(child) && matches(selector, document.labels())) {
                result.add(id);
            }
        });
        return result;
    }

    private static boolean matches(MapValue selector, MapValue labels) {
        boolean carriesOne = false;
        for (String key : selector.keys()) {
            Value label = labels.get(key);
            if (selector.get(key).equals(label)) {
                carriesOne = true;
            } else if (label != null || !(selector.get(key) instanceof Null)) {
                return false;
            }
        }
        return carriesOne;
    }

    /* If the first match in order of identity is an invalid parent, the choice is a mistake. */
    private void chooseParent(DocumentId child) {
        int own = layers.indexOf(child.layer());
        List<DocumentId> chosen = new ArrayList<>();
        for (DocumentId id : chosenBy(child)) {
            int layer = layers.indexOf(id.layer());
            if (layer < 0) {
                continue;
            }
            if (own < 0 || layer >= own || !id.schema().equals(child.schema())) {
                parentTroubles.put(child, Trouble.of(ProblemCode.INVALID_DOCUMENT_PARENT, SELECTOR, id));
                return;
            }
            chosen.add(id);
        }
        int nearest =
                chosen.stream().mapToInt(id -> layers.indexOf(id.layer())).max().orElse(-1);
        chosen.removeIf(id -> layers.indexOf(id.layer()) < nearest);
        if (chosen.size() > 1) {
            parentTroubles.put(child, Trouble.of(ProblemCode.INDETERMINATE_DOCUMENT_PARENT, SELECTOR, chosen));
        } else if (!chosen.isEmpty()) {
            parents.put(child, chosen.get(0));
        }
    }

    /** The parent; null if there is none, or if the choice is a mistake. */
    DocumentId parent(DocumentId id) {
        return parents.get(id);
    }

    /** The problem of the choice of a parent; null if there is none. */
    Trouble parentTrouble(DocumentId id) {
        return parentTroubles.get(id);
    }

    /** Documents that claim the place of a document, the lowest layer first. The first one gets the place. */
    private List<DocumentId> replacements(DocumentId id) {
        return replacements.getOrDefault(id, List.of());
    }

    /** Whether a document claims a place that another document gets. */
    private boolean comesTooLate(DocumentId id) {
        DocumentId parent = parent(id);
        return parent != null
                && replacements(parent).contains(id)
                && (!replacements(parent).get(0).equals(id) || comesTooLate(parent));
    }

    /** Whether a document is in force. */
    boolean isInForce(DocumentId id) {
        return !documents.get(id).isAbstract() && replacements(id).isEmpty() && !comesTooLate(id);
    }

    /** Whether a document is in the result, if it has no problem. */
    boolean isRendered(DocumentId id) {
        PlainDocument document = documents.get(id);
        return isInForce(id) && !document.isOperations() && !document.derives();
    }

    /** Returns the document that is read in place of another one, unless the reader itself claims that place. */
    private DocumentId standIn(DocumentId id, DocumentId reader) {
        List<DocumentId> claims = replacements(id);
        return claims.isEmpty() || claims.contains(reader) ? id : standIn(claims.get(0), reader);
    }

    /** The document whose data a child layers on; null if the child has no parent. */
    DocumentId base(DocumentId child) {
        DocumentId parent = parent(child);
        return parent == null ? null : standIn(parent, child);
    }

    /** Resolves a reference by schema and name; null if it does not resolve. */
    DocumentId source(DocumentKey key) {
        return withKey(key).stream()
                .filter(id -> !documents.get(id).isAbstract() && !comesTooLate(id))
                .min(Comparator.comparing(id -> documents.get(id).replacement()))
                .map(id -> standIn(id, null))
                .orElse(null);
    }

    /** All documents of a schema and name, in order of identity. */
    List<DocumentId> withKey(DocumentKey key) {
        return byKey.getOrDefault(key, List.of());
    }

    /** The DataSchema for the data of a document; null if there is none, or if it does not apply. */
    DocumentId governor(DocumentId id) {
        DocumentId found = isInForce(id) ? source(new DocumentKey(DATA_SCHEMA, id.schema())) : null;
        return found != null && documents.get(found).governs() ? found : null;
    }

    /** The target of a document with operations, from the document or from its base; null if there is none. */
    Target target(DocumentId id) {
        Target own = documents.get(id).target();
        return own != null || base(id) == null ? own : target(base(id));
    }

    /** The documents whose operations are applied to a document, in order of identity. */
    Set<DocumentId> operators(DocumentId id) {
        return remembered(operators, id, this::findOperators);
    }

    private Set<DocumentId> findOperators(DocumentId id) {
        Set<DocumentId> result = new TreeSet<>();
        if (documents.get(id).control() || !replacements(id).isEmpty() || comesTooLate(id)) {
            return result;
        }
        documents.forEach((other, document) -> {
            Target target = document.isOperations() && isInForce(other) ? target(other) : null;
            if (target != null && target.schema().equals(id.schema())) {
                MapValue labels = documents.get(id).labels();
                if (target.name() == null
                        ? matches(target.labels(), labels)
                        : target.name().equals(id.name())) {
                    result.add(other);
                }
            }
        });
        return result;
    }

    /** The documents that a document substitutes from, in order of first mention; null for each missing one. */
    List<DocumentId> sources(DocumentId id) {
        List<DocumentId> result = new ArrayList<>();
        documents.get(id).substitutions().stream()
                .map(Substitution::source)
                .distinct()
                .forEach(key -> result.add(source(key)));
        return result;
    }

    /** The encrypted documents, and those made from them, directly or indirectly. */
    Set<DocumentId> secrets() {
        Set<DocumentId> result = new TreeSet<>();
        for (int before = -1; before < result.size(); ) {
            before = result.size();
            documents.forEach((id, document) -> {
                boolean isMadeOfSecret = result.contains(base(id) == null ? id : base(id))
                        || sources(id).stream().anyMatch(source -> source != null && result.contains(source))
                        || operators(id).stream().anyMatch(result::contains);
                if (document.isEncrypted() || isMadeOfSecret) {
                    result.add(id);
                }
            });
        }
        return result;
    }

    /** The documents whose rendering is a direct input of a document's rendering. */
    Set<DocumentId> reads(DocumentId id) {
        return remembered(reads, id, this::findReads);
    }

    private Set<DocumentId> findReads(DocumentId id) {
        Stream<DocumentId> others = Stream.of(base(id), governor(id));
        return Stream.concat(Stream.concat(others, sources(id).stream()), operators(id).stream())
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<DocumentId> remembered(
            Map<DocumentId, Set<DocumentId>> known, DocumentId id, Function<DocumentId, Set<DocumentId>> find) {
        Set<DocumentId> result = known.get(id);
        if (result == null) {
            result = find.apply(id);
            known.put(id, result);
        }
        return result;
    }

    /**
     * Every document whose existence or content may directly affect another one. Includes much more than its inputs:
     * all competitors for a name, a place or a child.
     */
    Set<DocumentId> heeds(DocumentId id) {
        Set<DocumentId> result = new TreeSet<>(reads(id));
        result.addAll(chosenBy(id));
        result.addAll(withKey(id.key()));
        result.addAll(withKey(new DocumentKey(DATA_SCHEMA, id.schema())));
        for (Substitution substitution : documents.get(id).substitutions()) {
            result.addAll(withKey(substitution.source()));
        }
        documents.forEach((other, document) -> {
            boolean sibling = parent(other) != null && parent(other).equals(parent(id));
            if (document.isOperations() || (document.replacement() && (sibling || id.equals(parent(other))))) {
                result.add(other);
            }
        });
        return result;
    }
}
