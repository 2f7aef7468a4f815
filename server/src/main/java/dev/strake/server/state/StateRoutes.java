package dev.strake.server.state;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.serdes.text.JsonValues;
import dev.strake.serdes.text.Limits;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.Answer.AskAt;
import dev.strake.server.state.Answer.Listing;
import dev.strake.server.state.Answer.Reason;
import dev.strake.server.state.Answer.Refused;
import dev.strake.server.state.Answer.Whole;
import dev.strake.server.state.WorkspaceService.Question;
import dev.strake.server.tls.Tls;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The routes for the state of workspaces:
 *
 * <pre>
 *  /workspaces                                                           ?limit=N&amp;after=NEXT
 *  /workspaces/{workspace}/revisions | tags                              the same
 *  /workspaces/{workspace}/documents | rendered | problems | buckets | graph   the same, and revision=N, the head unless given
 *                          documents | rendered | problems | graph       and schema=S&amp;name=N
 *                          documents | rendered                          and label=KEY=VALUE&amp;query=JSONPATH
 *  /workspaces/{workspace}/diff/{from}/{to}                              ?changes=true&amp;schema=S&amp;name=N
 *  /workspaces/{workspace}/explain | affected                            ?schema=S&amp;name=N&amp;path=.a.b&amp;revision=N
 *                          affected                                      and layer=L
 *  /workspaces/{workspace}/why                                           ?schema=S&amp;name=N&amp;revision=N
 *  POST /workspaces/{workspace}/plan                                     ?type=T&amp;bucket=B&amp;expected-revision=N&amp;max-removals=N&amp;against=N
 *                          documents | rendered | diff | explain | plan  and cleartext-secrets=true, see Disclosure
 * </pre>
 *
 * <p>A revision is its number, a tag, {@code head}, or {@code published}: the one that consumers hold while later ones fail. With
 * {@code ?from=standby} a copy may answer that is a little behind; the answer then says {@code from} and
 * {@code behindRecords}.
 */
public final class StateRoutes {

    private static final String ROOT = "/workspaces/{workspace}/";

    /** Lists, which are read and sent document by document. */
    private static final int LISTS = 16;

    /** Answers that are made as a whole, and in memory. */
    private static final int WHOLE = 4;

    /**
     * Of two plans one at a time is worked out, as that takes a core and memory. The other one may wait for another instance
     * meanwhile.
     */
    private static final int PLANS = 2;

    private static final int QUEUED = 32;

    private final WorkspaceService service;
    private final Forwarding forwardingLists;
    private final Forwarding forwarding;
    private final Forwarding forwardingPlans;
    private final Semaphore workingOut = new Semaphore(1);

    /**
     * Questions about state, answered by this instance or by the one that has the workspace.
     *
     * @param tls by which instances know each other
     */
    public StateRoutes(WorkspaceService service, Optional<Tls> tls) {
        this.service = service;
        // If all waited for other instances, two instances could wait for each other.
        this.forwardingLists = new Forwarding(tls, LISTS / 2);
        this.forwarding = forwardingLists.ofAtMost(WHOLE / 2);
        this.forwardingPlans = forwardingLists.ofAtMost(PLANS / 2);
    }

    /**
     * All questions but those that {@link #ofChange} answers.
     *
     * @param limits of changes
     */
    public List<Bulkhead> bulkheads(Limits limits) {
        return List.of(
                new Bulkhead(LISTS, QUEUED, lists()),
                new Bulkhead(WHOLE, QUEUED, whole()),
                new Bulkhead(
                        PLANS, PLANS, service.mostPlanBytes(), (long) PLANS * service.mostPlanBytes(), plans(limits)));
    }

    private List<Route> lists() {
        List<String> page = List.of("from", "limit", "after");
        List<String> ofRevision = List.of("from", "limit", "after", "revision");
        List<String> ofProblems = with(ofRevision, List.of("schema", "name"));
        List<String> ofDocuments = secret(with(ofRevision, Wanted.PARAMETERS));
        AllWorkspaces workspaces = new AllWorkspaces(service.placement(), forwardingLists);
        return List.of(
                Route.get("/workspaces", List.of("limit", "after"), workspaces::answer),
                list("revisions", page, (question, request) -> service.revisions(question)),
                list("tags", page, (question, request) -> service.tags(question)),
                list("documents", ofDocuments, (question, request) -> service.documents(question, Wanted.of(request))),
                list("rendered", ofDocuments, (question, request) -> service.rendered(question, Wanted.of(request))),
                list("problems", ofProblems, (question, request) -> service.problems(question, Wanted.of(request))),
                list("buckets", ofRevision, (question, request) -> service.buckets(question)),
                list("graph", ofProblems, (question, request) -> service.graph(question, Wanted.of(request))));
    }

    private List<Route> whole() {
        List<String> ofPlace = List.of("from", "revision", "schema", "name", "path");
        return List.of(
                route(
                        "explain",
                        secret(ofPlace),
                        (question, request) -> service.explain(question, document(request), place(request))),
                route(
                        "affected",
                        with(ofPlace, List.of("layer")),
                        (question, request) -> service.affected(
                                question, document(request), request.parameter("layer"), place(request))),
                route(
                        "diff/{from}/{to}",
                        secret(List.of("from", "changes", "schema", "name")),
                        (question, request) -> service.diff(
                                question,
                                request.path("from"),
                                request.path("to"),
                                Wanted.of(request),
                                isTrue(request, "changes"))));
    }

    /* The parameters of a route that may show secrets. */
    private static List<String> secret(List<String> parameters) {
        return with(parameters, List.of(Disclosure.PARAMETER));
    }

    private static List<String> with(List<String> parameters, List<String> more) {
        return Stream.concat(parameters.stream(), more.stream()).toList();
    }

    static boolean isTrue(Request request, String name) {
        String value = request.parameter(name).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " has to be true or false.");
        }
        return value.equals("true");
    }

    /*
     * What a change would do (the body is that of the change, the parameters are its headers), and why one rendered what it did: what is
     * worked out as a change is.
     */
    private List<Route> plans(Limits limits) {
        Route plan = Route.of(
                "POST",
                ROOT + "plan",
                secret(List.of("type", "bucket", "expected-revision", "max-removals", "against")),
                request -> answer(
                        request,
                        forwardingPlans,
                        (question, asked) -> oneAtATime(() -> service.plan(
                                question, PlannedChange.of(asked, limits), asked.body(), asked.parameter("against")))));
        Route why = Route.get(
                ROOT + "why",
                List.of("from", "revision", "schema", "name"),
                request -> answer(
                        request,
                        forwardingPlans,
                        (question, asked) -> oneAtATime(() -> service.why(question, document(asked)))));
        return List.of(plan, why);
    }

    private Answer oneAtATime(Supplier<Answer> work) {
        workingOut.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            workingOut.release();
        }
    }

    /** What the stores know of a change. */
    public Response ofChange(Request request) {
        return answer(request, forwarding, (question, asked) -> service.change(question, asked.path("change")));
    }

    private Route list(String path, List<String> parameters, BiFunction<Question, Request, Answer> answer) {
        return Route.get(ROOT + path, parameters, request -> answer(request, forwardingLists, answer));
    }

    private Route route(String path, List<String> parameters, BiFunction<Question, Request, Answer> answer) {
        return Route.get(ROOT + path, parameters, request -> answer(request, forwarding, answer));
    }

    private Response answer(Request request, Forwarding others, BiFunction<Question, Request, Answer> answer) {
        String workspace = request.path("workspace");
        Optional<Refused> refused = service.disclosure().refusal(request, workspace);
        if (refused.isPresent()) {
            return refusal(refused.get());
        }
        Question question = new Question(
                workspace,
                request.parameter("revision"),
                fromStandby(request),
                Page.of(request.parameter("limit"), request.parameter("after")),
                service.disclosure().to(request, workspace));
        Answer given = answer.apply(question, request);
        if (given instanceof Listing || given instanceof Whole) {
            Disclosure.record(request);
        }
        if (given instanceof Listing listing) {
            return begin(listing, question);
        } else if (given instanceof Whole whole) {
            return Response.of(200, "application/json", JsonValues.write(whole.json()));
        } else if (given instanceof AskAt elsewhere && !Forwarding.wasForwarded(request)) {
            return others.ask(elsewhere.address(), request);
        }
        return refusal(given instanceof Refused reason ? reason : Refused.notHere());
    }

    private static Response begin(Listing listing, Question question) {
        try {
            Response response = Response.of(
                    200,
                    "application/json",
                    new ListingBody(listing, failure -> brokenOff(failure, question.fromStandby())));
            // What an author read is what a change of his may expect to be the head.
            return question.revision().isEmpty() && listing.what().get("revision") instanceof Num head
                    ? response.with("ETag", '"' + head.literal() + '"')
                    : response;
        } catch (Error e) {
            listing.close();
            throw e;
        } catch (RuntimeException e) {
            listing.close();
            return refusal(Refused.of(e, question.fromStandby()));
        }
    }

    /* A revision may be pruned, or its task move away, while a client reads. */
    private static IOException brokenOff(RuntimeException failure, boolean fromStandby) {
        Refused refused = Refused.of(failure, fromStandby);
        if (refused.reason() != Reason.NOT_NOW) {
            throw failure;
        }
        return new Response.BrokenOffException(refusal(refused), failure);
    }

    static Response refusal(Refused refused) {
        return switch (refused.reason()) {
            case FORBIDDEN -> Response.problem(403, refused.code(), refused.message());
            case MISSING -> Response.problem(404, refused.code(), refused.message());
            case NOT_NOW -> Response.tryAgain(refused.code(), refused.message());
            case TOO_MUCH -> Response.problem(422, refused.code(), refused.message());
            case KEYLESS -> Response.problem(409, refused.code(), refused.message());
            case DAMAGED -> Response.problem(500, refused.code(), refused.message());
        };
    }

    private static DocumentKey document(Request request) {
        return new DocumentKey(required(request, "schema"), required(request, "name"));
    }

    private static String required(Request request, String name) {
        return request.parameter(name)
                .orElseThrow(() -> new IllegalArgumentException("The parameter " + name + " is missing."));
    }

    private static Place place(Request request) {
        try {
            return Path.place(request.parameter("path").orElse("."));
        } catch (PathSyntaxException e) {
            throw new IllegalArgumentException("path: " + e.getMessage(), e);
        }
    }

    private static boolean fromStandby(Request request) {
        String from = request.parameter("from").orElse("active");
        if (!from.equals("active") && !from.equals("standby")) {
            throw new IllegalArgumentException("from has to be active or standby.");
        }
        return from.equals("standby");
    }
}
