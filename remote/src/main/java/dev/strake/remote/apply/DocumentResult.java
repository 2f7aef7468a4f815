package dev.strake.remote.apply;

import dev.strake.engine.identity.DocumentKey;
import java.util.Locale;

/**
 * What became of one document at one target.
 *
 * @param object the identity of the object
 * @param revision that brought the document
 * @param reason what somebody has to know; empty if it was applied. Never has a value of a secret document
 */
public record DocumentResult(DocumentKey document, String object, long revision, Status status, String reason) {

    /** What became of it. */
    public enum Status {
        /** The target has it. */
        APPLIED,
        /** Somebody has to do something first. */
        HELD,
        /** It could not be applied; it is tried again. */
        FAILED,
        /** Somebody changed it at the target. */
        DRIFTED,
        /** It has secrets, which the target does not get. */
        OMITTED;

        /** The stable name. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Who hears what becomes of documents. */
    public interface Listener {

        /** Hears nothing. */
        Listener NONE = new Listener() {};

        /** A document was looked at. */
        default void became(DocumentResult result) {}

        /** A document left the workspace, and what was made of it is gone or left to others. */
        default void gone(DocumentKey document) {}
    }
}
