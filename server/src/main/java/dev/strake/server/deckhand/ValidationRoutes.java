package dev.strake.server.deckhand;

import dev.strake.client.NewChange;
import dev.strake.engine.readiness.ReadinessReport;
import dev.strake.engine.readiness.ReadinessReport.Entry;
import dev.strake.engine.readiness.ReadinessReport.Standing;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.OpenRevision;
import dev.strake.server.writing.NewChanges;
import java.util.ArrayList;
import java.util.List;

/**
 * The routes for validations of revisions:
 *
 * <pre>
 *  GET   /revisions/{revision}/validations                        the status of each
 *  GET   /revisions/{revision}/validations/detail                 all entries
 *  GET   /revisions/{revision}/validations/{name}                 the entries of one; POST adds an entry
 *  GET   /revisions/{revision}/validations/{name}/entries/{id}
 * </pre>
 *
 * <p>An expired or missing result is a failure here, because clients know no other status that prevents a deployment.
 */
record ValidationRoutes(Asking asking, Writing writing, Bodies bodies) {

    private static final String ALL = "/revisions/{revision}/validations";
    private static final String ONE = ALL + "/{name}";

    List<Route> questions() {
        return List.of(
                asking.get(ALL, ValidationRoutes::list),
                asking.get(ALL + "/detail", ValidationRoutes::detail),
                asking.get(ONE, ValidationRoutes::entries),
                asking.get(ONE + "/entries/{id}", ValidationRoutes::entry));
    }

    List<Route> writes() {
        return List.of(asking.write("POST", ONE, this::post));
    }

    private static ReadinessReport report(Asked asked) {
        try (OpenRevision open = asked.open(asked.revision())) {
            return open.readiness().report(System.currentTimeMillis());
        }
    }

    private static Response list(Asked asked) {
        List<Value> results = new ArrayList<>();
        report(asked)
                .statuses()
                .forEach((name, status) -> results.add(MapValue.of("name", name).with("status", status)));
        return counted(results);
    }

    private static Response detail(Asked asked) {
        List<Value> results = new ArrayList<>();
        for (Entry entry : report(asked).entries()) {
            results.add(view(entry).with("id", results.size()));
        }
        return counted(results);
    }

    private static Response entries(Asked asked) {
        List<Value> results = new ArrayList<>();
        for (Entry entry : report(asked).entries(asked.request().path("name"))) {
            results.add(MapValue.of("id", results.size()).with("status", entry.status()));
        }
        return counted(results);
    }

    private static Response counted(List<Value> results) {
        return YamlAnswers.of(200, MapValue.of("count", results.size()).with("results", ListValue.of(results)));
    }

    private static Response entry(Asked asked) {
        String name = asked.request().path("name");
        String id = asked.request().path("id");
        if (!id.matches("[+-]?[0-9]+")) {
            throw Bodies.bad("The id of an entry has to be an integer.");
        }
        List<Entry> all = report(asked).entries(name);
        if (!id.matches("[0-9]{1,9}") || Integer.parseInt(id) >= all.size()) {
            throw new RefusedException(
                    404,
                    "ValidationNotFound",
                    "The requested validation entry %s was not found for validation name %s and revision ID %s."
                            .formatted(id, name, asked.request().path("revision")));
        }
        return YamlAnswers.of(200, view(all.get(Integer.parseInt(id))));
    }

    /* Deckhand never has the time of an entry. Here entries that count have it, because they may expire. */
    private static MapValue view(Entry entry) {
        boolean isTimed = entry.time() != null && entry.standing() != Standing.IGNORED;
        return MapValue.builder()
                .put("createdAt", isTimed ? RevisionView.time(entry.time()) : Null.NULL)
                .put("errors", ListValue.of(entry.errors()))
                .put("expiresAfter", entry.expiresAfter())
                .put("name", entry.name())
                .put("status", entry.status())
                .build();
    }

    private Response post(Asked asked) {
        long revision = asked.revision();
        MapValue body = bodies.mapping(asked.request());
        if (isMissing(body, "status") || isMissing(body, "validator")) {
            throw Bodies.bad("Validation payload must contain keys: \"status\", \"validator\".");
        }
        MapValue answer = MapValue.of("status", body.get("status")).with("validator", body.get("validator"));
        MapValue result =
                body.has("errors") ? answer.with("errors", body.get("errors")) : answer; // other members are ignored
        String id = NewChanges.id(asked.request());
        writing.write(
                asked.request(),
                NewChange.validation(
                        asked.workspace(), id, revision, asked.request().path("name"), result));
        return YamlAnswers.of(201, answer);
    }

    private static boolean isMissing(MapValue body, String key) {
        Value value = body.get(key);
        return value == null
                || value instanceof Null
                || value.equals(MapValue.EMPTY)
                || (value instanceof Text text && text.value().isEmpty());
    }
}
