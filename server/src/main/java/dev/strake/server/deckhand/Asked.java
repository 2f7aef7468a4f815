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
 * A request at the instance that owns its workspace. After everything was deleted, Deckhand numbers revisions from 1
 * again, but Strake does not. So Deckhand's number is Strake's minus {@code start}. Revisions up to {@code start} do
 * not exist here.
 *
 * @param start Strake's number of the revision made by the last deletion; 0 if there was none
 */
record Asked(Question question, long start) {

    /** At most eighteen digits, which fit into a long. */
    private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,17}");

    static Asked of(Question question) {
        return new Asked(
                question,
                question.here().state().history().horizon(question.workspace()).start());
    }

    /**
     * Returns the request with the current state, after a revision was written.
     *
     * @throws RefusedException if another client has deleted everything meanwhile, including this revision
     */
    Asked afterWriting(long number) {
        Asked now = of(question);
        if (number <= now.start) {
            throw new RefusedException(
                    409,
                    ProblemCode.REVISION_CONFLICT.code(),
                    "The workspace was deleted while this was written, and this with it. Send it again.");
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
        return state().history().lastRevision(workspace());
    }

    /** Returns Deckhand's number of a revision. */
    long shown(long number) {
        return number - start;
    }

    /**
     * Returns Strake's number of the revision in the path.
     *
     * @throws dev.strake.server.http.RefusedException if the revision does not exist, as in the next two methods
     */
    long revision() {
        return revision(request().path("revision"));
    }

    /** Returns Strake's number of a revision. */
    long revision(String text) {
        long number = revisionOrNone(text);
        if (number == 0) {
            throw Failures.revisionNotFound(text);
        }
        return number;
    }

    /** As {@link #revision(String)}, but also accepts 0, the empty revision. */
    long revisionOrNone(String text) {
        return find(text).orElseThrow(() -> Failures.revisionNotFound(text));
    }

    /** As {@link #revisionOrNone}, but empty if the revision does not exist. */
    OptionalLong find(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        long shown = Long.parseLong(text);
        long number = shown == 0 ? 0 : shown + start;
        return number == 0 || state().history().isKept(workspace(), number)
                ? OptionalLong.of(number)
                : OptionalLong.empty();
    }

    /** Opens a revision by Strake's number. */
    OpenRevision open(long number) {
        return OpenRevision.of(question, state(), number);
    }
}
