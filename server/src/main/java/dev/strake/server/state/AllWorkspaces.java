package dev.strake.server.state;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.access.Principal;
import dev.strake.server.access.Role;
import dev.strake.server.http.Forwarding;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.pipeline.Placement;
import dev.strake.server.state.StateJson.Held;
import dev.strake.topology.layout.RevisionsLayout.Revision;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.NumberedRevision;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Lists the workspaces of all instances that the client may read. This instance lists its own and requests the others.
 */
record AllWorkspaces(Placement placement, Forwarding forwarding) {

    private static final int USUAL_PAGE = 1_000;

    /** The maximum number of documents with problems that are counted and searched for the first cause. */
    static final int MOST_PROBLEMS = 1_000;

    Response answer(Request request) {
        ListRequest wanted = ListRequest.of(request);
        int limit = wanted.limit().orElse(USUAL_PAGE);
        String after = wanted.after(1).map(name -> name.get(0)).orElse("");
        SortedMap<String, Value> found = new TreeMap<>();
        try {
            placement.here().forEach(state -> addOwn(state, request.principal(), after, limit, found));
        } catch (RuntimeException e) {
            throw Refused.of(e, false);
        }
        boolean isMore = found.size() > limit;
        if (!Forwarding.wasForwarded(request)) {
            for (String address : placement.others().orElseThrow(Refused::notHere)) {
                isMore |= addOthers(forwarding.askForTree(address, request), found);
            }
        }
        List<Value> items = found.values().stream().limit(limit).toList();
        MapValue answer = MapValue.of("items", ListValue.of(items));
        if (isMore || found.size() > limit) {
            String last = name(items.get(items.size() - 1));
            answer = answer.with("next", ListRequest.cursor(List.of(last)));
        }
        return Question.whole(answer);
    }

    /* Adds one more than fits on the page, to detect whether there is a next page. */
    private static void addOwn(
            WorkspaceQueries state, Principal principal, String after, int limit, SortedMap<String, Value> found) {
        state.history().workspaces().tailSet(after + "\0").stream()
                .filter(name -> principal.has(Role.READER, name))
                .limit(limit + 1L)
                .forEach(name -> {
                    long head = state.history().lastRevision(name);
                    Optional<Revision> revision = state.history().revision(name, head);
                    revision.ifPresent(
                            each -> found.put(name, StateJson.workspace(name, head, each, held(state, name, each))));
                });
    }

    /* Only heads with problems need further lookups, and most heads have none. */
    private static Optional<Held> held(WorkspaceQueries state, String name, Revision head) {
        if (head.status() != OutcomeStatus.FAILED && head.status() != OutcomeStatus.PARTIAL) {
            return Optional.empty();
        }
        try (Stream<NumberedRevision> later =
                state.history().revisions(name, head.published().revision())) {
            long since = later.findFirst().map(each -> each.revision().time()).orElse(head.time());
            return Optional.of(new Held(state.trouble(name, state.history().lastRevision(name), MOST_PROBLEMS), since));
        }
    }

    private static boolean addOthers(MapValue answer, SortedMap<String, Value> found) {
        if (answer.get("items") instanceof ListValue items) {
            items.items().forEach(item -> found.put(name(item), item));
        }
        return answer.has("next");
    }

    private static String name(Value item) {
        return item instanceof MapValue map && map.get("workspace") instanceof Text name ? name.value() : "";
    }
}
