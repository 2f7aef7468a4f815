package dev.strake.server.deckhand;

import dev.strake.engine.problem.ProblemCode;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import dev.strake.server.state.OpenRevision;
import dev.strake.server.state.Question;
import dev.strake.topology.query.WorkspaceQueries;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A request at the instance that has its workspace. After everything was deleted, Deckhand numbers revisions from 1 again, and
 * Strake goes on. So Deckhand's number is Strake's number minus {@code start}. Revisions up to {@code start} do not exist here.
 *
 * @param start Strake's number of the revision that the last deletion made; 0 if nothing was deleted
 */
record Asked(Question question, long start) {

    /** Eighteen digits fit into a long; no workspace has so many revisions. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");

    static Asked of(Question question) {
        return new Asked(question, question.here().state().start(question.workspace()));
    }

    /**
     * The same after a revision was written.
     *
     * @throws RefusedException if others have deleted everything meanwhile, and so this revision
     */
    Asked afterWriting(long number) {
        Asked now = of(question);
        if (number <= now.start) {
            throw new RefusedException(
                    409,
                    ProblemCode.REVISION_CONFLICT.code(),
                    "While this was written, everything was deleted, and this with it. Send it again.");
        }
        return now;
    }

    Request request() {
        return question.request();
    }

    String workspace() {
        return question.workspace();
    }

    WorkspaceQueries state() {
        return question.here().state();
    }

    /** Strake's number of the head. */
    long head() {
        return state().head(workspace());
    }

    /** Deckhand's number of a revision. */
    long shown(long number) {
        return number - start;
    }

    /**
     * Strake's number of the revision in the path.
     *
     * @throws dev.strake.server.http.RefusedException if there is none, as with the next two
     */
    long revision() {
        return revision(request().path("revision"));
    }

    /** Strake's number of a revision. */
    long revision(String text) {
        long number = revisionOrNone(text);
        if (number == 0) {
            throw Failures.revisionNotFound(text);
        }
        return number;
    }

    /** The same, where 0 is the empty revision before all others. */
    long revisionOrNone(String text) {
        return find(text).orElseThrow(() -> Failures.revisionNotFound(text));
    }

    /** The same; empty if there is no such revision. */
    OptionalLong find(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        long shown = Long.parseLong(text);
        long number = shown == 0 ? 0 : shown + start;
        return number == 0 || state().has(workspace(), number) ? OptionalLong.of(number) : OptionalLong.empty();
    }

    /** A revision to be read, by Strake's number; to be closed. */
    OpenRevision open(long number) {
        return OpenRevision.of(question, state(), number);
    }
}
