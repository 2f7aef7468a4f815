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
 * Renders a whole set of documents from scratch, in the most obvious way: the oracle for the incremental engine.
 * Written from the description of Deckhand and the notes on BOSH's operations, with the same decisions where those
 * leave a choice. Shares only trees and paths with the engine.
 */
public final class NaiveRenderer {

    private final Map<DocumentId, PlainDocument> documents = new TreeMap<>();
    private final Links links;
    private final Limits limits;
    private final NaiveDerivation derivation;
    private final Map<DocumentId, Outcome> outcomes;

    /**
     * @param trees documents in valid format with distinct identities
     * @param limits limits for the data of one document
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

    /** For each owner in force, everything that it read, in order; null if its problem prevents reading. */
    public Map<DocumentId, List<Object>> usedByOwners() {
        Map<DocumentId, List<Object>> result = new TreeMap<>();
        derivation.owners().forEach((id, owner) -> result.put(id, owner.used()));
        return result;
    }

    /** The keys derived by each owner in force; null if the owner cannot derive documents. */
    public Map<DocumentId, Set<DocumentKey>> derived() {
        Map<DocumentId, Set<DocumentKey>> result = new TreeMap<>();
        derivation
                .owners()
                .forEach((id, owner) -> result.put(
                        id, owner.documents() == null ? null : owner.documents().keySet()));
        return result;
    }

    /** Whether a document is published under a key, or would be without its competitors. */
    public boolean isClaimed(DocumentKey key) {
        return !derivation.claimants(key).isEmpty();
    }

    /**
     * The result of one document.
     *
     * @param data null if the document could not be rendered or read
     * @param trouble null if there is no problem
     * @param used all inputs of the rendering; null if evaluation did not get that far
     */
    public record Outcome(Value data, Trouble trouble, List<Object> used) {

        /** The inputs of the data and of its validation: everything but whether the document is in force. */
        public List<Object> usedForData() {
            List<Object> result = new ArrayList<>(used);
            result.remove(NaiveEvaluation.IN_FORCE);
            return result;
        }

        public boolean isInTrouble() {
            return trouble != null;
        }
    }

    /** Whether there are documents, but no layering policy. */
    public boolean lacksPolicy() {
        return !documents.isEmpty() && links.layers() == null;
    }

    public Map<DocumentId, Outcome> outcomes() {
        return outcomes;
    }

    /** The limits of this rendering. */
    public Limits limits() {
        return limits;
    }

    /** The layers, the most general one first; null without a policy. */
    public List<String> layers() {
        return links.layers();
    }

    /** For each document, the documents whose rendering is a direct input of its own. */
    public Map<DocumentId, Set<DocumentId>> reads() {
        Map<DocumentId, Set<DocumentId>> result = new TreeMap<>();
        documents.keySet().forEach(id -> result.put(id, links.reads(id)));
        return result;
    }

    /** For each document, all others that may directly affect it. */
    public Map<DocumentId, Set<DocumentId>> heeds() {
        Map<DocumentId, Set<DocumentId>> result = new TreeMap<>();
        documents.keySet().forEach(id -> result.put(id, links.heeds(id)));
        return result;
    }

    /** The documents that are encrypted or made from encrypted data, including those in trouble. */
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

    /** The documents in trouble, with their problems. */
    public Map<DocumentId, Trouble> troubles() {
        Map<DocumentId, Trouble> result = new TreeMap<>();
        outcomes.forEach((id, outcome) -> {
            if (outcome.isInTrouble()) {
                result.put(id, outcome.trouble());
            }
        });
        return result;
    }

    /** The keys of documents that should be rendered but are in trouble. */
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

    /** The rendered documents, without those in trouble; the keys of data have the order of the merge. */
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
