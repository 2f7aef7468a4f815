package dev.strake.remote.fetch.attempt;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The status of a resource after an attempt. Published as a document {@code razee/RemoteResourceStatus/v1alpha2} in a
 * separate topic: in the workspace, each attempt would make a revision.
 *
 * @param state the state in one word
 * @param requests the result of each request, in order
 * @param counts the numbers of documents: in the source, removed, kept without a source, waiting to be confirmed
 * @param change the last change with its outcome; empty if there was none yet
 * @param confirm the value that confirms held content; empty if nothing is held
 * @param problem the problem; empty if there is none
 */
public record Status(
        State state,
        String bucket,
        List<OfRequest> requests,
        Counts counts,
        Optional<OfChange> change,
        String confirm,
        Optional<Trouble> problem) {

    /** The schema of status documents. */
    static final String SCHEMA = "razee/RemoteResourceStatus/v1alpha2";

    public enum State {
        /** The bucket equals the source. */
        OK("ok"),
        /** Content of the source is held until it is confirmed. */
        HELD("held"),
        /** The source or the resource has a problem. The bucket keeps its content. */
        FAILED("failed");

        private final String text;

        State(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** The result of a request: place, revision of the source, and the problem if an optional request failed. */
    public record OfRequest(String place, String revision, int files, String problem) {}

    /** A problem that needs attention. */
    public record Trouble(String code, String message) {}

    public record Counts(int documents, int removed, int kept, int waiting) {

        static final Counts NONE = new Counts(0, 0, 0, 0);
    }

    /** A change, its outcome, and the revision that it made. */
    public record OfChange(String id, String outcome, Long revision) {}

    public Status {
        requests = List.copyOf(requests);
    }

    /** Returns the status of a resource that could not be fetched. */
    public static Status failed(String bucket, List<OfRequest> requests, String code, String message) {
        return new Status(
                State.FAILED,
                bucket,
                requests,
                Counts.NONE,
                Optional.empty(),
                "",
                Optional.of(new Trouble(code, message)));
    }

    public String code() {
        return problem.map(Trouble::code).orElse("");
    }

    public String message() {
        return problem.map(Trouble::message).orElse("");
    }

    /** Returns the status document. Times are in UTC; {@code lastSuccess} is left out if there was none. */
    public MapValue document(String name, Instant attempt, Instant success, Instant next) {
        List<Value> list = new ArrayList<>();
        for (OfRequest request : requests) {
            MapValue.Builder one = MapValue.builder().put("source", request.place());
            if (request.problem().isEmpty()) {
                one.put("revision", request.revision()).put("files", request.files());
            } else {
                one.put("problem", request.problem());
            }
            list.add(one.build());
        }
        MapValue.Builder data = MapValue.builder()
                .put("state", state.text())
                .put("bucket", bucket)
                .put("lastAttempt", attempt.toString());
        if (success != null) {
            data.put("lastSuccess", success.toString());
        }
        data.put("nextAttempt", next.toString()).put("requests", ListValue.of(list));
        if (state != State.FAILED) {
            data.put(
                    "documents",
                    MapValue.builder()
                            .put("source", counts.documents())
                            .put("removed", counts.removed())
                            .put("kept", counts.kept())
                            .put("waiting", counts.waiting())
                            .build());
        }
        change.ifPresent(each -> {
            MapValue.Builder made = MapValue.builder().put("id", each.id()).put("outcome", each.outcome());
            if (each.revision() != null) {
                made.put("revision", each.revision());
            }
            data.put("change", made.build());
        });
        if (!confirm.isEmpty()) {
            data.put("confirm", confirm);
        }
        problem.ifPresent(
                each -> data.put("problem", MapValue.of("code", each.code()).with("message", each.message())));
        return MapValue.builder()
                .put("schema", SCHEMA)
                .put(
                        "metadata",
                        MapValue.builder()
                                .put("schema", "metadata/Document/v1")
                                .put("name", name)
                                .put("storagePolicy", "cleartext")
                                .put("layeringDefinition", MapValue.of("abstract", Bool.FALSE))
                                .build())
                .put("data", data.build())
                .build();
    }
}
