package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.object.InvalidPatchException;
import java.util.Optional;

/**
 * The decision about one object.
 *
 * @param action the action
 * @param object the object afterwards; null if there is none
 * @param request the request to the API server; empty if none is sent
 * @param failure why the action fails; then the request is the one that the server would reject
 */
public record ApplyResult(
        Action action, MapValue object, Optional<Request> request, Optional<InvalidPatchException> failure) {

    /** What an applier does with an object. */
    public enum Action {
        CREATE("create"),
        PATCH("patch"),
        DELETE("delete"),
        NONE("none"),
        /** Nothing, because the object belongs to another owner. */
        REFUSED_OTHER_PARENT("refused-other-parent"),
        /** Nothing until the deletion is confirmed. */
        HELD("held"),
        /** Nothing, because of an error. */
        FAILED("failed");

        private final String text;

        Action(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** Types of requests to an API server. */
    public enum RequestType {
        CREATE("POST", "application/json"),
        MERGE_PATCH("PATCH", "application/merge-patch+json"),
        STRATEGIC_MERGE_PATCH("PATCH", "application/strategic-merge-patch+json"),
        DELETE("DELETE", null);

        private final String method;
        private final String contentType;

        RequestType(String method, String contentType) {
            this.method = method;
            this.contentType = contentType;
        }

        public String method() {
            return method;
        }

        /** Returns the content type of the body; null if there is no body. */
        public String contentType() {
            return contentType;
        }
    }

    /**
     * A request to an API server.
     *
     * @param body the body; null if there is none
     */
    public record Request(RequestType type, MapValue body) {

        /** Never shows the content. */
        @Override
        public String toString() {
            return "Request[" + type + "]";
        }
    }

    static ApplyResult nothing(Action action, MapValue object) {
        return new ApplyResult(action, object, Optional.empty(), Optional.empty());
    }

    static ApplyResult failed(Request request, InvalidPatchException failure) {
        return new ApplyResult(Action.FAILED, null, Optional.ofNullable(request), Optional.of(failure));
    }

    static ApplyResult of(Action action, MapValue object, RequestType type, MapValue body) {
        return new ApplyResult(action, object, Optional.of(new Request(type, body)), Optional.empty());
    }

    /** Never shows the content. */
    @Override
    public String toString() {
        return "ApplyResult[" + action + "]";
    }
}
