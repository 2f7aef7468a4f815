package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashMap.MutHashMap;

/**
 * Builds the graph of stored documents when a workspace is opened. Many changes, each within its limit of work, may
 * have made the graph. So expensive parent decisions are read from the store, not made again. All documents are indexed
 * first. Then each becomes a node once, with its parent. {@link GraphUpdate} first adds a document without its parent.
 */
public final class OpenedGraph {

    /** With more matches, reading the stored decision is faster than deciding again. */
    private static final int FEW_MATCHES = 256;

    private final Map<DocumentId, Facts> documents;
    private final Function<DocumentId, ParentDecision> decided;
    private final ChangeEffort effort = new ChangeEffort(Long.MAX_VALUE);
    private final Indexes indexes = Indexes.EMPTY.edit();
    private final Matches matches;

    private OpenedGraph(Map<DocumentId, Facts> documents, Function<DocumentId, ParentDecision> decided) {
        this.documents = documents;
        this.decided = decided;
        this.matches = new Matches(indexes.carriers, documents::get, effort);
    }

    /**
     * Builds the graph.
     *
     * @param documents the facts of each document. The graph keeps these, so the caller should share equal parts
     * @param decided returns the stored parent decision of a document, or null if there is none; called only for
     *     documents with many possible parents
     */
    public static Graph of(Map<DocumentId, Facts> documents, Function<DocumentId, ParentDecision> decided) {
        return new OpenedGraph(documents, decided).graph();
    }

    private Graph graph() {
        List<DocumentId> encrypted = new ArrayList<>();
        for (Facts facts : documents.values()) {
            indexes.set(facts, true);
            if (facts.isEncrypted()) {
                encrypted.add(facts.id());
            }
        }
        Map<String, Integer> positions = ParentDecision.positions(indexes.layerOrder(documents::get));
        MutHashMap<DocumentId, Node> nodes = PersistentHashMap.emptyMutable();
        for (Facts facts : documents.values()) {
            Node node = new Node(facts, decision(facts, positions));
            indexes.setParent(node, true);
            nodes = nodes.assoc(facts.id(), node);
        }
        Graph graph = new Graph(nodes.immutable(), indexes.freeze());
        return encrypted.isEmpty() ? graph : graph.withSecret(SecretDocuments.of(graph, encrypted));
    }

    private ParentDecision decision(Facts child, Map<String, Integer> positions) {
        MapValue selector = child.claims().selector();
        if (!selector.isEmpty() && matches.most(selector) > FEW_MATCHES) {
            ParentDecision stored = stored(child.id());
            if (stored != null) {
                return stored;
            }
        }
        return ParentDecision.of(child, positions, matches::of, effort);
    }

    /* Uses the graph's own object for the parent's identity, so that the heap holds only one. */
    private ParentDecision stored(DocumentId child) {
        ParentDecision stored = decided.apply(child);
        if (stored == null || stored.parent() == null) {
            return stored;
        }
        Facts parent = documents.get(stored.parent());
        return parent == null ? null : new ParentDecision(parent.id(), null);
    }
}
