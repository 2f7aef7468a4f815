package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashMap.MutHashMap;

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
    private MutHashMap<DocumentId, Node> nodes;
    private final Index.Edit<DocumentKey, DocumentId> byKey;
    private final Index.Edit<DocumentKey, DocumentId> readers;
    private final Index.Edit<Label, DocumentId> carriers;
    private final Index.Edit<Label, MapValue> selectors;
    private final Index.Edit<MapValue, DocumentId> seekers;
    private final Index.Edit<DocumentId, DocumentId> children;
    private final Index.Edit<DocumentId, DocumentId> replacements;
    private final Index.Edit<String, DocumentId> bySchema;
    private final Index.Edit<String, DocumentId> byBucket;
    private final Index.Edit<DocumentKey, DocumentId> operatorsByKey;
    private final Index.Edit<Label, DocumentId> operatorsByLabel;
    private PersistentHashMap<DocumentId, List<String>> policies;

    private final Map<DocumentId, Facts> edits;
    private final boolean reordered;
    private final Set<DocumentId> moved = new LinkedHashSet<>();
    private final Graph after;
    private Map<DocumentId, Reason> seeds;

    /**
     * @param edits the new facts of each document that is added or changed; null for one that is removed
     */
    public GraphUpdate(Graph before, Map<DocumentId, Facts> edits) {
        this.before = before;
        this.nodes = before.nodes.mutable();
        this.byKey = before.byKey.edit();
        this.readers = before.readers.edit();
        this.carriers = before.carriers.edit();
        this.selectors = before.selectors.edit();
        this.seekers = before.seekers.edit();
        this.children = before.children.edit();
        this.replacements = before.replacements.edit();
        this.bySchema = before.bySchema.edit();
        this.byBucket = before.byBucket.edit();
        this.operatorsByKey = before.operatorsByKey.edit();
        this.operatorsByLabel = before.operatorsByLabel.edit();
        this.policies = before.policies;
        edits.forEach((id, facts) -> replaceFacts(before.facts(id), facts));
        this.edits = edits;
        List<String> layers = Graph.layerOrder(policies);
        this.reordered = !Objects.equals(before.layerOrder(), layers);
        decideAgain(reordered ? documents() : candidates(edits), layers);
        this.after = freeze();
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
                nodes.immutable(),
                byKey.freeze(),
                readers.freeze(),
                carriers.freeze(),
                selectors.freeze(),
                seekers.freeze(),
                children.freeze(),
                replacements.freeze(),
                bySchema.freeze(),
                byBucket.freeze(),
                operatorsByKey.freeze(),
                operatorsByLabel.freeze(),
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
        byKey.minus(old.key(), id);
        bySchema.minus(id.schema(), id);
        byBucket.minus(old.bucket(), id);
        for (DocumentKey source : old.sources()) {
            readers.minus(source, id);
        }
        for (int i = 0; i < old.labels().size(); i++) {
            carriers.minus(new Label(old.labels().keyAt(i), old.labels().valueAt(i)), id);
        }
        if (!old.selector().isEmpty()) {
            seekers.minus(old.selector(), id);
            if (seekers.get(old.selector()).isEmpty()) {
                for (Label label : Graph.lookupLabels(old.selector())) {
                    selectors.minus(label, old.selector());
                }
            }
        }
        if (old.layerOrder() != null) {
            policies = policies.without(id);
        }
        if (old.target() != null && old.target().name() != null) {
            operatorsByKey.minus(targetKey(old), id);
        } else if (old.target() != null) {
            for (Label label : Graph.lookupLabels(old.target().labels())) {
                operatorsByLabel.minus(label, id);
            }
        }
        unlinkParent(id, before.node(id).decision().parent());
    }

    private void link(Facts published) {
        Facts facts = shared(published);
        DocumentId id = facts.id();
        // Until it is decided again the document keeps no parent: its selector may be another one.
        nodes = nodes.assoc(id, new Node(facts, ParentDecision.NONE));
        byKey.plus(facts.key(), id);
        bySchema.plus(id.schema(), id);
        byBucket.plus(facts.bucket(), id);
        for (DocumentKey source : facts.sources()) {
            readers.plus(source, id);
        }
        for (int i = 0; i < facts.labels().size(); i++) {
            carriers.plus(new Label(facts.labels().keyAt(i), facts.labels().valueAt(i)), id);
        }
        if (!facts.selector().isEmpty()) {
            if (seekers.get(facts.selector()).isEmpty()) {
                for (Label label : Graph.lookupLabels(facts.selector())) {
                    selectors.plus(label, facts.selector());
                }
            }
            seekers.plus(facts.selector(), id);
        }
        if (facts.layerOrder() != null) {
            policies = policies.assoc(id, facts.layerOrder());
        }
        if (facts.target() != null && facts.target().name() != null) {
            operatorsByKey.plus(targetKey(facts), id);
        } else if (facts.target() != null) {
            for (Label label : Graph.lookupLabels(facts.target().labels())) {
                operatorsByLabel.plus(label, id);
            }
        }
    }

    /* Documents of a kind repeat the words, selectors and sources of each other: the heap needs one of each. */
    private Facts shared(Facts facts) {
        DocumentId id = facts.id();
        DocumentKey[] sources = facts.sources().toArray(DocumentKey[]::new);
        for (int i = 0; i < sources.length; i++) {
            sources[i] = readers.shared(sources[i]);
        }
        return facts.madeOf(
                new DocumentId(id.schema().intern(), id.layer().intern(), id.name()),
                facts.bucket().intern(),
                facts.labels(),
                facts.selector().isEmpty() ? MapValue.EMPTY : seekers.shared(facts.selector()),
                List.of(sources));
    }

    private static DocumentKey targetKey(Facts operations) {
        return new DocumentKey(operations.target().schema(), operations.target().name());
    }

    private void unlinkParent(DocumentId child, DocumentId parent) {
        if (parent != null) {
            children.minus(parent, child);
            replacements.minus(parent, child);
        }
    }

    private void linkParent(Node child) {
        DocumentId parent = child.decision().parent();
        if (parent != null) {
            children.plus(parent, child.facts().id());
        }
        if (child.replaced() != null) {
            replacements.plus(parent, child.facts().id());
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

    private List<DocumentId> documents() {
        List<DocumentId> result = new ArrayList<>(nodes.size());
        nodes.forEach(node -> result.add(node.getKey()));
        return result;
    }

    private void decideAgain(Collection<DocumentId> candidates, List<String> layers) {
        Map<MapValue, Collection<DocumentId>> matches = new HashMap<>(); // a family of children has one selector
        for (DocumentId id : candidates) {
            Node node = nodes.get(id);
            ParentDecision decision = ParentDecision.of(
                    node.facts(), layers, selector -> matches.computeIfAbsent(selector, this::matches));
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

    private Collection<DocumentId> matches(MapValue selector) {
        Set<DocumentId> result = new TreeSet<>();
        for (Label label : Graph.lookupLabels(selector)) {
            for (DocumentId candidate : carriers.get(label)) {
                if (nodes.get(candidate).facts().isChosenBy(selector)) {
                    result.add(candidate);
                }
            }
        }
        return result;
    }
}
