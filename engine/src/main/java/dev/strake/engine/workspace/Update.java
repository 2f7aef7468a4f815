package dev.strake.engine.workspace;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Output;
import dev.strake.engine.render.Reevaluation;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that one change makes of a workspace: the next head, and what has to be stored and published with it.
 *
 * @param status how much of the revision was published
 * @param edits what the revision does to documents
 * @param moved documents that were not edited but have another parent now
 * @param evaluations evaluations that are new, also those with the same result
 * @param data rendered data that is new: of documents that others are made from, and of those whose record was not kept
 * @param records the JSON of new records, as far as it was kept; the others are made of document and data
 * @param emissions records to publish, in order of their keys
 * @param problems the problem of each document whose problem is another one; empty where it cleared
 * @param held for each key whose record may differ from the published one: the published one, empty if there is none;
 *     null where nothing is held back any more
 * @param work what it took
 */
public record Update(
        Workspace next,
        Status status,
        Map<DocumentId, Edit> edits,
        Set<DocumentId> moved,
        Map<DocumentId, Reevaluation> evaluations,
        Map<DocumentId, Value> data,
        Map<DocumentId, byte[]> records,
        List<Emission> emissions,
        Map<DocumentId, Optional<Problem>> problems,
        Map<DocumentKey, Optional<Output>> held,
        Work work,
        List<Problem> warnings) {

    /**
     * What a change took to work out.
     *
     * @param affected documents the change could reach
     * @param evaluated documents rendered again
     * @param effort steps of {@link dev.strake.engine.limit.ChangeEffort}: all that was looked at, read and written
     */
    public record Work(int affected, int evaluated, long effort) {}

    /** How much of a revision was published. */
    public enum Status {
        /** All of it. */
        RENDERED,
        /** Nothing: consumers keep the last revision that rendered as a whole. */
        FAILED,
        /** What could be rendered; documents in trouble keep their last rendering. */
        PARTIAL
    }

    /** How many edits are of a kind. */
    public int count(Edit.Kind kind) {
        return Edit.count(edits.values(), kind);
    }

    /** How many records consumers are to remove; the other emissions are documents. */
    public int removed() {
        int count = 0;
        for (Emission emission : emissions) {
            count += emission.isRemoval() ? 1 : 0;
        }
        return count;
    }
}
