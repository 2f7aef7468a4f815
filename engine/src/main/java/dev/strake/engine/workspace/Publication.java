package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Digest;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.render.Reevaluation;
import dev.strake.engine.render.Rendering;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.organicdesign.fp.collections.PersistentHashMap;

/** Decides which records to publish, by comparing the rendered documents of a revision with what consumers hold. */
final class Publication {

    private final Workspace before;
    private final Graph after;
    private final Rendering rendering;
    private final boolean holdAll;
    private final Set<DocumentKey> compared = new HashSet<>();
    private final List<Emission> emissions = new ArrayList<>();
    private final Map<DocumentKey, Optional<Output>> heldChanges = new HashMap<>();
    private final PersistentHashMap<DocumentKey, Optional<Output>> wasHeld;
    private PersistentHashMap<DocumentKey, Optional<Output>> held;
    private int records;
    private Digest digest;

    /**
     * @param holdings what consumers hold
     * @param holdAll whether nothing of the revision is published
     */
    Publication(Workspace before, Holdings holdings, Graph after, Rendering rendering, boolean holdAll) {
        this.before = before;
        this.after = after;
        this.rendering = rendering;
        this.holdAll = holdAll;
        this.wasHeld = holdings.held();
        this.held = holdings.held();
        this.records = holdings.records();
        this.digest = holdings.digest();
    }

    /** Decides about one key; a second call for it changes nothing. */
    void compare(DocumentKey key) {
        if (!compared.add(key)) {
            return;
        }
        Optional<Output> heldBefore = wasHeld.get(key);
        Output consumers = heldBefore == null ? outputBefore(key) : heldBefore.orElse(null);
        if (consumers != null && !consumers.isComparable()) {
            throw new IllegalStateException("a second change of a workspace that was rendered for one change");
        }
        Facts owner = owner(after, key);
        Evaluation evaluation = owner == null ? null : evaluation(owner.id());
        Output wanted = evaluation == null ? null : evaluation.output();
        boolean inTrouble = evaluation != null && evaluation.isInTrouble();
        boolean same = !inTrouble && (wanted == null ? consumers == null : wanted.hasSameContent(consumers));
        if (same && Objects.equals(wanted, consumers)) {
            release(key, heldBefore);
        } else if (same) {
            // Only the order of keys differs: nothing to publish, but the digest has to count what consumers hold.
            hold(key, heldBefore, Optional.of(consumers));
        } else if (holdAll || inTrouble) {
            hold(key, heldBefore, Optional.ofNullable(consumers));
        } else {
            release(key, heldBefore);
            emissions.add(new Emission(key, owner));
            count(consumers, wanted);
        }
    }

    private void count(Output consumers, Output wanted) {
        if (consumers != null) {
            records--;
            digest = digest.minus(consumers.digest());
        }
        if (wanted != null) {
            records++;
            digest = digest.plus(wanted.digest());
        }
    }

    private void hold(DocumentKey key, Optional<Output> heldBefore, Optional<Output> consumers) {
        if (heldBefore == null) {
            held = held.assoc(key, consumers);
            heldChanges.put(key, consumers);
        }
    }

    private void release(DocumentKey key, Optional<Output> heldBefore) {
        if (heldBefore != null) {
            held = held.without(key);
            heldChanges.put(key, null);
        }
    }

    private Output outputBefore(DocumentKey key) {
        Facts owner = owner(before.graph(), key);
        return owner == null ? null : evaluationBefore(owner.id()).output();
    }

    /* Most documents were just inspected. The map of those is smaller than that of all. */
    private Evaluation evaluation(DocumentId id) {
        Reevaluation again = rendering.changed().get(id);
        return again == null ? rendering.evaluations().get(id) : again.now();
    }

    private Evaluation evaluationBefore(DocumentId id) {
        Reevaluation again = rendering.changed().get(id);
        return again == null ? before.evaluation(id) : again.before();
    }

    /* If a key has two owners, both have a problem, so either will do. */
    private static Facts owner(Graph graph, DocumentKey key) {
        Facts owner = null;
        for (DocumentId id : graph.withKey(key)) {
            Facts facts = graph.facts(id);
            if (graph.isRendered(facts) && (owner == null || id.compareTo(owner.id()) < 0)) {
                owner = facts;
            }
        }
        return owner;
    }

    /** The records to publish, in order of their keys. */
    List<Emission> emissions() {
        emissions.sort(Comparator.comparing(Emission::key));
        return emissions;
    }

    Map<DocumentKey, Optional<Output>> heldChanges() {
        return heldChanges;
    }

    /** What consumers hold after the emissions are published. */
    Holdings holdings() {
        return new Holdings(held, records, digest);
    }
}
