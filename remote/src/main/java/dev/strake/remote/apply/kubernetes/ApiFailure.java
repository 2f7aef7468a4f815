package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.time.Duration;

/** An API server answered that it did not do what was asked. */
final class ApiFailure extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient MapValue status;
    private final transient Duration retryAfter;

    /**
     * @param code the HTTP status
     * @param status the answer; of kind {@code Status} if it is from an API server
     * @param retryAfter how long to wait before another try, as the server asks
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

    /** What the server says. Its message may repeat values, so of a secret object only the reason and the fields are told. */
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
