package dev.strake.remote.fetch.attempt;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
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
            MapValue.Builder one = MapValue.builder().put("source", new Text(request.place()));
            if (request.problem().isEmpty()) {
                one.put("revision", new Text(request.revision())).put("files", Num.of(request.files()));
            } else {
                one.put("problem", new Text(request.problem()));
            }
            list.add(one.build());
        }
        MapValue.Builder data = MapValue.builder()
                .put("state", new Text(state.text()))
                .put("bucket", new Text(bucket))
                .put("lastAttempt", new Text(attempt.toString()));
        if (success != null) {
            data.put("lastSuccess", new Text(success.toString()));
        }
        data.put("nextAttempt", new Text(next.toString())).put("requests", ListValue.of(list));
        if (state != State.FAILED) {
            data.put(
                    "documents",
                    MapValue.builder()
                            .put("source", Num.of(counts.documents()))
                            .put("removed", Num.of(counts.removed()))
                            .put("kept", Num.of(counts.kept()))
                            .put("waiting", Num.of(counts.waiting()))
                            .build());
        }
        change.ifPresent(each -> {
            MapValue.Builder made =
                    MapValue.builder().put("id", new Text(each.id())).put("outcome", new Text(each.outcome()));
            if (each.revision() != null) {
                made.put("revision", Num.of(each.revision()));
            }
            data.put("change", made.build());
        });
        if (!confirm.isEmpty()) {
            data.put("confirm", new Text(confirm));
        }
        problem.ifPresent(each -> data.put(
                "problem", MapValue.of("code", new Text(each.code())).with("message", new Text(each.message()))));
        return MapValue.builder()
                .put("schema", new Text(SCHEMA))
                .put(
                        "metadata",
                        MapValue.builder()
                                .put("schema", new Text("metadata/Document/v1"))
                                .put("name", new Text(name))
                                .put("storagePolicy", new Text("cleartext"))
                                .put("layeringDefinition", MapValue.of("abstract", Bool.of(false)))
                                .build())
                .put("data", data.build())
                .build();
    }
}
