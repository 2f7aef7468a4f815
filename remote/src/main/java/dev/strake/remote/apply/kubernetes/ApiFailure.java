package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.time.Duration;

/** An API server rejected a request. */
final class ApiFailure extends Exception {

    private final int code;
    private final MapValue status;
    private final Duration retryAfter;

    /**
     * @param code the HTTP status code
     * @param status the body of the response; of kind {@code Status} if an API server sent it
     * @param retryAfter how long the server asks to wait before a retry
     */
    ApiFailure(int code, MapValue status, Duration retryAfter) {
        super("HTTP " + code);
        this.code = code;
        this.status = status;
        this.retryAfter = retryAfter;
    }

    int code() {
        return code;
    }

    Duration retryAfter() {
        return retryAfter;
    }

    /** Returns the error as text. Messages may quote values, so a secret object shows only reason and fields. */
    String told(boolean secret) {
        String message = status.text("message");
        StringBuilder told = new StringBuilder("the API server answers " + code);
        String reason = status.text("reason");
        if (!reason.isEmpty()) {
            told.append(' ').append(reason);
        }
        if (!secret) {
            return message.isEmpty() ? told.toString() : told + ": " + message;
        }
        for (Value cause : status.map("details").items("causes")) {
            if (cause instanceof MapValue map && !map.text("field").isEmpty()) {
                told.append(" (").append(map.text("field")).append(')');
            }
        }
        return told.toString();
    }
}
