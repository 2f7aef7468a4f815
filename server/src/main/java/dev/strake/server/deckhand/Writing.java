package dev.strake.server.deckhand;

import dev.strake.client.NewChange;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.writing.Writer;
import java.time.Duration;

/**
 * Publishes changes and waits for their outcomes. Clients of Deckhand treat any success as completion, and query the
 * new revision at once.
 */
record Writing(Writer writer) {

    /** Clients of Deckhand have a timeout of 300 seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int LONGEST_NOTE = 1_024;

    /**
     * Publishes a change without conditions.
     *
     * @throws RefusedException if it is rejected, or if its outcome is late; a late change may still be applied
     */
    Outcome write(Request request, NewChange change) {
        return write(request, change, Terms.NONE);
    }

    Outcome write(Request request, NewChange change, Terms terms) {
        return accepted(writer.write(change.with(terms, note(request)), request.principal(), PATIENCE)
                .map(Writer.Answered::outcome)
                .orElseThrow(() -> late(change)));
    }

    /** Returns the error for a change whose outcome is not known yet. */
    static RefusedException late(NewChange change) {
        return new RefusedException(Response.problem(
                        503,
                        "NotYet",
                        "The change %s is written but not applied yet. Repeat the request; what is applied already stays unchanged."
                                .formatted(change.id()))
                .with("Retry-After", "5"));
    }

    private static Outcome accepted(Outcome outcome) {
        if (outcome.status() == OutcomeStatus.REJECTED) {
            throw Failures.ofBody(outcome.problems());
        }
        return outcome;
    }

    /* Stored with the revision. Permissions depend on the token, not on these headers. */
    private static Note note(Request request) {
        return new Note(
                text(request, DeckhandApi.END_USER, ""), text(request, DeckhandApi.CONTEXT_MARKER, "context-marker "));
    }

    private static String text(Request request, String header, String before) {
        return request.header(header)
                .filter(value -> !value.isBlank())
                .map(value -> before + value.substring(0, Math.min(value.length(), LONGEST_NOTE)))
                .orElse(null);
    }
}
