package dev.strake.engine.graph;

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
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashSet;

/**
 * The layer graph of one revision. It is immutable, and the graph of the next revision is derived from it cheaply.
 *
 * <p>{@link #dependencies} alone says what a document depends on. Edges are not stored: dependencies are looked up by the
 * decided parent and the document's references, dependents by the indexes. Each lookup resolves the reference in this
 * graph. So a reference to a document that is still missing, or that is replaced, needs no bookkeeping.
 */
public final class Graph {

    public static final Graph EMPTY = new Graph(PersistentHashMap.empty(), Indexes.EMPTY);

    final PersistentHashMap<DocumentId, Node> nodes;
    final Indexes indexes;
    final PersistentHashSet<DocumentId> secret;
    private final List<String> layerOrder;

    final LongSearches searches;

    /** A graph without secret documents. */
    Graph(PersistentHashMap<DocumentId, Node> nodes, Indexes indexes) {
        this.nodes = nodes;
        this.indexes = indexes;
        this.secret = PersistentHashSet.empty();
        this.searches = new LongSearches();
        this.layerOrder = indexes.layerOrder(this::facts);
    }

    private Graph(Graph graph, PersistentHashMap<DocumentId, Node> nodes, PersistentHashSet<DocumentId> secret) {
        this.nodes = nodes;
        this.indexes = graph.indexes;
        this.layerOrder = graph.layerOrder;
        this.searches = graph.searches; // the results depend on places, not on data
        this.secret = secret;
    }

    Graph withSecret(PersistentHashSet<DocumentId> found) {
        return new Graph(this, nodes, found);
    }

    /** This graph with new data of documents whose places do not change. */
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

    /** Whether a document is secret or directly depends on one. Facts about the document may reveal secret data. */
    public boolean knowsSecrets(DocumentId id) {
        return isSecret(id)
                || (hasSecrets()
                        && facts(id) != null
                        && dependencies(id).stream().anyMatch(each -> each.on() != null && isSecret(each.on())));
    }

    /**
     * Whether a document is secret: its author wants its data kept encrypted, or its data is made of the data of a
     * secret document, directly or indirectly.
     */
    public boolean isSecret(DocumentId id) {
        return secret.contains(id);
    }

    public Iterable<DocumentId> secretDocuments() {
        return secret;
    }

    public boolean hasSecrets() {
        return secret.size() > 0;
    }

    public Collection<DocumentId> bucket(String bucket) {
        return indexes.byBucket.get(Name.of(bucket));
    }

    /** All documents with this schema and name, whatever their layers. */
    public Collection<DocumentId> withKey(DocumentKey key) {
        return indexes.byKey.get(key);
    }

    /** The document that a key means: the rendered one, or else any with this key; null if there is none. */
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
        return indexes.bySchema.get(Name.of(schema));
    }

    /** The layering policies: none or one (publishing a second one is rejected). */
    public Collection<DocumentId> policies() {
        return indexes.policies.get(true);
    }

    /** The layers, the most general one first; null without a layering policy. */
    public List<String> layerOrder() {
        return layerOrder;
    }

    /** The document that a child's selector chose; null if it chose none. */
    public DocumentId parent(DocumentId child) {
        return nodes.get(child).decision().parent();
    }

    /** The replacements of a document, each in another layer. There are several only if authors disagree. */
    public Collection<DocumentId> replacements(DocumentId id) {
        return indexes.replacements.get(id);
    }

    /** The replacement that takes the place of a document: the one in the lowest layer; null if there is none. */
    public DocumentId replacedBy(DocumentId id) {
        Collection<DocumentId> all = replacements(id);
        return all.size() == 1 ? all.iterator().next() : searches.choice(id, all, this::lowest);
    }

    /* The rival in the lowest layer. If the layer order names a layer twice, the first place counts, as for parents. */
    private DocumentId lowest(Collection<DocumentId> all) {
        Map<String, DocumentId> byLayer = new HashMap<>();
        all.forEach(id -> byLayer.put(id.layer(), id));
        DocumentId lowest = null;
        for (String layer : layerOrder == null ? List.<String>of() : layerOrder) {
            DocumentId found = byLayer.remove(layer);
            lowest = found == null ? lowest : found;
        }
        return lowest;
    }

    /**
     * The document in the place of an overruled replacement; null for any other document. A replacement is overruled if
     * its parent has another replacement in a lower layer, or if its parent is itself an overruled replacement.
     */
    public DocumentId overruledBy(DocumentId id) {
        if (nodes.get(id).replaced() == null) {
            return null;
        }
        DocumentId contested =
                nodes.get(searches.places().end(id, this::placeOf)).replaced();
        return contested == null ? null : lastReplacement(contested);
    }

    /* The document that this one stands for; null if it is no replacement, or another replacement has the place. */
    DocumentId placeOf(DocumentId id) {
        DocumentId replaced = nodes.get(id).replaced();
        return replaced != null && id.equals(replacedBy(replaced)) ? replaced : null;
    }

    boolean isOverruled(Facts document) {
        return document.isReplacement() && overruledBy(document.id()) != null;
    }

    /* The document itself if it has no replacement. The chain ends, as each replacement is in a lower layer. */
    DocumentId lastReplacement(DocumentId id) {
        return searches.replacements().end(id, this::replacedBy);
    }

    /**
     * The document that a reference by schema and name means: the concrete document of that key in any layer, or the last
     * of its replacements. Null if there is none.
     */
    public DocumentId source(DocumentKey key) {
        DocumentId first = searches.choice(key, withKey(key), all -> SourceResolver.first(this, all));
        return first == null ? null : lastReplacement(first);
    }

    /** Whether a document is in force: it is concrete, not replaced, and not overruled. */
    public boolean isInForce(DocumentId id) {
        return isInForce(facts(id));
    }

    /** As {@link #isInForce(DocumentId)}, for callers that have the facts already. */
    public boolean isInForce(Facts document) {
        return !document.isAbstract() && isEffective(document);
    }

    /** Whether a document, abstract or concrete, is neither replaced nor overruled. */
    boolean isEffective(Facts document) {
        return replacements(document.id()).isEmpty() && !isOverruled(document);
    }

    /** Whether a document without problems is part of the rendered set. Owners and operations are not. */
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

    /** The keys of the rendered documents with a schema and some labels, sorted by name. */
    public List<DocumentKey> selected(String schema, MapValue labels, ChangeEffort effort) {
        Set<String> names = new TreeSet<>();
        for (DocumentId id : candidates(schema, labels)) {
            effort.spend(ChangeEffort.FOR_LOOKUP + labels.size());
            Facts facts = facts(id);
            if (id.schema().equals(schema) && Label.isWanted(facts.labels(), labels) && isRendered(facts)) {
                names.add(id.name());
            }
        }
        return names.stream().map(name -> new DocumentKey(schema, name)).toList();
    }

    /** Candidates for the documents with a schema and some labels. */
    Collection<DocumentId> candidates(String schema, MapValue labels) {
        return Label.candidates(labels, indexes.carriers, withSchema(schema));
    }

    /** The documents that a document with operations changes; none if it is not in force. */
    public Collection<DocumentId> targets(DocumentId id, ChangeEffort effort) {
        return OperationResolver.targets(this, facts(id), effort);
    }

    /** The target of a document with operations: its own, or one inherited from its base; null if there is none. */
    public Target target(DocumentId id) {
        return OperationResolver.target(this, id);
    }

    /** The total number of names in the combinations of label names by which operations select their targets. */
    public int namesInTargets() {
        return indexes.operatorsByLabels.names();
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

    /**
     * As {@link #dependencies(DocumentId)}, with a limit of work.
     *
     * @param effort counts the search before it starts, then the dependencies that it finds
     */
    public List<Dependency> dependencies(DocumentId id, ChangeEffort effort) {
        effort.spend(stepsToOperations(id));
        List<Dependency> result = dependencies(id);
        effort.spend(result.size());
        return result;
    }

    /** The steps of work to find the operations on a document by its labels; 0 if no operations select by labels. */
    public long stepsToOperations(DocumentId id) {
        return indexes.operatorsByLabels.isEmpty()
                ? 0
                : indexes.operatorsByLabels.steps(facts(id).labels());
    }

    /**
     * Calls back for every document that depends on a document: the inverse of {@link #dependencies}.
     *
     * @param effort counts documents that are inspected but are not dependents
     */
    public void forEachDependent(DocumentId id, BiConsumer<DocumentId, Dependency> dependent, ChangeEffort effort) {
        Facts facts = facts(id);
        for (Resolver resolver : Resolver.ALL) {
            resolver.forEachDependent(this, facts, dependent, effort);
        }
    }

    /** Whether a document renders to its own data: no parent, no substitutions, no operations on it. */
    public boolean rendersAsPublished(DocumentId id) {
        Facts facts = facts(id);
        return facts.isSelfContained() && !OperationResolver.isOperatedOn(this, facts);
    }

    /** Whether other documents may depend on a document. If false, none does. */
    public boolean isReferredTo(DocumentId id) {
        Node node = nodes.get(id);
        Facts facts = node.facts();
        return facts.isOperations()
                || facts.governs()
                || node.replaced() != null
                || !indexes.children.get(id).isEmpty()
                || !indexes.readers.get(facts.key()).isEmpty();
    }
}
