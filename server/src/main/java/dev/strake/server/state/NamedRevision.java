package dev.strake.server.state;

import dev.strake.client.RevisionName;
import dev.strake.engine.problem.Problem;
import dev.strake.topology.query.WorkspaceQueries;

/** Finds the revision that somebody names. */
final class NamedRevision {

    private NamedRevision() {}

    /**
     * The number of the revision that is meant.
     *
     * @throws dev.strake.server.http.RefusedException if there is none, or it is not kept
     */
    static long find(WorkspaceQueries state, String workspace, String text) {
        RevisionName name = new RevisionName(text);
        if (text.equals(RevisionName.HEAD)) {
            return state.head(workspace);
        }
        if (text.equals(RevisionName.PUBLISHED)) {
            return state.published(workspace)
                    .orElseThrow(() -> Refused.noRevision(
                            "The revision that consumers hold was pruned, and all later ones failed. Correct"
                                    + " what fails."));
        }
        if (name.number().isEmpty()) {
            return state.tagged(workspace, text)
                    .orElseThrow(() -> Refused.noRevision(
                            "The workspace has no revision with the tag %s. List its tags.".formatted(text)));
        }
        long revision = name.number().getAsLong();
        if (!state.has(workspace, revision)) {
            Problem missing = state.missing(workspace, revision);
            throw Refused.noRevision(missing.message() + " (" + missing.hint() + ")");
        }
        return revision;
    }

    /** A number as somebody gave it. */
    static long number(String text) {
        return new RevisionName(text)
                .number()
                .orElseThrow(() -> new IllegalArgumentException("The number of a revision has to be 0 or more."));
    }
}
