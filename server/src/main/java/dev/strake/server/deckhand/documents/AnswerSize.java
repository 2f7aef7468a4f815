package dev.strake.server.deckhand.documents;

import dev.strake.engine.tree.MapValue;
import dev.strake.server.http.RefusedException;

/** How much the documents of one answer take: they are sorted, so all are in memory. */
public final class AnswerSize {

    /** Measured as JSON; as trees they take four to five times as much. */
    private static final long MOST_BYTES = 64 << 20;

    private long bytes;

    /**
     * Adds a document.
     *
     * @throws RefusedException if that is too much
     */
    public void add(MapValue document) {
        bytes += document.weight();
        if (bytes > MOST_BYTES) {
            throw new RefusedException(
                    422,
                    "AnswerTooLarge",
                    "The documents take more memory than there is for one answer. Ask for some of them, by schema"
                            + " or by bucket.");
        }
    }
}
