package dev.strake.server.deckhand.documents;

import dev.strake.engine.tree.MapValue;
import dev.strake.server.http.RefusedException;

/** Limits the size of the documents in a response, all of which are in memory for sorting. */
public final class AnswerSize {

    /** The size as JSON; trees take four to five times as much. */
    private static final long MOST_BYTES = 64 << 20;

    private long bytes;

    /**
     * Adds a document.
     *
     * @throws RefusedException if the limit is exceeded
     */
    public void add(MapValue document) {
        bytes += document.weight();
        if (bytes > MOST_BYTES) {
            throw new RefusedException(
                    422,
                    "AnswerTooLarge",
                    "The documents are too large for one answer. Ask for some of them, by schema or by bucket.");
        }
    }
}
