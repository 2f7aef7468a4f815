package dev.strake.engine.graph;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.operations.OperationsDocument.Target;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * The layer graph of one revision: immutable, and cheap to derive the next one from.
 *
 * <p>What a document depends on is said by {@link #dependencies} alone. Nothing of it is stored: dependencies follow from
 * the parent that was decided and from the document's references, dependents from the indexes; both answer by looking up
 * who stands for whom now, so a reference to a document that does not exist yet, or that a replacement takes over, needs
 * no bookkeeping of its own.
 */
public final class Graph {

    /** So many documents that compete for one place are a crowd. */
    private static final int CROWD = 32;

    public static final Graph EMPTY = new Graph(PersistentHashMap.empty(), Indexes.EMPTY);

    final PersistentHashMap<DocumentId, Node> nodes;
    final Indexes indexes;
    private final List<String> layerOrder;

    /* Who is meant by a reference to a crowd. Nothing but a short cut: what it holds follows from the rest. */
    private final Map<Object, DocumentId> chosen = new HashMap<>(0);

    Graph(PersistentHashMap<DocumentId, Node> nodes, Indexes indexes) {
        this.nodes = nodes;
        this.indexes = indexes;
        // Of several, until all but one are refused: that of the first.
        DocumentId policy = least(indexes.policies().get(true));
        this.layerOrder = policy == null ? null : facts(policy).claims().layerOrder();
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
        return indexes.byBucket().get(bucket);
    }

    /** All documents with this schema and name, whatever their layers. */
    public Collection<DocumentId> withKey(DocumentKey key) {
        return indexes.byKey().get(key);
    }

    Collection<DocumentId> withSchema(String schema) {
        return indexes.bySchema().get(schema);
    }

    /** The documents that set the order of layers: none, or one (a second one is refused when it is published). */
    public Collection<DocumentId> policies() {
        return indexes.policies().get(true);
    }

    /** The layers, the most general one first; null without a layering policy. */
    public List<String> layerOrder() {
        return layerOrder;
    }

    Members<Label, DocumentId> carriers() {
        return indexes.carriers();
    }

    Collection<DocumentId> readers(DocumentKey source) {
        return indexes.readers().get(source);
    }

    Collection<DocumentId> children(DocumentId id) {
        return indexes.children().get(id);
    }

    /** The document that a child's selector chose; null if it chose none. */
    public DocumentId parent(DocumentId child) {
        return nodes.get(child).decision().parent();
    }

    /** The replacements of a document: none or one, unless the authors disagree. */
    public Collection<DocumentId> replacements(DocumentId id) {
        return indexes.replacements().get(id);
    }

    /** The document that takes the place of another, or null. */
    public DocumentId replacedBy(DocumentId id) {
        Collection<DocumentId> all = replacements(id);
        return all.size() < CROWD ? least(all) : chosen(id, all, Graph::least);
    }

    /** The document on whose data a child layers: its parent, or who takes the parent's place; null without parent. */
    public DocumentId base(DocumentId child) {
        return base(nodes.get(child));
    }

    private DocumentId base(Node child) {
        DocumentId base = child.decision().parent();
        while (base != null) {
            DocumentId replacement = replacedBy(base);
            if (replacement == null || replacement.equals(child.facts().id())) {
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
        Collection<DocumentId> all = withKey(key);
        DocumentId best = all.size() < CROWD ? firstSource(all) : chosen(key, all, this::firstSource);
        for (DocumentId next = best; next != null; next = replacedBy(next)) {
            best = next;
        }
        return best;
    }

    private DocumentId firstSource(Collection<DocumentId> all) {
        DocumentId best = null;
        for (DocumentId id : all) {
            if (!facts(id).isAbstract() && (best == null || comesFirst(id, best))) {
                best = id;
            }
        }
        return best;
    }

    /* All who refer to a crowd ask who is meant, so it is gone through once and not once for each of them. */
    private DocumentId chosen(
            Object reference, Collection<DocumentId> crowd, Function<Collection<DocumentId>, DocumentId> choice) {
        synchronized (chosen) {
            if (!chosen.containsKey(reference)) {
                chosen.put(reference, choice.apply(crowd));
            }
            return chosen.get(reference);
        }
    }

    /* An original before a replacement; otherwise any fixed order will do, because both are in trouble then. */
    private boolean comesFirst(DocumentId id, DocumentId other) {
        boolean replacement = facts(id).isReplacement();
        return replacement == facts(other).isReplacement() ? id.compareTo(other) < 0 : !replacement;
    }

    /** The DataSchema that governs the data of documents of a schema, or null. Built-in schemas are not governed. */
    public DocumentId governor(String schema) {
        DocumentId found = source(new DocumentKey(Kind.DATA_SCHEMA, schema));
        return found != null && facts(found).governs() ? found : null;
    }

    /** Whether a document counts as it is: a concrete one, whose place no other takes. */
    public boolean isInForce(DocumentId id) {
        return isInForce(facts(id));
    }

    /** As {@link #isInForce(DocumentId)}, for whoever has the facts already. */
    public boolean isInForce(Facts document) {
        return !document.isAbstract() && replacements(document.id()).isEmpty();
    }

    /** Whether a document appears in the rendered set, if nothing is wrong with it. Operations show in their targets. */
    public boolean isRendered(Facts document) {
        return isInForce(document) && !document.isOperations();
    }

    /** The documents that a document with operations changes. */
    public Collection<DocumentId> targets(DocumentId id) {
        return OperationResolver.targets(this, facts(id));
    }

    /** The target of a document with operations, its own or the one it inherits; null if there is none. */
    public Target target(DocumentId id) {
        return OperationResolver.target(this, id);
    }

    boolean hasNoTargets() {
        return indexes.operatorsByKey().isEmpty() && indexes.operatorsByLabels().isEmpty();
    }

    /* Documents whose own data says a target; the schema of it is still to be compared. */
    void forEachOwnerOfTarget(Facts target, Consumer<DocumentId> owner) {
        indexes.operatorsByKey().get(target.key()).forEach(owner);
        indexes.operatorsByLabels().forEachSeeker(target.labels(), owner);
    }

    /**
     * Everything that a document is made with, and judged by: by kind of reference, and within a kind in the order of the
     * document. Evaluation, trouble that is passed on, cycles, what a change reaches and why: all of it reads this list.
     */
    public List<Dependency> dependencies(DocumentId id) {
        Facts facts = facts(id);
        List<Dependency> result = new ArrayList<>();
        for (Resolver resolver : Resolver.ALL) {
            resolver.addDependencies(this, facts, result);
        }
        return result;
    }

    /** Everything that has a dependency on a document, with the dependency: the inverse of {@link #dependencies}. */
    public void forEachDependent(DocumentId id, BiConsumer<DocumentId, Dependency> dependent) {
        Facts facts = facts(id);
        for (Resolver resolver : Resolver.ALL) {
            resolver.forEachDependent(this, facts, dependent);
        }
    }

    /** Whether a document renders to its own data. */
    public boolean rendersAsPublished(DocumentId id) {
        Facts facts = facts(id);
        return facts.isSelfContained()
                && OperationResolver.operators(this, facts).isEmpty();
    }

    /** The children of a document, and of whatever it stands in for. */
    void forEachLayeredOn(DocumentId id, Consumer<Facts> action) {
        DocumentId standsFor = id;
        while (standsFor != null) {
            for (DocumentId child : children(standsFor)) {
                Node node = nodes.get(child);
                if (id.equals(base(node))) {
                    action.accept(node.facts());
                }
            }
            DocumentId replaced = node(standsFor).replaced();
            standsFor = replaced != null && standsFor.equals(replacedBy(replaced)) ? replaced : null;
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
