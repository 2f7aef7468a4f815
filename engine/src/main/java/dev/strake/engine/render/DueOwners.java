package dev.strake.engine.render;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.Fingerprint;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the owners of derived documents that have to be evaluated after a change: exactly those that are new, and those
 * whose own data or reads changed. The work is proportional to the touched documents and to the reads that they affect,
 * not to the number of owners.
 */
final class DueOwners {

    private final Rendering rendering;
    private final Graph graphBefore;
    private final Derivations before;
    private final Graph graph;
    private final OwnerReads.Snapshot snapshot;
    private final Map<Read, Fingerprint> found = new HashMap<>();
    private final Map<DocumentId, Derived> settled = new TreeMap<>();

    /** The owners to evaluate, each with the first document that made it due. */
    private final Map<DocumentId, DocumentId> due = new TreeMap<>();

    /**
     * @param before the results of the owners in the revision before
     * @param snapshot the rendered documents of the new revision
     */
    DueOwners(Rendering rendering, Graph graphBefore, Derivations before, OwnerReads.Snapshot snapshot) {
        this.rendering = rendering;
        this.graphBefore = graphBefore;
        this.before = before;
        this.graph = rendering.graph();
        this.snapshot = snapshot;
    }

    /**
     * Finds the owners.
     *
     * @param touched the documents that were edited or removed, have another place, or were rendered differently
     */
    void find(Set<DocumentId> touched) {
        Set<DocumentId> owners = new LinkedHashSet<>(touched);
        if (rendering.isRelimited()) {
            owners.addAll(before.all().keySet());
        }
        owners.forEach(this::addOwner);
        for (DocumentId id : touched) {
            addReaders(id);
            addSelectors(id);
        }
    }

    static boolean isOwner(Graph graph, DocumentId id) {
        Facts facts = graph.facts(id);
        return facts != null && facts.isDerivation();
    }

    /** The owners to evaluate, in order. */
    List<DocumentId> due() {
        return List.copyOf(due.keySet());
    }

    /** The document that made an owner due: the owner itself, or a document that it reads. */
    DocumentId cause(DocumentId owner) {
        return due.get(owner);
    }

    /** The new results of owners that need no evaluation: owners with a problem; null for owners no longer in force. */
    Map<DocumentId, Derived> settled() {
        return settled;
    }

    private void addOwner(DocumentId id) {
        Derived old = before.of(id);
        if (!isOwner(graph, id) || !graph.isInForce(id)) {
            if (old != null) {
                settled.put(id, null);
            }
        } else if (snapshot.evaluations().apply(id).isInTrouble()) {
            settled.put(id, (old == null ? Derived.NOTHING : old).ofTroubledOwner());
        } else if (old == null
                || rendering.isRelimited()
                || rendering.isRekeyed(id)
                || !snapshot.ofOwner(id).equals(old.owner())) {
            due.put(id, id);
        }
    }

    private void addReaders(DocumentId id) {
        for (Read.Data read : before.owners().readsOf(id.key())) {
            for (DocumentId owner : before.owners().readersOf(read)) {
                rendering.effort().spend(1);
                if (mayBecomeDue(owner) && readsDifferently(owner, read)) {
                    due.put(owner, id);
                }
            }
        }
    }

    /* A selection changes only if a document starts or stops matching it. */
    private void addSelectors(DocumentId id) {
        Facts old = selectable(graphBefore, id);
        Facts now = selectable(graph, id);
        if (old != null && now != null && old.labels().equals(now.labels())) {
            return;
        }
        for (Facts facts : new Facts[] {old, now}) {
            if (facts != null) {
                before.owners()
                        .forEachSelectorOf(
                                facts,
                                owner -> {
                                    rendering.effort().spend(1);
                                    if (mayBecomeDue(owner) && selectsDifferently(owner)) {
                                        due.put(owner, id);
                                    }
                                },
                                rendering.effort());
            }
        }
    }

    private static Facts selectable(Graph graph, DocumentId id) {
        Facts facts = graph.facts(id);
        return facts != null && graph.isRendered(facts) ? facts : null;
    }

    private boolean mayBecomeDue(DocumentId owner) {
        return !due.containsKey(owner) && !settled.containsKey(owner);
    }

    private boolean readsDifferently(DocumentId owner, Read read) {
        // Needs no limit: the value was within its limits when the owner read it.
        Fingerprint now = found.computeIfAbsent(read, each -> snapshot.fingerprint(each, RenderLimits.NONE.budget()));
        return !now.equals(before.of(owner).reads().get(read));
    }

    private boolean selectsDifferently(DocumentId owner) {
        for (Read read : before.of(owner).reads().keySet()) {
            if (read instanceof Read.Selection && readsDifferently(owner, read)) {
                return true;
            }
        }
        return false;
    }
}
