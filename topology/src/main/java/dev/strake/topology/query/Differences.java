package dev.strake.topology.query;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import java.util.SortedMap;

/**
 * What differs between two revisions: documents as published, and rendered ones.
 *
 * @param problems why a rendered document is missing in one of the two, though its document is there: of those that differ as
 *     deleted in the second revision, of those that differ as created in the first
 */
public record Differences(
        SortedMap<DocumentId, Difference> documents,
        SortedMap<DocumentKey, Difference> rendered,
        SortedMap<DocumentKey, Problem> problems) {

    /** How something differs. */
    public enum Difference {
        CREATED,
        MODIFIED,
        DELETED
    }
}
