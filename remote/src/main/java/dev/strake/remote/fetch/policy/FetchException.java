package dev.strake.remote.fetch.policy;

import java.io.IOException;

/**
 * Content could not be fetched or accepted. The message is published with the status of the resource: it names places,
 * and never quotes a header, query or response. An {@code IOException}, so that HTTP and git libraries pass it on.
 */
public final class FetchException extends IOException {

    /** The kind of error, as stated in the status of a resource. */
    public enum Code {
        /** The resource itself is invalid. */
        INVALID_RESOURCE("InvalidRemoteResource"),
        /** The policy of the fetcher forbids the place. */
        REFUSED("FetchRefused"),
        /** The source does not respond, or not in time. */
        UNREACHABLE("SourceUnreachable"),
        /** The response is unusable. */
        ANSWER("SourceAnswer"),
        /** The response exceeds the size limit. */
        TOO_LARGE("SourceTooLarge"),
        /** The content consists of no valid documents. */
        CONTENT("InvalidContent"),
        /** The content does not match the pinned hash. */
        DIGEST("DigestMismatch"),
        /** A document that the resource refers to is missing or unusable. */
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
