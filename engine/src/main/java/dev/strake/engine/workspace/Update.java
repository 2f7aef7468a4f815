package dev.strake.engine.workspace;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Output;
import dev.strake.engine.render.RecordJson;
import dev.strake.engine.render.Reevaluation;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The result of one change to a workspace: the next head, and what has to be stored and published with it.
 *
 * @param edits the documents that the revision adds, changes or removes
 * @param results the results of the documents
 * @param derived the results of the owners of derived documents
 * @param published what consumers get
 * @param work the counted work
 */
public record Update(
        Workspace next,
        Map<DocumentId, Edit> edits,
        Results results,
        DerivedResults derived,
        Published published,
        Work work,
        List<Problem> warnings) {

    /**
     * The results of documents.
     *
     * @param moved documents with another parent
     * @param evaluations all new evaluations, including those with the same result
     * @param data new rendered data of documents that others are made from
     * @param records the JSON of new records, as far as it was kept; the others are computed again
     */
    public record Results(
            Set<DocumentId> moved,
            Map<DocumentId, Reevaluation> evaluations,
            Map<DocumentId, Value> data,
            Map<DocumentId, RecordJson> records) {}

    /**
     * The results of owners.
     *
     * @param owners the new results; null for documents that are no longer owners
     * @param documents the derived documents that differ from before; empty for documents that no longer exist
     * @param records the JSON of new derived documents, as far as it was kept; the others are computed again
     */
    public record DerivedResults(
            Map<DocumentId, Derived> owners,
            Map<DocumentKey, Optional<DerivedRecord>> documents,
            Map<DocumentKey, RecordJson> records) {}

    /**
     * What consumers get.
     *
     * @param status how much of the revision was published
     * @param emissions records to publish, in order of their keys
     * @param problems the new problem of each document whose problem changed; empty if it no longer has one
     * @param held changes of {@link Holdings#held()}: for each key the published record, empty if there is none; null if the
     *     key is no longer held
     */
    public record Published(
            Status status,
            List<Emission> emissions,
            Map<DocumentId, Optional<Problem>> problems,
            Map<DocumentKey, Optional<Output>> held) {}

    /** The record of a derived document, with its owner. */
    public record DerivedRecord(DocumentId owner, Output output) {}

    /**
     * The work of one change.
     *
     * @param affected documents that the change could reach
     * @param evaluated documents that were rendered again
     * @param cutOff documents that were rendered again with the same result, so that nothing follows
     * @param derivations owners whose documents were derived again
     * @param effort steps of {@link dev.strake.engine.limit.ChangeEffort}
     */
    public record Work(int affected, int evaluated, int cutOff, int derivations, long effort) {

        public static final Work NONE = new Work(0, 0, 0, 0, 0);
    }

    /** How much of a revision was published. */
    public enum Status {
        /** All of it. */
        RENDERED,
        /** Nothing: consumers keep the last revision that rendered as a whole. */
        FAILED,
        /** The documents without problems; the others keep their last rendering. */
        PARTIAL
    }

    public Status status() {
        return published.status();
    }

    public List<Emission> emissions() {
        return published.emissions();
    }

    public Map<DocumentId, Optional<Problem>> problems() {
        return published.problems();
    }

    public int count(Edit.Kind kind) {
        return Edit.count(edits.values(), kind);
    }

    /** How many emissions are tombstones. */
    public int removed() {
        int count = 0;
        for (Emission emission : emissions()) {
            count += emission.isRemoval() ? 1 : 0;
        }
        return count;
    }
}
