package dev.strake.engine.workspace;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Facts;
import java.util.Collection;

/**
 * The edit of one document by a revision.
 *
 * @param facts the new facts; null if the document is removed
 * @param document the new document; null if it is removed
 * @param place the position of the document in the change, from 0; not part of its content
 */
public record Edit(Kind kind, Facts facts, Document document, int place) {

    /** How the document differs from the revision before. */
    public enum Kind {
        ADDED,
        CHANGED,
        REMOVED
    }

    /** The removal of a document. */
    public static final Edit REMOVAL = new Edit(Kind.REMOVED, null, null, 0);

    /** Restores a document. The plan decides whether that adds or changes it. */
    public static Edit of(Document document, String bucket, int place) {
        return new Edit(Kind.CHANGED, Facts.of(document, bucket), document, place);
    }

    /** This edit as a change if the previous revision has the document, or else as an addition. */
    Edit of(boolean isThere) {
        return new Edit(isThere ? Kind.CHANGED : Kind.ADDED, facts, document, place);
    }

    static int count(Collection<Edit> edits, Kind kind) {
        int count = 0;
        for (Edit edit : edits) {
            count += edit.kind == kind ? 1 : 0;
        }
        return count;
    }
}
