package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.organicdesign.fp.collections.PersistentHashMap.MutHashMap;
import org.organicdesign.fp.collections.PersistentHashSet;

/**
 * Derives the graph of the next revision: updates the indexes, decides parents again for the documents that the edits may
 * have given another parent, and finds the {@linkplain Seeds seeds}.
 */
public final class GraphUpdate {

    private final Graph before;
    private final Map<DocumentId, Facts> edits;
    private final ChangeEffort effort;
    private Indexes indexes; // null while no edit changes an index entry
    private final Set<DocumentId> moved = new LinkedHashSet<>();
    private boolean reordered;
    private Graph after;
    private Set<DocumentId> resecured = Set.of();
    private MutHashMap<DocumentId, Node> nodes;
    private Map<DocumentId, Reason> seeds;

    private GraphUpdate(Graph before, Map<DocumentId, Facts> edits, ChangeEffort effort) {
        this.before = before;
        this.edits = edits;
        this.effort = effort;
        this.nodes = before.nodes.mutable();
    }

    /**
     * Makes the graph of the next revision.
     *
     * @param edits the new facts of each added or changed document; null for a removed one
     * @param effort counts every document that is inspected
     * @throws ChangeEffort.ExceededException if the change exceeds its limit of work
     */
    public static GraphUpdate of(Graph before, Map<DocumentId, Facts> edits, ChangeEffort effort) {
        GraphUpdate update = new GraphUpdate(before, edits, effort);
        update.carryOut();
        return update;
    }

    private void carryOut() {
        edits.forEach((id, facts) -> {
            Node old = before.node(id);
            effort.spend(entries(old == null ? null : old.facts()) + entries(facts));
            replace(old, facts);
        });
        if (indexes == null) {
            after = before.withNodes(nodes.immutable());
            return;
        }
        List<String> layers = indexes.layerOrder(id -> nodes.get(id).facts());
        reordered = !Objects.equals(before.layerOrder(), layers);
        decideAgain(reordered ? documents() : undecided(), layers);
        after = withSecrets(new Graph(nodes.immutable(), indexes.freeze()));
    }

    public Graph graph() {
        return after;
    }

    /** The documents where affectedness starts, with the first reason found. Removed documents are excluded. */
    public Map<DocumentId, Reason> seeds() {
        if (seeds == null) {
            Seeds all = new Seeds(before, after, edits.keySet(), moved, effort);
            seeds = indexes == null ? all.findInPlace() : all.find(reordered);
        }
        return seeds;
    }

    /** Whether a document of the previous revision enters or leaves the rendered set. */
    public boolean movesIntoOrOutOfRenderedSet(DocumentId id) {
        Facts old = before.facts(id);
        return old != null && before.isRendered(old) != after.isRendered(after.facts(id));
    }

    /** The documents of both revisions that became {@linkplain Graph#isSecret secret} or stopped being secret. */
    public Set<DocumentId> resecured() {
        return resecured;
    }

    /* Without secret documents, this only checks each edit. */
    private Graph withSecrets(Graph graph) {
        List<DocumentId> encrypted = encrypted();
        if (!before.hasSecrets() && encrypted.isEmpty()) {
            return graph;
        }
        if (before.size() == 0) {
            return graph.withSecret(SecretDocuments.of(graph, encrypted));
        }
        seeds = new Seeds(before, graph, edits.keySet(), moved, effort).find(reordered);
        SecretDocuments secrets = new SecretDocuments(before, graph, effort);
        PersistentHashSet<DocumentId> secret = secrets.find(edits.keySet(), seeds.keySet());
        resecured = secrets.changed();
        return graph.withSecret(secret);
    }

    private List<DocumentId> encrypted() {
        List<DocumentId> result = new ArrayList<>();
        for (Facts facts : edits.values()) {
            if (facts != null && facts.isEncrypted()) {
                result.add(facts.id());
            }
        }
        return result;
    }

    /** The documents that got another parent. */
    public Set<DocumentId> moved() {
        return moved;
    }

    /* The approximate number of index entries of a document. */
    private static long entries(Facts facts) {
        return facts == null
                ? 0
                : 1L
                        + facts.labels().size()
                        + facts.claims().sources().size()
                        + facts.claims().selector().size();
    }

    private void replace(Node old, Facts facts) {
        if (old != null && facts != null && facts.isPlacedLike(old.facts())) {
            // Most edits are of this kind: new data, and no index entry changes.
            Facts placed = facts.inPlaceOf(old.facts());
            nodes = nodes.assoc(placed.id(), new Node(placed, old.decision()));
            return;
        }
        if (indexes == null) {
            indexes = before.indexes.edit();
        }
        if (old != null) {
            nodes = nodes.without(old.facts().id());
            indexes.set(old.facts(), false);
            indexes.setParent(old, false);
        }
        if (facts != null) {
            // With the same selector the document keeps its parent until that is decided again.
            Node node = new Node(shared(facts), keepsSelector(old, facts) ? old.decision() : ParentDecision.NONE);
            nodes = nodes.assoc(node.facts().id(), node);
            indexes.set(node.facts(), true);
            indexes.setParent(node, true);
        }
    }

    private static boolean keepsSelector(Node old, Facts facts) {
        return old != null
                && old.facts().claims().selector().equals(facts.claims().selector());
    }

    /* Related documents have equal schemas, layers, selectors and sources. Sharing these saves heap. */
    private Facts shared(Facts facts) {
        DocumentId id = facts.id();
        Claims claims = facts.claims();
        DocumentKey[] sources = claims.sources().toArray(DocumentKey[]::new);
        for (int i = 0; i < sources.length; i++) {
            sources[i] = indexes.readers.shared(sources[i]);
        }
        MapValue selector =
                claims.selector().isEmpty() ? MapValue.EMPTY : indexes.seekers.seekers.shared(claims.selector());
        return facts.madeOf(
                new DocumentId(id.schema().intern(), id.layer().intern(), id.name()),
                facts.bucket().intern(),
                facts.labels(),
                Claims.of(selector, List.of(sources), claims.target(), claims.layerOrder()));
    }

    /* Documents with a changed selector, or with one that matches labels that an edit adds or removes. */
    private Set<DocumentId> undecided() {
        Set<DocumentId> result = new LinkedHashSet<>();
        edits.forEach((id, facts) -> {
            Node old = before.node(id);
            if (facts != null && !keepsSelector(old, facts)) {
                result.add(id);
            }
            MapValue labelsBefore = old == null ? MapValue.EMPTY : old.facts().labels();
            MapValue labels = facts == null ? MapValue.EMPTY : facts.labels();
            // In a new workspace, all documents with a selector are undecided anyway.
            if (before.size() > 0 && (old == null || facts == null || !labels.equals(labelsBefore))) {
                effort.spend(indexes.seekers.steps(labelsBefore) + indexes.seekers.steps(labels));
                Consumer<DocumentId> seeker = each -> {
                    effort.spend(1); // each of many edits may have many seekers
                    result.add(each);
                };
                indexes.seekers.forEachSeeker(labelsBefore, seeker);
                indexes.seekers.forEachSeeker(labels, seeker);
            }
        });
        return result;
    }

    private List<DocumentId> documents() {
        List<DocumentId> result = new ArrayList<>(nodes.size());
        nodes.forEach(node -> result.add(node.getKey()));
        return result;
    }

    private void decideAgain(Collection<DocumentId> undecided, List<String> layers) {
        Map<String, Integer> positions = ParentDecision.positions(layers);
        Matches matches = new Matches(indexes.carriers, id -> nodes.get(id).facts(), effort);
        for (DocumentId id : undecided) {
            Node node = nodes.get(id);
            ParentDecision decision = ParentDecision.of(node.facts(), positions, matches::of, effort);
            if (!decision.equals(node.decision())) {
                indexes.setParent(node, false);
                Node decided = new Node(node.facts(), decision);
                indexes.setParent(decided, true);
                nodes = nodes.assoc(id, decided);
            }
            Node old = before.node(id);
            if (old != null && !decision.equals(old.decision())) {
                moved.add(id);
            }
            effort.spend(1);
        }
    }
}
