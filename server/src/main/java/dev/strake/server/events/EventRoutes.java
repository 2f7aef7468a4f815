package dev.strake.server.events;

import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.events.EventStream.Filter;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The routes for events:
 *
 * <pre>
 *  /events                            outcomes of all workspaces that the client may read   ?after=ID
 *  /workspaces/{workspace}/events     outcomes and rendered documents of one                also kind=K&amp;data=false
 * </pre>
 *
 * <p>Every instance serves the events of all workspaces.
 */
public final class EventRoutes {

    private static final String TYPE = "text/event-stream";
    private static final String OUTCOME = "outcome";
    private static final String RENDERED = "rendered";

    /** The maximum number of connected clients; each has a connection and a thread. */
    static final int MOST_CLIENTS = 128;

    private EventRoutes() {}

    public static Bulkhead bulkhead(Feed feed) {
        return new Bulkhead(MOST_CLIENTS, 0, routes(feed));
    }

    static List<Route> routes(Feed feed) {
        return List.of(
                Route.get("/events", List.of("after"), request -> {
                    Filter wanted = new Filter(null, -1, true, false, false);
                    return answer(feed, request, wanted);
                }),
                Route.get(
                        "/workspaces/{workspace}/events",
                        List.of("after", "kind*", "data"),
                        request -> answer(feed, request, wanted(request, feed.partitions()))));
    }

    private static Response answer(Feed feed, Request request, Filter wanted) {
        Optional<String> id =
                request.header("Last-Event-ID").filter(text -> !text.isEmpty()).or(() -> request.parameter("after"));
        Optional<EventPosition> from =
                id.flatMap(text -> EventPosition.read(text, wanted.partition(), feed.partitions())
                        .or(() -> Optional.of(EventPosition.NOWHERE)));
        return Response.of(200, TYPE, new EventStream(feed, request, wanted, from));
    }

    private static Filter wanted(Request request, int partitions) {
        String workspace = request.workspace();
        Set<String> kinds = Set.copyOf(request.parameters("kind"));
        if (!Set.of(OUTCOME, RENDERED).containsAll(kinds)) {
            throw new IllegalArgumentException("kind has to be outcome or rendered.");
        }
        return new Filter(
                workspace,
                WorkspaceKey.partition(workspace, partitions),
                kinds.isEmpty() || kinds.contains(OUTCOME),
                kinds.isEmpty() || kinds.contains(RENDERED),
                request.isTrue("data", true));
    }
}
