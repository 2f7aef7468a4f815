package dev.strake.server.http;

import org.eclipse.jetty.io.QuietException;

/** A request is not answered as it was meant, for a reason that the client is told unless it has a part of the answer already. */
public final class RefusedException extends RuntimeException implements QuietException {

    private static final long serialVersionUID = 1L;

    private final transient Response instead;

    public RefusedException(Response instead) {
        super("answered " + instead.status() + " instead");
        this.instead = instead;
    }

    public RefusedException(int status, String code, String message) {
        this(Response.problem(status, code, message));
    }

    /** Asking again in a moment may help. */
    public static RefusedException tryAgain(String code, String message) {
        return new RefusedException(Response.tryAgain(code, message));
    }

    static RefusedException busy() {
        return tryAgain("Busy", "Too many answers are under way, or this instance is stopping. Ask again in a moment.");
    }

    public Response instead() {
        return instead;
    }
}
