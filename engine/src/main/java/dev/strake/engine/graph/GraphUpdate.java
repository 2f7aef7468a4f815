package dev.strake.engine.graph;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.tree.MapValue;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * Derives the graph of the next revision: updates the indexes, decides parents again for those documents only that
 * the edits can have moved, and collects the documents from which affectedness spreads.
 */
public final class GraphUpdate {

    /** Why a document has to be looked at. */
    public enum Reason {
        /** The document itself was added or changed. */
        CONTENT,
        /** It has another parent than before, or none, or its parent changed its nature. */
        PARENT,
        /** What a reference of it means may be another document now. */
        SOURCE,
        /** Other operations are applied to it. */
        OPERATIONS,
        /** A document takes its place, or no longer does, or competes for its name. */
        IDENTITY,
        /** The order of layers is another one. */
        POLICY
    }

    private final Graph before;
    private PersistentHashMap<DocumentId, Node> nodes;
    private Index<DocumentKey, DocumentId> byKey;
    private Index<DocumentKey, DocumentId> readers;
    private Index<Label, DocumentId> carriers;
    private Index<Label, MapValue> selectors;
    private Index<MapValue, DocumentId> seekers;
    private Index<DocumentId, DocumentId> children;
    private Index<DocumentId, DocumentId> replacements;
    private Index<String, DocumentId> bySchema;
    private Index<String, DocumentId> byBucket;
    private Index<DocumentKey, DocumentId> operatorsByKey;
    private Index<Label, DocumentId> operatorsByLabel;
    private PersistentHashMap<DocumentId, List<String>> policies;

    private final Map<DocumentId, Facts> edits;
    private final boolean reordered;
    private Map<DocumentId, Reason> seeds;
    private final Set<DocumentId> moved = new LinkedHashSet<>();
    private Graph after;

    /**
     * @param edits the new facts of each document that is added or changed; null for one that is removed
     */
    public GraphUpdate(Graph before, Map<DocumentId, Facts> edits) {
        this.before = before;
        this.nodes = before.nodes;
        this.byKey = before.byKey;
        this.readers = before.readers;
        this.carriers = before.carriers;
        this.selectors = before.selectors;
        this.seekers = before.seekers;
        this.children = before.children;
        this.replacements = before.replacements;
        this.bySchema = before.bySchema;
        this.byBucket = before.byBucket;
        this.operatorsByKey = before.operatorsByKey;
        this.operatorsByLabel = before.operatorsByLabel;
        this.policies = before.policies;
        edits.forEach((id, facts) -> replaceFacts(before.facts(id), facts));
        after = freeze();
        this.edits = edits;
        this.reordered = !Objects.equals(before.layerOrder(), after.layerOrder());
        decideAgain(reordered ? after.documents() : candidates(edits));
        after = freeze();
    }

    public Graph graph() {
        return after;
    }

    /** The documents where affectedness starts, with the first reason found; none that are removed. */
    public Map<DocumentId, Reason> seeds() {
        if (seeds == null) { // nobody asks when a workspace is opened, and all its documents would be some
            seeds = new Seeds(before, after, edits.keySet(), moved).find(reordered);
        }
        return seeds;
    }

    /** The documents whose parent is another one, beside those that were edited themselves. */
    public Set<DocumentId> moved() {
        return moved;
    }

    private Graph freeze() {
        return new Graph(
                nodes,
                byKey,
                readers,
                carriers,
                selectors,
                seekers,
                children,
                replacements,
                bySchema,
                byBucket,
                operatorsByKey,
                operatorsByLabel,
                policies);
    }

    private void replaceFacts(Facts old, Facts facts) {
        if (old != null && facts != null && facts.isPlacedLike(old)) {
            // Most edits are of this kind: new data in the old place, with nothing to look up differently.
            ParentDecision decision = before.node(old.id()).decision();
            nodes = nodes.assoc(old.id(), new Node(facts.inPlaceOf(old), decision));
            return;
        }
        if (old != null) {
            unlink(old);
        }
        if (facts != null) {
            link(facts);
        }
    }

    private void unlink(Facts old) {
        DocumentId id = old.id();
        nodes = nodes.without(id);
        byKey = byKey.minus(old.key(), id);
        bySchema = bySchema.minus(id.schema(), id);
        byBucket = byBucket.minus(old.bucket(), id);
        for (DocumentKey source : old.sources()) {
            readers = readers.minus(source, id);
        }
        for (int i = 0; i < old.labels().size(); i++) {
            carriers =
                    carriers.minus(new Label(old.labels().keyAt(i), old.labels().valueAt(i)), id);
        }
        if (!old.selector().isEmpty()) {
            seekers = seekers.minus(old.selector(), id);
            if (seekers.get(old.selector()).isEmpty()) {
                for (Label label : Graph.lookupLabels(old.selector())) {
                    selectors = selectors.minus(label, old.selector());
                }
            }
        }
        if (old.layerOrder() != null) {
            policies = policies.without(id);
        }
        if (old.target() != null && old.target().name() != null) {
            operatorsByKey = operatorsByKey.minus(targetKey(old), id);
        } else if (old.target() != null) {
            for (Label label : Graph.lookupLabels(old.target().labels())) {
                operatorsByLabel = operatorsByLabel.minus(label, id);
            }
        }
        unlinkParent(id, before.node(id).decision().parent());
    }

    private void link(Facts published) {
        Facts facts = shared(published);
        DocumentId id = facts.id();
        // Until it is decided again the document keeps no parent: its selector may be another one.
        nodes = nodes.assoc(id, new Node(facts, ParentDecision.NONE));
        byKey = byKey.plus(facts.key(), id);
        bySchema = bySchema.plus(id.schema(), id);
        byBucket = byBucket.plus(facts.bucket(), id);
        for (DocumentKey source : facts.sources()) {
            readers = readers.plus(source, id);
        }
        for (int i = 0; i < facts.labels().size(); i++) {
            carriers = carriers.plus(
                    new Label(facts.labels().keyAt(i), facts.labels().valueAt(i)), id);
        }
        if (!facts.selector().isEmpty()) {
            seekers = seekers.plus(facts.selector(), id);
            for (Label label : Graph.lookupLabels(facts.selector())) {
                selectors = selectors.plus(label, facts.selector());
            }
        }
        if (facts.layerOrder() != null) {
            policies = policies.assoc(id, facts.layerOrder());
        }
        if (facts.target() != null && facts.target().name() != null) {
            operatorsByKey = operatorsByKey.plus(targetKey(facts), id);
        } else if (facts.target() != null) {
            for (Label label : Graph.lookupLabels(facts.target().labels())) {
                operatorsByLabel = operatorsByLabel.plus(label, id);
            }
        }
    }

    /* Documents of a kind repeat the words, selectors and sources of each other: the heap needs one of each. */
    private Facts shared(Facts facts) {
        DocumentId id = facts.id();
        return facts.madeOf(
                new DocumentId(id.schema().intern(), id.layer().intern(), id.name()),
                facts.bucket().intern(),
                facts.labels(),
                seekers.shared(facts.selector()),
                List.copyOf(facts.sources().stream().map(readers::shared).toList()));
    }

    private static DocumentKey targetKey(Facts operations) {
        return new DocumentKey(operations.target().schema(), operations.target().name());
    }

    private void unlinkParent(DocumentId child, DocumentId parent) {
        if (parent != null) {
            children = children.minus(parent, child);
            replacements = replacements.minus(parent, child);
        }
    }

    private void linkParent(Node child) {
        DocumentId parent = child.decision().parent();
        if (parent != null) {
            children = children.plus(parent, child.facts().id());
        }
        if (child.replaced() != null) {
            replacements = replacements.plus(parent, child.facts().id());
        }
    }

    /* Who may get another parent: the edited documents, and who seeks labels that an edited document gained or lost. */
    private Set<DocumentId> candidates(Map<DocumentId, Facts> edits) {
        Set<DocumentId> result = new LinkedHashSet<>();
        edits.forEach((id, facts) -> {
            Facts old = before.facts(id);
            if (facts != null) {
                result.add(id);
            }
            if (old == null || facts == null || !old.labels().equals(facts.labels())) {
                addSeekers(old, result);
                addSeekers(facts, result);
            }
        });
        return result;
    }

    private void addSeekers(Facts carrier, Set<DocumentId> result) {
        if (carrier == null) {
            return;
        }
        for (int i = 0; i < carrier.labels().size(); i++) {
            Label label = new Label(carrier.labels().keyAt(i), carrier.labels().valueAt(i));
            for (MapValue selector : selectors.get(label)) {
                if (carrier.isChosenBy(selector)) {
                    result.addAll(seekers.get(selector));
                }
            }
        }
    }

    private void decideAgain(Collection<DocumentId> candidates) {
        for (DocumentId id : candidates) {
            Node node = nodes.get(id);
            ParentDecision decision = ParentDecision.of(node.facts(), after);
            if (!decision.equals(node.decision())) {
                unlinkParent(id, node.decision().parent());
                Node decided = new Node(node.facts(), decision);
                linkParent(decided);
                nodes = nodes.assoc(id, decided);
            }
            Node old = before.node(id);
            if (old != null && !decision.equals(old.decision())) {
                moved.add(id);
            }
        }
    }
}
