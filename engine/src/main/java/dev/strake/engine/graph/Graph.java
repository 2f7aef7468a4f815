package dev.strake.engine.graph;

import dev.strake.engine.document.Kind;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.operations.OperationsDocument.Target;
import dev.strake.engine.tree.MapValue;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashSet;

/**
 * The layer graph of one revision. It is immutable, and the graph of the next revision is derived from it cheaply.
 *
 * <p>{@link #dependencies} alone says what a document depends on. Edges are not stored: dependencies are looked up by the
 * decided parent and the document's references, dependents by the indexes. Each look-up resolves the reference in this
 * graph. So a reference to a document that is still missing, or that a replacement takes over, needs no bookkeeping.
 */
public final class Graph {

    /** From this number on, documents that compete for one place are a crowd, and the choice among them is kept. */
    private static final int CROWD = 32;

    public static final Graph EMPTY = new Graph(PersistentHashMap.empty(), Indexes.EMPTY);

    final PersistentHashMap<DocumentId, Node> nodes;
    final Indexes indexes;
    final PersistentHashSet<DocumentId> secret;
    private final List<String> layerOrder;

    /* The document chosen from each crowd. A cache: its entries follow from the other fields. */
    private final Map<Object, DocumentId> chosen;

    /** A graph without secret documents. */
    Graph(PersistentHashMap<DocumentId, Node> nodes, Indexes indexes) {
        this.nodes = nodes;
        this.indexes = indexes;
        this.secret = PersistentHashSet.empty();
        this.chosen = new HashMap<>(0);
        // A second policy is refused when it is published; until then the first one counts.
        DocumentId policy = least(indexes.policies().get(true));
        this.layerOrder = policy == null ? null : facts(policy).claims().layerOrder();
    }

    private Graph(Graph graph, PersistentHashMap<DocumentId, Node> nodes, PersistentHashSet<DocumentId> secret) {
        this.nodes = nodes;
        this.indexes = graph.indexes;
        this.layerOrder = graph.layerOrder;
        this.chosen = graph.chosen;
        this.secret = secret;
    }

    /** The same graph with these secret documents. */
    Graph withSecret(PersistentHashSet<DocumentId> found) {
        return new Graph(this, nodes, found);
    }

    /** The same graph of documents with other data, each of them in its place. */
    Graph withNodes(PersistentHashMap<DocumentId, Node> others) {
        return new Graph(this, others, secret);
    }

    public int size() {
        return nodes.size();
    }

    /** All documents, in no particular order. */
    public Collection<DocumentId> documents() {
        return new AbstractCollection<>() { // the key set of the map would be a copy
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

    /** Whether a document is secret or depends on one that is: what is known of it may tell something of secret data. */
    public boolean knowsSecrets(DocumentId id) {
        if (!hasSecrets() || isSecret(id)) {
            return hasSecrets();
        }
        return facts(id) != null
                && dependencies(id).stream().anyMatch(each -> each.on() != null && isSecret(each.on()));
    }

    /**
     * Whether a document is secret: its author wants its data kept encrypted, or its data is made of that of a secret
     * document, directly or over others.
     */
    public boolean isSecret(DocumentId id) {
        return secret.contains(id);
    }

    /** All secret documents. */
    public Iterable<DocumentId> secretDocuments() {
        return secret;
    }

    /** Whether any document is secret. */
    public boolean hasSecrets() {
        return secret.size() > 0;
    }

    /** The documents that a bucket holds. */
    public Collection<DocumentId> bucket(String bucket) {
        return indexes.byBucket().get(Name.of(bucket));
    }

    /** All documents with this schema and name, whatever their layers. */
    public Collection<DocumentId> withKey(DocumentKey key) {
        return indexes.byKey().get(key);
    }

    /** The document that a key means: the one that is rendered under it, or else one that has it; null if there is none. */
    public DocumentId meant(DocumentKey key) {
        DocumentId found = null;
        for (DocumentId id : withKey(key)) {
            if (found == null || isRendered(facts(id))) {
                found = id;
            }
        }
        return found;
    }

    Collection<DocumentId> withSchema(String schema) {
        return indexes.bySchema().get(Name.of(schema));
    }

    /** The layering policies: none or one (a second one is refused when it is published). */
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

    /** The replacement that takes the place of a document; null if there is none. */
    public DocumentId replacedBy(DocumentId id) {
        Collection<DocumentId> all = replacements(id);
        return all.size() < CROWD ? least(all) : chosen(id, all, Graph::least);
    }

    /** The document on whose data a child layers: its parent, or the last of the parent's replacements; null without a parent. */
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
     * The document that a reference by schema and name means: the concrete document of that key in any layer, or the last
     * of its replacements. Null if there is none.
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

    /* Every document that refers to a crowd asks for the choice. The crowd is searched once, not once for each of them. */
    private DocumentId chosen(
            Object reference, Collection<DocumentId> crowd, Function<Collection<DocumentId>, DocumentId> choice) {
        synchronized (chosen) {
            if (!chosen.containsKey(reference)) {
                chosen.put(reference, choice.apply(crowd));
            }
            return chosen.get(reference);
        }
    }

    /* An original comes before a replacement. Two of a kind are both in trouble, so any fixed order will do. */
    private boolean comesFirst(DocumentId id, DocumentId other) {
        boolean replacement = facts(id).isReplacement();
        return replacement == facts(other).isReplacement() ? id.compareTo(other) < 0 : !replacement;
    }

    /** The DataSchema that governs the data of documents of a schema, or null. Built-in schemas are not governed. */
    public DocumentId governor(String schema) {
        DocumentId found = source(new DocumentKey(Kind.DATA_SCHEMA, schema));
        return found != null && facts(found).governs() ? found : null;
    }

    /** Whether a document is in force: it is concrete, and no replacement takes its place. */
    public boolean isInForce(DocumentId id) {
        return isInForce(facts(id));
    }

    /** As {@link #isInForce(DocumentId)}, for callers that have the facts already. */
    public boolean isInForce(Facts document) {
        return !document.isAbstract() && replacements(document.id()).isEmpty();
    }

    /** Whether a document without problems is part of the rendered set. Documents with operations are not, nor are owners. */
    public boolean isRendered(Facts document) {
        return isInForce(document) && document.isForConsumers();
    }

    /** The document that is rendered under a key, unless it has a problem; null if there is none. */
    public Facts rendered(DocumentKey key) {
        Facts found = null;
        for (DocumentId id : withKey(key)) {
            Facts facts = facts(id);
            // If a key has two, both have a problem, so either will do.
            if (isRendered(facts) && (found == null || id.compareTo(found.id()) < 0)) {
                found = facts;
            }
        }
        return found;
    }

    /** The keys under which documents of a schema with some labels are rendered, in order of their names. */
    public List<DocumentKey> selected(String schema, MapValue labels, ChangeEffort effort) {
        Set<String> names = new TreeSet<>();
        Consumer<DocumentId> candidate = id -> {
            effort.spend(1);
            Facts facts = facts(id);
            if (id.schema().equals(schema) && isRendered(facts) && Label.isWanted(facts.labels(), labels)) {
                names.add(id.name());
            }
        };
        if (labels.isEmpty()) {
            withSchema(schema).forEach(candidate);
        } else {
            Label.forEachCandidate(labels, carriers(), candidate);
        }
        return names.stream().map(name -> new DocumentKey(schema, name)).toList();
    }

    /** The documents that a document with operations changes. */
    public Collection<DocumentId> targets(DocumentId id) {
        return OperationResolver.targets(this, facts(id));
    }

    /** The target of a document with operations: its own, or the one of the document it layers on; null if there is none. */
    public Target target(DocumentId id) {
        return OperationResolver.target(this, id);
    }

    boolean hasNoTargets() {
        return indexes.operatorsByKey().isEmpty() && indexes.operatorsByLabels().isEmpty();
    }

    /* Names the documents whose own target may match. The caller still has to compare the target's schema. */
    void forEachOwnerOfTarget(Facts target, Consumer<DocumentId> owner) {
        indexes.operatorsByKey().get(target.key()).forEach(owner);
        indexes.operatorsByLabels().forEachSeeker(target.labels(), owner);
    }

    /**
     * Everything that a document is rendered from and checked against. The list is sorted by kind of reference, and within
     * a kind by the order in the document. Evaluation, blocking, cycles, affected documents and reasons all read this list.
     */
    public List<Dependency> dependencies(DocumentId id) {
        Facts facts = facts(id);
        List<Dependency> result = new ArrayList<>();
        for (Resolver resolver : Resolver.ALL) {
            resolver.addDependencies(this, facts, result);
        }
        return result;
    }

    /** The steps of work that it takes to find the operations on a document by its labels; 0 where no operations look for labels. */
    public long stepsToOperations(DocumentId id) {
        return indexes.operatorsByLabels().isEmpty()
                ? 0
                : indexes.operatorsByLabels().steps(facts(id).labels());
    }

    /** Names every document that depends on a document, with the dependency: the inverse of {@link #dependencies}. */
    public void forEachDependent(DocumentId id, BiConsumer<DocumentId, Dependency> dependent) {
        Facts facts = facts(id);
        for (Resolver resolver : Resolver.ALL) {
            resolver.forEachDependent(this, facts, dependent);
        }
    }

    /** Whether a document renders to its own data: no parent, no substitutions, no operations on it. */
    public boolean rendersAsPublished(DocumentId id) {
        Facts facts = facts(id);
        return facts.isSelfContained()
                && OperationResolver.operators(this, facts).isEmpty();
    }

    /** The documents that layer on a document: its children, and the children of the documents that it replaces. */
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
