package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Renders a whole set of documents from nothing, the way one would explain it: the oracle for the incremental engine.
 * Written after the description of Deckhand and the notes on BOSH's operations, with the same decisions where those
 * leave a choice. All that it shares with the engine are trees and paths.
 */
public final class NaiveRenderer {

    private final Map<DocumentId, PlainDocument> documents = new TreeMap<>();
    private final Links links;
    private final Limits limits;
    private final NaiveDerivation derivation;
    private final Map<DocumentId, Outcome> outcomes;

    /**
     * @param trees documents in valid format, with one identity each
     * @param limits of the data of one document
     */
    public NaiveRenderer(Collection<MapValue> trees, Limits limits) {
        trees.stream().map(PlainDocument::of).forEach(document -> documents.put(document.id(), document));
        this.links = new Links(documents);
        this.limits = limits;
        Map<DocumentId, Outcome> rendered = new NaiveEvaluation(documents, links, limits).outcomes();
        this.derivation = new NaiveDerivation(documents, links, limits, rendered);
        this.outcomes = new TreeMap<>();
        rendered.forEach((id, outcome) -> {
            Trouble trouble = outcome.isInTrouble() ? outcome.trouble() : derivation.trouble(id);
            outcomes.put(id, new Outcome(outcome.data(), trouble, outcome.used()));
        });
    }

    /**
     * For each document in force that derives others, all that was looked at for it, in order; null if it has a problem
     * before it comes to that.
     */
    public Map<DocumentId, List<Object>> usedByOwners() {
        Map<DocumentId, List<Object>> result = new TreeMap<>();
        derivation.owners().forEach((id, owner) -> result.put(id, owner.used()));
        return result;
    }

    /** The keys that each document in force derives; null if it cannot derive any. */
    public Map<DocumentId, Set<DocumentKey>> derived() {
        Map<DocumentId, Set<DocumentKey>> result = new TreeMap<>();
        derivation
                .owners()
                .forEach((id, owner) -> result.put(
                        id, owner.documents() == null ? null : owner.documents().keySet()));
        return result;
    }

    /** Whether something is to be published under a key, or would be if it were the only one. */
    public boolean isClaimed(DocumentKey key) {
        return !derivation.claimants(key).isEmpty();
    }

    /**
     * What became of one document.
     *
     * @param data null if it could not be rendered, or not read at all
     * @param trouble null if nothing is wrong
     * @param used all that went into rendering it; null if it did not come to that
     */
    public record Outcome(Value data, Trouble trouble, List<Object> used) {

        /** Of this, what its data is made of and checked by: everything but whether the document is in force. */
        public List<Object> usedForData() {
            List<Object> result = new ArrayList<>(used);
            result.remove(NaiveEvaluation.IN_FORCE);
            return result;
        }

        public boolean isInTrouble() {
            return trouble != null;
        }
    }

    /** Whether there are documents, but nothing to layer them by. */
    public boolean lacksPolicy() {
        return !documents.isEmpty() && links.layers() == null;
    }

    public Map<DocumentId, Outcome> outcomes() {
        return outcomes;
    }

    /** The limits within which everything was rendered. */
    public Limits limits() {
        return limits;
    }

    /** The layers, the most general one first; null without a policy. */
    public List<String> layers() {
        return links.layers();
    }

    /** For each document, those whose rendering its own rendering reads, directly. */
    public Map<DocumentId, Set<DocumentId>> reads() {
        Map<DocumentId, Set<DocumentId>> result = new TreeMap<>();
        documents.keySet().forEach(id -> result.put(id, links.reads(id)));
        return result;
    }

    /** For each document, all others that can make a difference to it directly. */
    public Map<DocumentId, Set<DocumentId>> heeds() {
        Map<DocumentId, Set<DocumentId>> result = new TreeMap<>();
        documents.keySet().forEach(id -> result.put(id, links.heeds(id)));
        return result;
    }

    /** The documents that are encrypted or made from data of such, in trouble or not. */
    public Set<DocumentId> secrets() {
        return links.secrets();
    }

    /** The keys of the rendered documents that have secrets. */
    public Set<DocumentKey> secretKeys() {
        Set<DocumentKey> result = new TreeSet<>();
        rendered().forEach((key, document) -> {
            if (Secrets.isIn(document.get("data"))) {
                result.add(key);
            }
        });
        return result;
    }

    /** The documents in trouble, and with what. */
    public Map<DocumentId, Trouble> troubles() {
        Map<DocumentId, Trouble> result = new TreeMap<>();
        outcomes.forEach((id, outcome) -> {
            if (outcome.isInTrouble()) {
                result.put(id, outcome.trouble());
            }
        });
        return result;
    }

    /** The keys under which something should be rendered, but is in trouble. */
    public Set<DocumentKey> troubledKeys() {
        Set<DocumentKey> result = new TreeSet<>();
        outcomes.forEach((id, outcome) -> {
            if (outcome.isInTrouble() && links.isRendered(id)) {
                result.add(id.key());
            }
        });
        derived().forEach((owner, keys) -> {
            if (keys != null) {
                keys.stream()
                        .filter(key -> derivation.claimants(key).size() > 1)
                        .forEach(result::add);
            }
        });
        return result;
    }

    /** The rendered documents, without those in trouble; keys of data in the order of the merge. */
    public Map<DocumentKey, MapValue> rendered() {
        Map<DocumentKey, MapValue> result = new TreeMap<>();
        outcomes.forEach((id, outcome) -> {
            if (!outcome.isInTrouble() && links.isRendered(id)) {
                result.put(id.key(), documents.get(id).rendered(outcome.data()));
            }
        });
        derivation.owners().forEach((id, owner) -> {
            if (owner.documents() != null) {
                owner.documents().forEach((key, document) -> {
                    if (derivation.claimants(key).size() == 1) {
                        result.put(key, document);
                    }
                });
            }
        });
        return result;
    }
}
