package dev.strake.engine.oracle;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who stands where to whom in a set of documents, worked out by comparing everything with everything: slow, and short
 * enough to be read next to the description of Deckhand. Nothing here is shared with the engine's graph.
 */
final class Links {

    private static final String DATA_SCHEMA = "deckhand/DataSchema/v1";

    private final Map<DocumentId, Document> documents;
    private final List<String> layers;
    private final Map<DocumentId, DocumentId> parents = new TreeMap<>();
    private final Map<DocumentId, ProblemCode> parentProblems = new TreeMap<>();
    /** Asked for again and again by the search for cycles; the documents never change. */
    private final Map<DocumentId, Set<DocumentId>> operators = new TreeMap<>();

    Links(Map<DocumentId, Document> documents) {
        this.documents = documents;
        this.layers = layerOrder();
        if (layers != null) {
            documents.keySet().forEach(this::chooseParent);
        }
    }

    /** The layers, the most general one first; null without a policy. */
    List<String> layers() {
        return layers;
    }

    private List<String> layerOrder() {
        for (Document document : documents.values()) {
            if (document.id().schema().startsWith("deckhand/LayeringPolicy/")) {
                ListValue order = (ListValue) ((MapValue) document.data()).get("layerOrder");
                return order.items().stream()
                        .map(layer -> ((Text) layer).value())
                        .toList();
            }
        }
        return null;
    }

    /** All documents, the child aside, that its selector chooses, whether they may be its parent or not. */
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
            } else if (label != null || selector.get(key) != Null.NULL) {
                return false;
            }
        }
        return carriesOne;
    }

    private void chooseParent(DocumentId child) {
        int own = layers.indexOf(child.layer());
        List<DocumentId> chosen = new ArrayList<>();
        for (DocumentId id : chosenBy(child)) {
            int layer = layers.indexOf(id.layer());
            if (layer < 0) {
                continue;
            }
            if (own < 0 || layer >= own || !id.schema().equals(child.schema())) {
                parentProblems.put(child, ProblemCode.INVALID_DOCUMENT_PARENT);
                return;
            }
            chosen.add(id);
        }
        chosen.sort(Comparator.comparing(id -> -layers.indexOf(id.layer())));
        if (chosen.size() > 1 && chosen.get(0).layer().equals(chosen.get(1).layer())) {
            parentProblems.put(child, ProblemCode.INDETERMINATE_DOCUMENT_PARENT);
        } else if (!chosen.isEmpty()) {
            parents.put(child, chosen.get(0));
        }
    }

    /** The parent; null if there is none, or the choice is a mistake. */
    DocumentId parent(DocumentId id) {
        return parents.get(id);
    }

    /** What is wrong with the choice of a parent, or null. */
    ProblemCode parentProblem(DocumentId id) {
        return parentProblems.get(id);
    }

    /** Who claims the place of a document. */
    List<DocumentId> replacements(DocumentId id) {
        return documents.keySet().stream()
                .filter(other -> id.equals(parent(other))
                        && documents.get(other).isReplacement()
                        && other.key().equals(id.key()))
                .toList();
    }

    /** Whether a document counts as it is. */
    boolean isInForce(DocumentId id) {
        return !documents.get(id).isAbstract() && replacements(id).isEmpty();
    }

    /** Whether a document belongs to the result, if all goes well. */
    boolean isRendered(DocumentId id) {
        return isInForce(id) && !isOperations(id);
    }

    /** Who is read in a document's place, unless it is the reader itself who stands there. */
    private DocumentId standIn(DocumentId id, DocumentId reader) {
        List<DocumentId> replacements = replacements(id);
        return replacements.isEmpty() || replacements.get(0).equals(reader) ? id : standIn(replacements.get(0), reader);
    }

    /** On whose data a child layers; null if it has no parent. */
    DocumentId base(DocumentId child) {
        DocumentId parent = parent(child);
        return parent == null ? null : standIn(parent, child);
    }

    /** What a reference by schema and name means; null if it means nothing. */
    DocumentId source(DocumentKey key) {
        return withKey(key).stream()
                .filter(id -> !documents.get(id).isAbstract())
                .min(Comparator.comparing(id -> documents.get(id).isReplacement()))
                .map(id -> standIn(id, null))
                .orElse(null);
    }

    List<DocumentId> withKey(DocumentKey key) {
        return documents.keySet().stream().filter(id -> id.key().equals(key)).toList();
    }

    /** The DataSchema that governs the documents of a schema; null if none does. */
    DocumentId governor(String schema) {
        DocumentId found = source(new DocumentKey(DATA_SCHEMA, schema));
        return found != null && governs(found) ? found : null;
    }

    /** Whether a document is a DataSchema that can govern others. */
    boolean governs(DocumentId id) {
        return id.schema().equals(DATA_SCHEMA)
                && documents.get(id).isControl()
                && !id.name().startsWith("deckhand/")
                && id.name().matches("[A-Za-z]+/[A-Za-z]+/v[0-9]+");
    }

    private boolean isOperations(DocumentId id) {
        return id.schema().equals(OperationsDocument.SCHEMA)
                && !documents.get(id).isControl();
    }

    /** What a document with operations is meant for, by its own word or by that of what it layers on; null if nothing. */
    Target target(DocumentId id) {
        Target own = Target.of(documents.get(id).data());
        return own != null || base(id) == null ? own : target(base(id));
    }

    /** The documents whose operations are applied to a document. */
    Set<DocumentId> operators(DocumentId id) {
        Set<DocumentId> known = operators.get(id);
        if (known == null) {
            known = findOperators(id);
            operators.put(id, known);
        }
        return known;
    }

    private Set<DocumentId> findOperators(DocumentId id) {
        Set<DocumentId> result = new TreeSet<>();
        if (documents.get(id).isControl() || !replacements(id).isEmpty()) {
            return result;
        }
        for (DocumentId other : documents.keySet()) {
            Target target = isOperations(other) && isInForce(other) ? target(other) : null;
            if (target != null && target.schema().equals(id.schema())) {
                MapValue labels = documents.get(id).labels();
                if (target.name() == null
                        ? matches(target.labels(), labels)
                        : target.name().equals(id.name())) {
                    result.add(other);
                }
            }
        }
        return result;
    }

    /** The documents whose rendering a document's own rendering reads, directly. */
    Set<DocumentId> reads(DocumentId id) {
        Stream<DocumentId> sources = documents.get(id).substitutions().stream()
                .map(substitution -> source(substitution.source().document()));
        Stream<DocumentId> others = isInForce(id) ? Stream.of(base(id), governor(id.schema())) : Stream.of(base(id));
        return Stream.concat(Stream.concat(others, sources), operators(id).stream())
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Every document whose being there, or being as it is, can make a difference to another one: much more than it
     * reads, because it includes who competes for a name, a place or a child.
     */
    Set<DocumentId> heeds(DocumentId id) {
        Set<DocumentId> result = new TreeSet<>(reads(id));
        result.addAll(chosenBy(id));
        result.addAll(withKey(id.key()));
        result.addAll(withKey(new DocumentKey(DATA_SCHEMA, id.schema())));
        for (Substitution substitution : documents.get(id).substitutions()) {
            result.addAll(withKey(substitution.source().document()));
        }
        for (DocumentId other : documents.keySet()) {
            boolean sibling = parent(other) != null && parent(other).equals(parent(id));
            if (isOperations(other)) {
                result.add(other);
            }
            if (documents.get(other).isReplacement() && (sibling || id.equals(parent(other)))) {
                result.add(other);
            }
        }
        return result;
    }
}
