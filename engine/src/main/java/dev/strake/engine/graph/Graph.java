package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * The layer graph of one revision: immutable, and cheap to derive the next one from.
 *
 * <p>Edges are not stored twice. A document's dependencies follow from its decision and its references, its
 * dependents from the indexes; both answer by looking up who stands for whom now, so an edge to a document that does
 * not exist yet, or that a replacement takes over, needs no bookkeeping of its own.
 */
public final class Graph {

    public static final Graph EMPTY = new Graph(
            PersistentHashMap.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            Index.empty(),
            PersistentHashMap.empty());

    final PersistentHashMap<DocumentId, Node> nodes;
    final Index<DocumentKey, DocumentId> byKey;
    final Index<DocumentKey, DocumentId> readers;
    final Index<Label, DocumentId> carriers;
    /** Selectors by a label which every match of them must carry. */
    final Index<Label, MapValue> selectors;

    final Index<MapValue, DocumentId> seekers;
    final Index<DocumentId, DocumentId> children;
    final Index<DocumentId, DocumentId> replacements;
    final Index<String, DocumentId> bySchema;
    final Index<String, DocumentId> byBucket;
    final Index<DocumentKey, DocumentId> operatorsByKey;
    /** By one of the labels that a target must carry. */
    final Index<Label, DocumentId> operatorsByLabel;

    final PersistentHashMap<DocumentId, List<String>> policies;
    private final List<String> layerOrder;

    Graph(
            PersistentHashMap<DocumentId, Node> nodes,
            Index<DocumentKey, DocumentId> byKey,
            Index<DocumentKey, DocumentId> readers,
            Index<Label, DocumentId> carriers,
            Index<Label, MapValue> selectors,
            Index<MapValue, DocumentId> seekers,
            Index<DocumentId, DocumentId> children,
            Index<DocumentId, DocumentId> replacements,
            Index<String, DocumentId> bySchema,
            Index<String, DocumentId> byBucket,
            Index<DocumentKey, DocumentId> operatorsByKey,
            Index<Label, DocumentId> operatorsByLabel,
            PersistentHashMap<DocumentId, List<String>> policies) {
        this.nodes = nodes;
        this.byKey = byKey;
        this.readers = readers;
        this.carriers = carriers;
        this.selectors = selectors;
        this.seekers = seekers;
        this.children = children;
        this.replacements = replacements;
        this.bySchema = bySchema;
        this.byBucket = byBucket;
        this.operatorsByKey = operatorsByKey;
        this.operatorsByLabel = operatorsByLabel;
        this.policies = policies;
        this.layerOrder = layerOrder(policies);
    }

    /* Of several, until one of them is refused: that of the first. Asked at every change, and a key set would be built. */
    static List<String> layerOrder(PersistentHashMap<DocumentId, List<String>> policies) {
        Map.Entry<DocumentId, List<String>> first = null;
        for (Map.Entry<DocumentId, List<String>> each : policies) {
            if (first == null || each.getKey().compareTo(first.getKey()) < 0) {
                first = each;
            }
        }
        return first == null ? null : first.getValue();
    }

    public int size() {
        return nodes.size();
    }

    /** All documents, in no particular order. */
    public Collection<DocumentId> documents() {
        return new AbstractCollection<>() { // the map's own key set would be a copy
            @Override
            public Iterator<DocumentId> iterator() {
                return nodes.keyIterator();
            }

            @Override
            public int size() {
                return nodes.size();
            }
        };
    }

    /** The node of a document, or null if it is not in the workspace. */
    public Node node(DocumentId id) {
        return nodes.get(id);
    }

    /** The facts of a document, or null if it is not in the workspace. */
    public Facts facts(DocumentId id) {
        Node node = nodes.get(id);
        return node == null ? null : node.facts();
    }

    /** The documents that a bucket holds. */
    public Collection<DocumentId> bucket(String bucket) {
        return byBucket.get(bucket);
    }

    /** All documents with this schema and name, whatever their layers. */
    public Collection<DocumentId> withKey(DocumentKey key) {
        return byKey.get(key);
    }

    /** The documents that set the order of layers: none, or one (a second one is refused when it is published). */
    public Collection<DocumentId> policies() {
        return policies.keySet();
    }

    /** The layers, the most general one first; null without a layering policy. */
    public List<String> layerOrder() {
        return layerOrder;
    }

    Collection<DocumentId> carriers(Label label) {
        return carriers.get(label);
    }

    /** The labels under which matches of a selector are found: one they must all carry. */
    static List<Label> lookupLabels(MapValue selector) {
        List<Label> absentOnes = new ArrayList<>();
        for (int i = 0; i < selector.size(); i++) {
            Label label = new Label(selector.keyAt(i), selector.valueAt(i));
            if (selector.valueAt(i) != Null.NULL) {
                return List.of(label);
            }
            absentOnes.add(label);
        }
        return absentOnes;
    }

    /** The document whose parent decision this is about: what its selector chose, or null. */
    public DocumentId parent(DocumentId id) {
        return nodes.get(id).decision().parent();
    }

    /** The replacements of a document: none or one, unless the authors disagree. */
    public Collection<DocumentId> replacements(DocumentId id) {
        return replacements.get(id);
    }

    /** The document that takes the place of another, or null. */
    public DocumentId replacedBy(DocumentId id) {
        return least(replacements.get(id));
    }

    /** The document on whose data a child layers: its parent, or who takes the parent's place; null without parent. */
    public DocumentId base(DocumentId child) {
        DocumentId base = parent(child);
        while (base != null) {
            DocumentId replacement = replacedBy(base);
            if (replacement == null || replacement.equals(child)) {
                return base;
            }
            base = replacement;
        }
        return null;
    }

    /**
     * The document that a reference by schema and name means: concrete, in any layer, read through its replacement.
     * Null if there is none.
     */
    public DocumentId source(DocumentKey key) {
        DocumentId best = null;
        for (DocumentId id : byKey.get(key)) {
            if (!facts(id).isAbstract() && (best == null || comesFirst(id, best))) {
                best = id;
            }
        }
        for (DocumentId next = best; next != null; next = replacedBy(next)) {
            best = next;
        }
        return best;
    }

    /* An original before a replacement; otherwise any fixed order will do, because both are in trouble then. */
    private boolean comesFirst(DocumentId id, DocumentId other) {
        boolean replacement = facts(id).replacement();
        return replacement == facts(other).replacement() ? id.compareTo(other) < 0 : !replacement;
    }

    /** The DataSchema that governs the data of documents of a schema, or null. Built-in schemas are not governed. */
    public DocumentId governor(String schema) {
        DocumentId found = source(new DocumentKey(Facts.DATA_SCHEMA, schema));
        return found != null && facts(found).governs() ? found : null;
    }

    /** Whether a document counts as it is: a concrete one, whose place no other takes. */
    public boolean isInForce(DocumentId id) {
        return isInForce(facts(id));
    }

    private boolean isInForce(Facts document) {
        return !document.isAbstract() && replacements.get(document.id()).isEmpty();
    }

    /** Whether a document appears in the rendered set, if nothing is wrong with it. Operations show in their targets. */
    public boolean isRendered(Facts document) {
        return isInForce(document) && !document.isOperations();
    }

    /** The documents whose operations are applied to this one, in order of identity. */
    public Collection<DocumentId> operators(DocumentId id) {
        return operatorsByKey.isEmpty() && operatorsByLabel.isEmpty()
                ? List.of()
                : new OperationEdges(this).operators(id);
    }

    /** The documents that a document with operations changes. */
    public Collection<DocumentId> targets(DocumentId id) {
        return new OperationEdges(this).targets(id);
    }

    /** The target of a document with operations, its own or the one it inherits; null if there is none. */
    public Target target(DocumentId id) {
        return new OperationEdges(this).target(id);
    }

    /** Whether a document renders to its own data. */
    public boolean isPlain(DocumentId id) {
        return facts(id).plain() && operators(id).isEmpty();
    }

    /** Everything whose rendering reads this document's rendering directly; some may be named twice. */
    public void forEachDependent(DocumentId id, Consumer<DocumentId> action) {
        Facts facts = facts(id);
        forEachLayeredOn(id, action);
        if (id.equals(source(facts.key()))) {
            readers.get(facts.key()).forEach(action);
            if (facts.governs()) {
                bySchema.get(facts.id().name()).forEach(action);
            }
        }
        if (facts.isOperations()) {
            targets(id).forEach(action);
        }
    }

    /** The children of a document, and of whatever it stands in for. */
    void forEachLayeredOn(DocumentId id, Consumer<DocumentId> action) {
        children.get(id).forEach(child -> {
            if (id.equals(base(child))) {
                action.accept(child);
            }
        });
        // The children of whatever this document stands in for layer on it.
        DocumentId standIn = id;
        while (facts(standIn).replacement() && parent(standIn) != null && standIn.equals(replacedBy(parent(standIn)))) {
            standIn = parent(standIn);
            children.get(standIn).forEach(child -> {
                if (id.equals(base(child))) {
                    action.accept(child);
                }
            });
        }
    }

    static DocumentId least(Collection<DocumentId> ids) {
        DocumentId least = null;
        for (DocumentId id : ids) {
            if (least == null || id.compareTo(least) < 0) {
                least = id;
            }
        }
        return least;
    }
}
