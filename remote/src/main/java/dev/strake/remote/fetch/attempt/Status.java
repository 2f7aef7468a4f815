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
 * How a resource is, after an attempt. Published as a document {@code razee/RemoteResourceStatus/v1alpha2} in a topic of its
 * own: in the workspace it would make a revision of each attempt.
 *
 * @param state in one word
 * @param requests what came of each, in order
 * @param counts of documents: in the source, removed, left without a source, waiting to be confirmed
 * @param change the last change, with its outcome; empty if there was none yet
 * @param confirm what the resource has to say so that held content is taken; empty if nothing is held
 * @param problem empty if there is none
 */
public record Status(
        State state,
        String bucket,
        List<OfRequest> requests,
        Counts counts,
        Optional<OfChange> change,
        String confirm,
        Optional<Trouble> problem) {

    /** The schema of the documents. */
    static final String SCHEMA = "razee/RemoteResourceStatus/v1alpha2";

    public enum State {
        /** The bucket has what the source has. */
        OK("ok"),
        /** The source has something that is not taken until it is confirmed. */
        HELD("held"),
        /** The source, or the resource, is in trouble. The bucket has what it had. */
        FAILED("failed");

        private final String text;

        State(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /** One request: where, which state of the source, and what went wrong if it is optional and was passed over. */
    public record OfRequest(String place, String revision, int files, String problem) {}

    /** What somebody has to look at. */
    public record Trouble(String code, String message) {}

    public record Counts(int documents, int removed, int kept, int waiting) {

        static final Counts NONE = new Counts(0, 0, 0, 0);
    }

    /** A change, what became of it, and the revision that it made. */
    public record OfChange(String id, String outcome, Long revision) {}

    public Status {
        requests = List.copyOf(requests);
    }

    /** A resource that could not be fetched. */
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

    /** The document. Times are in UTC; {@code lastSuccess} is null if there was none. */
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
