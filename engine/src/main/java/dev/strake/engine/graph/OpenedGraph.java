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
 * The graph of stored documents, to open a workspace. Many changes may have made it, each within its limits, so what took them
 * long is not done again. Nothing was there before, so all labels are indexed first, and then each document is put into its place
 * once. {@link GraphUpdate} puts a document in first without and then with its parent.
 */
public final class OpenedGraph {

    /** To look at more matches takes longer than to read from a store which parent was decided. */
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
     * Makes the graph.
     *
     * @param documents the facts of each document. The graph keeps them as they are: whoever reads many sees to it that equal parts
     *     are the same objects
     * @param decided how the parent of a document was decided, or null where that is not known; asked only where many
     *     documents would have to be looked at
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

    /* With the graph's own identity of the parent, so that only one is kept. */
    private ParentDecision stored(DocumentId child) {
        ParentDecision stored = decided.apply(child);
        if (stored == null || stored.parent() == null) {
            return stored;
        }
        Facts parent = documents.get(stored.parent());
        return parent == null ? null : new ParentDecision(parent.id(), null);
    }
}
