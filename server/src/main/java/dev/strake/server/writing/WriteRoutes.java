package dev.strake.server.writing;

import dev.strake.client.NewChange;
import dev.strake.client.StateClient;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.text.Limits;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.writing.Writer.Answered;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The routes that publish changes:
 *
 * <pre>
 *  PUT     /workspaces/{workspace}/buckets/{bucket}                    all documents of the bucket
 *  POST    /workspaces/{workspace}/buckets/{bucket}/documents          add or replace documents
 *  DELETE  /workspaces/{workspace}/buckets/{bucket}/documents          the body lists {schema, layer, name}
 *  POST    /workspaces/{workspace}/rollback                            {revision: N}
 *  PUT     /workspaces/{workspace}/revisions/{revision}/tags/{tag}     the body is the data of the tag
 *  DELETE  /workspaces/{workspace}/revisions/{revision}/tags/{tag}
 *  POST    /workspaces/{workspace}/revisions/{revision}/validations/{name}   {status, validator, errors}
 *  DELETE  /workspaces/{workspace}
 *  GET     /workspaces/{workspace}/changes/{change}                    the outcome of a change
 * </pre>
 *
 * <p>The response is the outcome of the change in the pipeline:
 *
 * <pre>
 *  200  accepted; "status" says whether it renders       412  the head is not the revision in If-Match
 *  202  pending; Location has the URL to query           409  another bucket has a document
 *  503  not confirmed by Kafka, or overloaded            422  rejected for another reason
 * </pre>
 *
 * @param limits of changes
 * @param stored responds with what the stores know of a change
 */
public record WriteRoutes(Writer writer, Limits limits, NewChanges changes, Function<Request, Response> stored) {

    private static final String ROOT = "/workspaces/{workspace}";
    private static final String BUCKET = ROOT + "/buckets/{bucket}";
    private static final String VALIDATION = ROOT + "/revisions/{revision}/validations/{name}";
    private static final String TAG = ROOT + "/revisions/{revision}/tags/{tag}";

    /** Requests that wait for an outcome. */
    private static final int CONCURRENT = 64;

    /** The largest body, if the heap has space for several of this size. */
    private static final int MOST_BODY_BYTES = 64 << 20;

    /** Bodies may take one eighth of the heap, all together or a single one. */
    private static final int SHARE_OF_HEAP = 8;

    public Bulkhead bulkhead() {
        return bulkhead(limits, all());
    }

    /** Returns a bulkhead for routes that wait for outcomes. */
    public static Bulkhead bulkhead(Limits limits, List<Route> routes) {
        long heap = Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP;
        int body = (int) Math.min(Math.min(limits.change().bytes(), MOST_BODY_BYTES), heap);
        return new Bulkhead(CONCURRENT, 0, body, heap, routes);
    }

    private List<Route> all() {
        List<String> terms = NewChanges.PARAMETERS;
        return List.of(
                Route.of("PUT", BUCKET, terms, asked -> write(asked, changes.ofBucket(asked, ChangeType.BUCKET_PUT))),
                Route.of(
                        "POST",
                        BUCKET + "/documents",
                        terms,
                        asked -> write(asked, changes.ofBucket(asked, ChangeType.DOCUMENTS_PUT))),
                Route.of(
                        "DELETE",
                        BUCKET + "/documents",
                        terms,
                        asked -> write(asked, changes.ofBucket(asked, ChangeType.DOCUMENTS_DELETE))),
                Route.of("POST", ROOT + "/rollback", terms, asked -> write(asked, changes.rollback(asked))),
                Route.of("PUT", TAG, terms, asked -> write(asked, changes.tag(asked))),
                Route.of("DELETE", TAG, terms, asked -> write(asked, changes.untag(asked))),
                Route.of("POST", VALIDATION, terms, asked -> write(asked, changes.validation(asked))),
                Route.of("DELETE", ROOT, terms, asked -> write(asked, changes.workspaceDelete(asked))),
                Route.get(ROOT + "/changes/{change}", this::change));
    }

    private Response write(Request request, NewChange change) {
        Duration patience = NewChanges.patience(request);
        return writer.write(NewChanges.with(request, change), request.principal(), patience)
                .map(WriteRoutes::answer)
                .orElseGet(() -> pending(change.workspace(), change.id()));
    }

    private Response change(Request request) {
        String workspace = request.path("workspace");
        String id = request.path("change");
        Optional<Answered> answered = writer.answered(workspace, id);
        if (answered.isPresent()) {
            return Response.of(200, "application/json", answered.get().json());
        }
        return writer.isKnown(workspace, id) ? pending(workspace, id) : stored.apply(request);
    }

    private static Response answer(Answered answered) {
        Outcome outcome = answered.outcome();
        Response response = Response.of(status(outcome), "application/json", answered.json());
        return outcome.revision() == null
                ? response
                : response.with("ETag", '"' + outcome.revision().toString() + '"');
    }

    private static Response pending(String workspace, String id) {
        MapValue json = MapValue.of("workspace", workspace).with("changeId", id).with("status", "pending");
        return Response.of(202, "application/json", JsonBytes.of(json))
                .with("Location", "/workspaces/" + workspace + "/changes/" + StateClient.encoded(id));
    }

    private static int status(Outcome outcome) {
        return switch (outcome.status()) {
            case RENDERED, UNCHANGED, DUPLICATE, FAILED, PARTIAL, PLANNED -> 200;
            case PENDING -> 202;
            case REJECTED ->
                has(outcome, ProblemCode.REVISION_CONFLICT)
                        ? 412
                        : has(outcome, ProblemCode.DUPLICATE_DOCUMENT_EXISTS) ? 409 : 422;
        };
    }

    private static boolean has(Outcome outcome, ProblemCode code) {
        return outcome.problems().stream().map(Problem::code).anyMatch(code::equals);
    }
}
