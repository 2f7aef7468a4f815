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
 * Publishes what requests ask for, and waits until it is done: a client of Deckhand takes any success for done, and asks for the
 * new revision at once.
 */
final class Writing {

    /** Clients of Deckhand wait for 300 seconds. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int LONGEST_NOTE = 1_024;

    private final Writer writer;

    Writing(Writer writer) {
        this.writer = writer;
    }

    /**
     * Writes a change on no terms.
     *
     * @throws RefusedException if it is rejected, or its outcome is late; then it may be written all the same
     */
    Outcome write(Request request, NewChange change) {
        return write(request, change, Terms.NONE);
    }

    Outcome write(Request request, NewChange change, Terms terms) {
        return accepted(writer.write(change.with(terms, note(request)), request.principal(), PATIENCE)
                .map(Writer.Answered::outcome)
                .orElseThrow(() -> late(change)));
    }

    /** Why nobody knows yet what became of a change. */
    static RefusedException late(NewChange change) {
        return new RefusedException(Response.problem(
                        503,
                        "NotYet",
                        "The change %s is written, and not applied yet. Repeat the request: what is there already stays as it is."
                                .formatted(change.id()))
                .with("Retry-After", "5"));
    }

    private static Outcome accepted(Outcome outcome) {
        if (outcome.status() == OutcomeStatus.REJECTED) {
            throw Failures.ofBody(outcome.problems());
        }
        return outcome;
    }

    /* Kept with the revision. Who may do this is told by its token, and not by these. */
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
