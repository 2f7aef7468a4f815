package dev.strake.server.state;

import dev.strake.engine.problem.Problem;
import dev.strake.topology.query.WorkspaceQueries;

/** How a revision is named: by its number, by a tag, as the head, or as the one that consumers hold. */
final class RevisionName {

    private static final String HEAD = "head";

    /** The last revision that did not fail. */
    private static final String PUBLISHED = "published";

    private RevisionName() {}

    /**
     * The number of the revision that is meant.
     *
     * @throws UnknownException if there is none, or it is not kept
     */
    static long find(WorkspaceQueries state, String workspace, String name) {
        if (name.equals(HEAD)) {
            return state.head(workspace);
        }
        if (name.equals(PUBLISHED)) {
            return state.published(workspace)
                    .orElseThrow(() -> new UnknownException(
                            "The revision that consumers hold was pruned, and all later ones failed. Correct"
                                    + " what fails."));
        }
        if (!name.matches("[-+]?[0-9]+")) {
            return state.tagged(workspace, name)
                    .orElseThrow(() -> new UnknownException(
                            "The workspace has no revision with the tag %s. List its tags.".formatted(name)));
        }
        long revision = number(name);
        if (!state.has(workspace, revision)) {
            Problem missing = state.missing(workspace, revision);
            throw new UnknownException(missing.message() + " (" + missing.hint() + ")");
        }
        return revision;
    }

    /** A number as somebody gave it. */
    static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("A revision has to be a number of 0 or more, a tag, head or published.");
        }
        return Long.parseLong(text);
    }

    /** There is no such revision, with the reason for whoever asked. */
    static final class UnknownException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnknownException(String message) {
            super(message);
        }
    }
}
