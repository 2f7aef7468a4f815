package dev.strake.server.state;

import dev.strake.engine.secret.KeyedHash;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.RejectedChangeException;
import dev.strake.serdes.outcome.ReadinessJson;
import dev.strake.serdes.text.Limits;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Forwarding;
import dev.strake.server.http.Forwarding.UnreachableException;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.metrics.Latencies;
import dev.strake.server.pipeline.Placement;
import dev.strake.server.pipeline.Placement.Elsewhere;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.server.tls.Tls;
import dev.strake.topology.apply.DryRun;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.RevisionGoneException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 *  POST /workspaces/{workspace}/plan                                     ?type=T&amp;bucket=B&amp;expected-revision=N&amp;max-removals=N&amp;as-deckhand=B&amp;against=N
 *                          documents | rendered | diff | explain | plan  and cleartext-secrets=true, see Disclosure
 * </pre>
 *
 * <p>A revision is a number, a tag, {@code head}, or {@code published}: the one that consumers have while later ones
 * fail. With {@code ?from=standby} a standby may answer, which may lag behind; the response then has {@code from} and
 * {@code behindRecords}.
 */
public final class StateRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(StateRoutes.class);

    private static final String ROOT = "/workspaces/{workspace}/";

    /** Concurrent lists, read and sent document by document. */
    private static final int LISTS = 16;

    /** Concurrent responses that are built in memory. */
    private static final int WHOLE = 4;

    /**
     * Concurrent plans. Only one is computed at a time, because that takes a core and memory; the other may wait for
     * another instance.
     */
    private static final int PLANS = 2;

    private static final int QUEUED = 32;

    /** The head is pruned only if many revisions follow during the lookup; every attempt uses a newer head. */
    private static final int ATTEMPTS = 5;

    private final Placement placement;
    private final Disclosure disclosure;
    private final Plans plans;
    private final Latencies latencies;
    private final OpenRevision.Earlier earlier = new OpenRevision.Earlier();
    private final Forwarding forwardingLists;
    private final Forwarding forwarding;
    private final Forwarding forwardingPlans;
    private final Semaphore workingOut = new Semaphore(1);

    /**
     * Creates routes that are answered by this instance or by the one that owns the workspace.
     *
     * @param placement finds the instance of a workspace
     * @param dryRun plans changes as the stream would apply them
     * @param hash makes equal secrets of this installation recognizable
     * @param latencies of revisions that this instance made
     * @param tls authenticates instances to each other
     */
    public StateRoutes(Placement placement, DryRun dryRun, KeyedHash hash, Latencies latencies, Optional<Tls> tls) {
        this.placement = placement;
        this.disclosure = new Disclosure(hash);
        this.plans = new Plans(dryRun);
        this.latencies = latencies;
        // If all threads waited for other instances, two instances could deadlock.
        this.forwardingLists = new Forwarding(tls, LISTS / 2);
        this.forwarding = forwardingLists.ofAtMost(WHOLE / 2);
        this.forwardingPlans = forwardingLists.ofAtMost(PLANS / 2);
    }

    /**
     * Returns all routes but that of {@link #ofChange}.
     *
     * @param limits of changes
     */
    public List<Bulkhead> bulkheads(Limits limits) {
        return List.of(
                new Bulkhead(LISTS, QUEUED, lists()),
                new Bulkhead(WHOLE, QUEUED, whole()),
                new Bulkhead(PLANS, PLANS, plans.mostBodyBytes(), (long) PLANS * plans.mostBodyBytes(), plans(limits)));
    }

    private List<Route> lists() {
        List<String> page = List.of("from", "limit", "after");
        List<String> ofRevision = List.of("from", "limit", "after", "revision");
        List<String> ofProblems = with(ofRevision, List.of("schema", "name"));
        List<String> ofDocuments = secret(with(ofRevision, List.of("schema", "name", "label*", "query")));
        AllWorkspaces workspaces = new AllWorkspaces(placement, forwardingLists);
        return List.of(
                Route.get("/workspaces", List.of("limit", "after"), workspaces::answer),
                list("revisions", page, question -> Listings.revisions(question, latencies)),
                list("tags", page, Listings::tags),
                list("documents", ofDocuments, question -> question.list(Listings::documents)),
                list("rendered", ofDocuments, question -> question.list(Listings::rendered)),
                list("problems", ofProblems, question -> question.list(Listings::problems)),
                list("buckets", ofRevision, question -> question.list(Listings::buckets)),
                list("graph", ofProblems, question -> question.list(Listings::graph)));
    }

    private List<Route> whole() {
        List<String> ofPlace = List.of("from", "revision", "schema", "name", "path");
        return List.of(
                whole("validations", List.of("from", "revision"), StateRoutes::validations),
                whole("explain", secret(ofPlace), DocumentQuestions::explain),
                whole("affected", with(ofPlace, List.of("layer")), DocumentQuestions::affected),
                whole("diff/{from}/{to}", secret(List.of("from", "changes", "schema", "name")), RevisionDiff::answer));
    }

    private static Response validations(Question question) {
        return question.whole(
                open -> ReadinessJson.write(open.what(), open.readiness().report(System.currentTimeMillis())));
    }

    /* Adds the parameter of routes that may show secrets. */
    private static List<String> secret(List<String> parameters) {
        return with(parameters, List.of(Disclosure.PARAMETER));
    }

    private static List<String> with(List<String> parameters, List<String> more) {
        return Stream.concat(parameters.stream(), more.stream()).toList();
    }

    /*
     * The routes that compute like a change: what a change would do (the body is that of the change, the parameters are
     * its headers), and why a change rendered documents.
     */
    private List<Route> plans(Limits limits) {
        Route plan = Route.of(
                "POST",
                ROOT + "plan",
                secret(List.of("type", "bucket", "expected-revision", "max-removals", "as-deckhand", "against")),
                request -> answer(request, forwardingPlans, question -> oneAtATime(() -> plan(question, limits))));
        Route why = Route.get(
                ROOT + "why",
                List.of("from", "revision", "schema", "name"),
                request -> answer(
                        request,
                        forwardingPlans,
                        question -> oneAtATime(() -> DocumentQuestions.why(question, plans))));
        return List.of(plan, why);
    }

    /* The workspace need not exist, because the change may be its first. */
    private Response plan(Question question, Limits limits) {
        Request request = question.request();
        ChangeEnvelope change = Plans.envelope(request, limits);
        Optional<String> against = request.parameter("against");
        WorkspaceQueries state = question.here().state();
        OptionalLong revision = against.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(Question.find(state, question.workspace(), against.get()));
        try {
            return Question.whole(
                    question.shown().telling(plans.of(state, change, request.body(), revision, question.shown())));
        } catch (RejectedChangeException e) {
            throw Refused.tooLarge();
        }
    }

    private Response oneAtATime(Supplier<Response> work) {
        workingOut.acquireUninterruptibly();
        try {
            return work.get();
        } finally {
            workingOut.release();
        }
    }

    /** Responds with the stored result of a change, as long as its id is remembered. */
    public Response ofChange(Request request) {
        return answer(request, forwarding, question -> {
            String id = request.path("change");
            return question.state()
                    .applied(question.workspace(), id)
                    .map(applied -> Question.whole(StateJson.applied(question.workspace(), id, applied)))
                    .orElseThrow(() -> new RefusedException(
                            404,
                            "ChangeNotFound",
                            "No change with this id is known: it was not applied, or not yet, or its id has "
                                    + "expired."));
        });
    }

    private Route list(String path, List<String> parameters, Function<Question, Response> answer) {
        return Route.get(ROOT + path, parameters, request -> answer(request, forwardingLists, answer));
    }

    private Route whole(String path, List<String> parameters, Function<Question, Response> answer) {
        return Route.get(ROOT + path, parameters, request -> answer(request, forwarding, answer));
    }

    private Response answer(Request request, Forwarding others, Function<Question, Response> answer) {
        String workspace = request.path("workspace");
        disclosure.check(request, workspace);
        boolean fromStandby = fromStandby(request);
        return whereItIs(workspace, fromStandby, request, address -> others.ask(address, request), here -> {
            Question question = new Question(request, fromStandby, disclosure.to(request, workspace), here, earlier);
            return attempt(() -> answer.apply(question));
        });
    }

    private Response whereItIs(
            String workspace,
            boolean fromStandby,
            Request request,
            Function<String, Response> elsewhere,
            Function<Here, Response> answer) {
        try {
            boolean isForwarded = Forwarding.wasForwarded(request);
            Placement.Holder place = placement.of(workspace, fromStandby);
            if (place instanceof Elsewhere other && !isForwarded) {
                return elsewhere.apply(other.address());
            } else if (place instanceof Elsewhere && fromStandby) { // the sender could not reach that standby
                place = placement.of(workspace, false);
            }
            if (!(place instanceof Here here)) {
                throw Refused.notHere();
            }
            return answer.apply(here);
        } catch (UnreachableException e) {
            if (!fromStandby) {
                throw e;
            }
            return whereItIs(workspace, false, request, elsewhere, answer);
        } catch (RuntimeException e) {
            throw Refused.of(e, fromStandby);
        }
    }

    /**
     * Answers a request of another API on the instance that owns the workspace. Secrets are redacted.
     *
     * @param method the HTTP method, if the request is forwarded
     * @param others returned by {@link #forwarding}
     */
    public Response ask(String method, Request request, Forwarding others, Function<Question, Response> answer) {
        String workspace = request.workspace();
        return whereItIs(
                workspace,
                false,
                request,
                address -> others.ask(address, method, request),
                here -> answer.apply(
                        new Question(request, false, disclosure.redacted(request, workspace), here, earlier)));
    }

    /** Returns a forwarding for requests of another API, with its own limit. */
    public Forwarding forwarding(Duration forHeaders, int most) {
        return forwarding.waiting(forHeaders, most);
    }

    /** Repeats an answer if the revision that it reads is pruned meanwhile. */
    public static Response attempt(Supplier<Response> answer) {
        int left = ATTEMPTS;
        while (left-- > 0) {
            try {
                return answer.get();
            } catch (RevisionGoneException e) {
                LOG.debug("Asked again: {}", e.getMessage()); // a later head exists, or the next attempt reports why
            }
        }
        throw Refused.changing();
    }

    private static boolean fromStandby(Request request) {
        String from = request.parameter("from").orElse("active");
        if (!from.equals("active") && !from.equals("standby")) {
            throw new IllegalArgumentException("from has to be active or standby.");
        }
        return from.equals("standby");
    }
}
