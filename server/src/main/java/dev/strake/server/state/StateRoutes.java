package dev.strake.server.state;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.DerivedContents.UnderivableException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.text.JsonValues;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.pipeline.Placement;
import dev.strake.server.pipeline.Placement.Elsewhere;
import dev.strake.server.pipeline.Placement.Here;
import dev.strake.server.pipeline.Placement.Place;
import dev.strake.topology.query.WorkspaceQueries;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * The routes for the state of workspaces:
 *
 * <pre>
 *  /workspaces/{workspace}/revisions
 *  /workspaces/{workspace}/documents | rendered | problems | buckets     ?revision=N, the head unless given
 *  /workspaces/{workspace}/diff/{from}/{to}
 * </pre>
 *
 * <p>With {@code ?from=standby} a copy may answer that is a little behind; the answer then says {@code from} and
 * {@code behindRecords}.
 */
public final class StateRoutes {

    private static final String ROOT = "/workspaces/{workspace}/";

    private final Placement placement;
    private final Forwarding forwarding = new Forwarding();

    private StateRoutes(Placement placement) {
        this.placement = placement;
    }

    /** The routes, answered from the stores of this instance or by the one that has the workspace. */
    public static List<Route> of(Placement placement) {
        StateRoutes state = new StateRoutes(placement);
        return List.of(
                state.route(
                        "revisions",
                        query -> StateJson.revisions(query.workspace, query.state.revisions(query.workspace))),
                state.ofRevision(
                        "documents",
                        (query, revision) -> StateJson.documents(
                                query.workspace, revision, query.state.documents(query.workspace, revision))),
                state.ofRevision(
                        "rendered",
                        (query, revision) -> StateJson.rendered(
                                query.workspace, revision, query.state.rendered(query.workspace, revision))),
                state.ofRevision(
                        "problems",
                        (query, revision) -> StateJson.problems(
                                query.workspace, revision, query.state.problems(query.workspace, revision))),
                state.ofRevision(
                        "buckets",
                        (query, revision) -> StateJson.buckets(
                                query.workspace, revision, query.state.buckets(query.workspace, revision))),
                state.route("diff/{from}/{to}", StateRoutes::diff));
    }

    private static MapValue diff(Query query) {
        long from = query.existing(query.request.path("from"));
        long to = query.existing(query.request.path("to"));
        return StateJson.diff(query.workspace, from, to, query.state.diff(query.workspace, from, to));
    }

    private Route ofRevision(String path, OfRevision answer) {
        return route(path, query -> answer.of(query, query.revision()));
    }

    private Route route(String path, Function<Query, MapValue> answer) {
        return Route.get(ROOT + path, request -> answer(request, answer));
    }

    private Response answer(Request request, Function<Query, MapValue> answer) {
        String workspace = request.path("workspace");
        Place place = placement.of(workspace, fromStandby(request));
        if (place instanceof Here here) {
            return answer(request, workspace, here, answer);
        }
        if (place instanceof Elsewhere elsewhere && !Forwarding.wasForwarded(request)) {
            return forwarding.ask(elsewhere.address(), request);
        }
        return Response.problem(
                503,
                "NotHere",
                "This instance does not have the workspace, or not yet, and cannot say which one has. Ask again in a "
                        + "moment; with several instances, each needs strake.http.advertised.");
    }

    private static Response answer(Request request, String workspace, Here here, Function<Query, MapValue> answer) {
        try {
            WorkspaceQueries state = here.state();
            long head = state.head(workspace);
            if (head == 0) {
                return Response.problem(
                        404,
                        "WorkspaceNotFound",
                        "There is no workspace " + workspace + ", or it never had a document.");
            }
            MapValue result = settled(new Query(request, workspace, state, head), answer);
            return Response.json(200, JsonValues.write(fromStandby(request) ? withOrigin(result, here) : result));
        } catch (NoSuchRevisionException e) {
            return Response.problem(404, "RevisionNotFound", e.getMessage());
        } catch (InvalidStateStoreException e) {
            return Response.problem(503, "NotReady", "The state is being restored. Ask again in a moment.");
        } catch (UnderivableException e) {
            // The stores of a copy follow one by one, so what it says of a revision may not fit together for a moment.
            return fromStandby(request)
                    ? Response.problem(503, "NotReady", "The copy is between two revisions. Ask again in a moment.")
                    : Response.problem(500, "RenderingLost", e.getMessage());
        }
    }

    private static boolean fromStandby(Request request) {
        String from = request.parameter("from").orElse("active");
        if (!from.equals("active") && !from.equals("standby")) {
            throw new IllegalArgumentException("from has to be active or standby.");
        }
        return from.equals("standby");
    }

    /* Whoever may be told old news is told how old. */
    private static MapValue withOrigin(MapValue result, Here here) {
        MapValue.Builder all = MapValue.builder();
        result.keys().forEach(key -> all.put(key, result.get(key)));
        all.put("from", new Text(here.behind().isPresent() ? "standby" : "active"));
        all.put("behindRecords", Num.of(here.behind().orElse(0)));
        return all.build();
    }

    /* What is pruned while it is read reads wrong; asked again, it is not there, or a newer head is. */
    private static MapValue settled(Query query, Function<Query, MapValue> answer) {
        Query current = query;
        MapValue result = answer.apply(current);
        while (!current.stillHasAll()) {
            current = current.again();
            result = answer.apply(current);
        }
        return result;
    }

    @FunctionalInterface
    private interface OfRevision {
        MapValue of(Query query, long revision);
    }

    /** One question about one workspace, with the revisions that it turned out to be about. */
    private record Query(Request request, String workspace, WorkspaceQueries state, long head, Set<Long> asked) {

        Query(Request request, String workspace, WorkspaceQueries state, long head) {
            this(request, workspace, state, head, new TreeSet<>());
        }

        Query again() {
            return new Query(request, workspace, state, state.head(workspace));
        }

        boolean stillHasAll() {
            return asked.stream().allMatch(revision -> state.has(workspace, revision));
        }

        long revision() {
            Optional<String> given = request.parameter("revision");
            if (given.isPresent()) {
                return existing(given.get());
            }
            asked.add(head);
            return head;
        }

        long existing(String text) {
            if (!text.matches("[0-9]{1,18}")) {
                throw new IllegalArgumentException("A revision has to be a number of 0 or more.");
            }
            long revision = Long.parseLong(text);
            if (!state.has(workspace, revision)) {
                throw new NoSuchRevisionException(state.missing(workspace, revision));
            }
            asked.add(revision);
            return revision;
        }
    }

    private static final class NoSuchRevisionException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoSuchRevisionException(Problem missing) {
            super(missing.message() + " (" + missing.hint() + ")");
        }
    }
}
