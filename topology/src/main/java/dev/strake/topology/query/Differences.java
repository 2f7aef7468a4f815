package dev.strake.topology.query;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import java.util.SortedMap;

/**
 * The differences between two revisions: in documents as published, and in rendered ones.
 *
 * @param problems why a rendered document is missing from one of the two although its document exists: from the second
 *     revision if the difference is deleted, from the first if it is created
 */
public record Differences(
        SortedMap<DocumentId, Difference> documents,
        SortedMap<DocumentKey, Difference> rendered,
        SortedMap<DocumentKey, Problem> problems) {

    /** The kinds of differences. */
    public enum Difference {
        CREATED,
        MODIFIED,
        DELETED
    }
}
