package dev.strake.remote.apply.patch;

import dev.strake.engine.tree.MapValue;
import dev.strake.remote.object.InvalidPatchException;
import java.util.Optional;

/**
 * What to do with one object, and what comes of it.
 *
 * @param action what is done
 * @param object the object as it is afterwards; null if there is none
 * @param request what to send to the API server; empty if nothing is sent
 * @param failure why nothing comes of it; the request is then the one that would be refused
 */
public record ApplyResult(
        Action action, MapValue object, Optional<Request> request, Optional<InvalidPatchException> failure) {

    /** What is done. */
    public enum Action {
        CREATE("create"),
        PATCH("patch"),
        DELETE("delete"),
        NONE("none"),
        /** Nothing, because the object belongs to another owner. It is none of the objects of this one. */
        REFUSED_OTHER_PARENT("refused-other-parent"),
        /** Nothing before somebody confirms it. */
        HELD("held"),
        /** Nothing, because it cannot be done. */
        FAILED("failed");

        private final String text;

        Action(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** The requests that an applier sends. */
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

        /** The content type of the body; null without a body. */
        public String contentType() {
            return contentType;
        }
    }

    /**
     * A request to an API server.
     *
     * @param body null without one
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
