package dev.strake.remote.fetch.policy;

import java.io.IOException;

/**
 * Something could not be fetched or taken. The message is shown to people and published with the status of the resource:
 * it names places and never repeats what a header, a query or an answer holds. Libraries of HTTP and git hand it on.
 */
public final class FetchException extends IOException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, as the status of a resource tells it. */
    public enum Code {
        /** The resource itself is wrong. */
        INVALID_RESOURCE("InvalidRemoteResource"),
        /** The policy of the fetcher forbids the place. */
        REFUSED("FetchRefused"),
        /** Nobody answers, or not in time. */
        UNREACHABLE("SourceUnreachable"),
        /** The answer is none that helps. */
        ANSWER("SourceAnswer"),
        /** The answer is larger than it may be. */
        TOO_LARGE("SourceTooLarge"),
        /** What was fetched are no documents. */
        CONTENT("InvalidContent"),
        /** What was fetched is not what was pinned. */
        DIGEST("DigestMismatch"),
        /** A document that the resource refers to is missing, or cannot be used. */
        REFERENCE("ReferenceNotFound");

        private final String text;

        Code(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    private final Code code;

    public FetchException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }
}
