package dev.strake.engine.render;

import dev.strake.engine.derivation.Read;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Fingerprint;
import java.util.HashMap;
import java.util.Map;

/**
 * The result of the last evaluation of an owner. Kept as long as the owner is in force.
 *
 * @param owner hash of what was used of the owner itself; null if it had a problem before anything could be derived
 * @param reads the reads in other documents, with their results
 * @param documents the records of the derived documents. If they are stale, they are those of the last evaluation that
 *     made any, without those that other documents have taken over
 * @param isStale whether the documents could not be derived again
 * @param problem the problem with deriving; null if there is none
 * @param cause the document that caused the problem, if it is another one; null otherwise
 */
public record Derived(
        Fingerprint owner,
        Map<Read, Fingerprint> reads,
        Map<DocumentKey, Output> documents,
        boolean isStale,
        Problem problem,
        DocumentId cause) {

    /** The result before anything was derived. */
    static final Derived NOTHING = new Derived(null, Map.of(), Map.of(), true, null, null);

    /** This result for an owner that now has a problem of its own. */
    Derived ofTroubledOwner() {
        return new Derived(null, Map.of(), documents, true, null, null);
    }

    /** Whether one of the derived documents has secrets. */
    public boolean isSecret() {
        return documents.values().stream().anyMatch(Output::secret);
    }

    /** This result, with records that are known to be published in this form. */
    public Derived in(String form) {
        Map<DocumentKey, Output> formed = new HashMap<>(documents);
        formed.replaceAll((key, output) -> output.secret() ? output.in(form) : output);
        return new Derived(owner, reads, formed, isStale, problem, cause);
    }

    Derived without(DocumentKey document) {
        Map<DocumentKey, Output> fewer = new HashMap<>(documents);
        fewer.remove(document);
        return new Derived(owner, reads, fewer, isStale, problem, cause);
    }
}
