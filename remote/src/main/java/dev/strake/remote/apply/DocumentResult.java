package dev.strake.remote.apply;

import dev.strake.engine.identity.DocumentKey;
import java.util.Locale;

/**
 * The state of one document at one target.
 *
 * @param object the identity of the object
 * @param revision the revision that last changed the document
 * @param reason what the operator has to know; empty if applied. Contains no value of a secret document
 */
public record DocumentResult(DocumentKey document, String object, long revision, Status status, String reason) {

    /** The state of the document. */
    public enum Status {
        /** The target has the document. */
        APPLIED,
        /** The operator or the owner of the target has to act first. */
        HELD,
        /** The document could not be applied and is retried. */
        FAILED,
        /** Somebody changed the object or file at the target. */
        DRIFTED,
        /** The document contains secrets, which the target does not receive. */
        OMITTED;

        /** The stable name in records. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Receives the results of documents. */
    public interface Listener {

        /** Ignores all results. */
        Listener NONE = new Listener() {};

        /** The target has processed a document. */
        default void became(DocumentResult result) {}

        /** A document left the workspace. Its file or object was removed, or left to others. */
        default void gone(DocumentKey document) {}
    }
}
