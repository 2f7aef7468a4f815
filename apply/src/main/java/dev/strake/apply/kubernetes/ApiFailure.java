package dev.strake.apply.kubernetes;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
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
        String message = text(status, "message");
        StringBuilder told = new StringBuilder("the API server answers " + code);
        String reason = text(status, "reason");
        if (!reason.isEmpty()) {
            told.append(' ').append(reason);
        }
        if (!secret) {
            return message.isEmpty() ? told.toString() : told + ": " + message;
        }
        if (status.get("details") instanceof MapValue details && details.get("causes") instanceof ListValue causes) {
            causes.items().forEach(cause -> {
                if (cause instanceof MapValue map && !text(map, "field").isEmpty()) {
                    told.append(" (").append(text(map, "field")).append(')');
                }
            });
        }
        return told.toString();
    }

    private static String text(MapValue map, String member) {
        return map.get(member) instanceof Text text ? text.value() : "";
    }
}
