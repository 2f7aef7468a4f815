package dev.strake.server.http;

import org.eclipse.jetty.io.QuietException;

/** Rejects a request. The client gets the reason, unless part of the response was already sent. */
public class RefusedException extends RuntimeException implements QuietException {

    private final Response instead;

    public RefusedException(Response instead) {
        super("answered " + instead.status() + " instead");
        this.instead = instead;
    }

    public RefusedException(int status, String code, String message) {
        this(Response.problem(status, code, message));
    }

    /** Returns an exception for a condition that may pass; the client should retry. */
    public static RefusedException tryAgain(String code, String message) {
        return new RefusedException(Response.tryAgain(code, message));
    }

    static RefusedException busy() {
        return tryAgain(
                "Busy", "Too many requests are in progress, or this instance is stopping. Try again in a moment.");
    }

    public Response instead() {
        return instead;
    }
}
