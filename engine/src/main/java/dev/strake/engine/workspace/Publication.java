package dev.strake.engine.workspace;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Derivations;
import dev.strake.engine.render.Deriving;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.render.Reevaluation;
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
    private final Deriving deriving;
    private final Holdings.Rule rule;
    private final Set<DocumentKey> compared = new HashSet<>();
    private final List<Emission> emissions = new ArrayList<>();
    private final Map<DocumentKey, Optional<Output>> heldChanges = new HashMap<>();
    private final Map<DocumentKey, Optional<Update.DerivedRecord>> derivedChanges = new HashMap<>();
    private final PersistentHashMap<DocumentKey, Optional<Output>> wasHeld;
    private PersistentHashMap<DocumentKey, Optional<Output>> held;
    private int records;
    private Digest digest;

    /**
     * @param holdings what consumers hold
     * @param rule what the revision holds back
     */
    Publication(Workspace before, Holdings holdings, Graph after, Deriving deriving, Holdings.Rule rule) {
        this.before = before;
        this.after = after;
        this.deriving = deriving;
        this.rule = rule;
        this.wasHeld = holdings.held();
        this.held = holdings.held();
        this.records = holdings.records();
        this.digest = holdings.digest();
    }

    /** Compares the records of one key; a second call for the key is a no-op. */
    void compare(DocumentKey key) {
        if (!compared.add(key)) {
            return;
        }
        Optional<Output> heldBefore = wasHeld.get(key);
        Claim was = claimBefore(key);
        Claim is = claim(key);
        if (!Objects.equals(was.ofDerived(), is.ofDerived())) {
            derivedChanges.put(key, Optional.ofNullable(is.ofDerived()));
        }
        Output consumers = heldBefore == null ? was.output : heldBefore.orElse(null);
        Output wanted = is.output;
        boolean inTrouble = is.inTrouble;
        boolean same = !inTrouble && (wanted == null ? consumers == null : wanted.hasSameContent(consumers));
        if (same && Objects.equals(wanted, consumers)) {
            release(key, heldBefore);
        } else if (same) {
            // Only the order of keys differs: nothing is published, but the digest counts what consumers hold.
            hold(key, heldBefore, Optional.of(consumers));
        } else if (rule == Holdings.Rule.ALL || inTrouble) {
            hold(key, heldBefore, Optional.ofNullable(consumers));
        } else {
            release(key, heldBefore);
            emissions.add(new Emission(
                    key,
                    wanted == null ? null : is.facts,
                    is.facts == null ? was.owner : is.owner,
                    consumers == null ? "" : consumers.form()));
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
        } else if (heldBefore.filter(Output.LOST::equals).isPresent()) {
            heldChanges.put(
                    key, heldBefore); // opening a workspace creates this entry, so the store may not have it yet
        }
    }

    private void release(DocumentKey key, Optional<Output> heldBefore) {
        if (heldBefore != null) {
            held = held.without(key);
            heldChanges.put(key, null);
        }
    }

    /**
     * The record that belongs under a key.
     *
     * @param facts the facts of the document, or of the owner that derives it; null if there is none
     * @param owner the owner that derives the record; null if the record is not derived
     * @param output the record; null if there is none, or if it has a problem
     */
    private record Claim(Facts facts, DocumentId owner, Output output, boolean inTrouble) {

        private static final Claim NONE = new Claim(null, null, null, false);

        /** The record of a derived document; null if the record is not derived, or has a problem. */
        Update.DerivedRecord ofDerived() {
            return owner == null || inTrouble ? null : new Update.DerivedRecord(owner, output);
        }
    }

    private Claim claim(DocumentKey key) {
        Facts document = after.rendered(key);
        return document == null ? derived(after, deriving.after(), key) : claim(document, evaluation(document.id()));
    }

    private Claim claimBefore(DocumentKey key) {
        Facts document = before.graph().rendered(key);
        return document == null
                ? derived(before.graph(), before.derivations(), key)
                : claim(document, evaluationBefore(document.id()));
    }

    private static Claim claim(Facts document, Evaluation evaluation) {
        return new Claim(document, null, evaluation.output(), evaluation.isInTrouble());
    }

    private static Claim derived(Graph graph, Derivations derivations, DocumentKey key) {
        List<DocumentId> owners = derivations.deriving(key);
        if (owners.isEmpty()) {
            DocumentId stale = derivations.lastOwner(key);
            return stale == null ? Claim.NONE : new Claim(null, stale, null, true);
        }
        DocumentId owner = owners.get(0);
        return owners.size() > 1
                ? new Claim(null, null, null, true)
                : new Claim(
                        graph.facts(owner),
                        owner,
                        derivations.of(owner).documents().get(key),
                        false);
    }

    /* Most documents were just inspected, and the map of inspected documents is smaller than that of all. */
    private Evaluation evaluation(DocumentId id) {
        Reevaluation again = deriving.changed().get(id);
        return again == null ? deriving.evaluations().get(id) : again.now();
    }

    private Evaluation evaluationBefore(DocumentId id) {
        Reevaluation again = deriving.changed().get(id);
        return again == null ? before.evaluation(id) : again.before();
    }

    /** The records to publish, in order of their keys. */
    List<Emission> emissions() {
        emissions.sort(Comparator.comparing(Emission::key));
        return emissions;
    }

    /** The derived documents that differ from before; empty for documents that no longer exist. */
    Map<DocumentKey, Optional<Update.DerivedRecord>> derivedChanges() {
        return derivedChanges;
    }

    Map<DocumentKey, Optional<Output>> heldChanges() {
        return heldChanges;
    }

    /**
     * What consumers hold after the emissions are published.
     *
     * @param revision the last revision that was published completely
     */
    Holdings holdings(long revision) {
        return new Holdings(held, records, digest, revision, rule);
    }
}
