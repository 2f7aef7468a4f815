package dev.strake.server.deckhand;

import dev.strake.client.NewChange;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.writing.NewChanges;
import dev.strake.topology.store.NumberedRevision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The routes for revisions:
 *
 * <pre>
 *  GET     /revisions                  ?tag=T&amp;sort=id&amp;order=desc
 *  DELETE  /revisions                  deletes everything
 *  GET     /revisions/{revision}
 *  POST    /rollback/{revision}
 * </pre>
 */
record RevisionRoutes(Asking asking, Writing writing) {

    List<Route> questions() {
        return List.of(
                asking.get("/revisions", List.of("tag*", "sort*", "order"), RevisionRoutes::list),
                asking.get("/revisions/{revision}", asked -> YamlAnswers.of(200, view(asked, asked.revision()))));
    }

    List<Route> writes() {
        return List.of(
                asking.write("DELETE", "/revisions", this::deleteAll),
                asking.write("POST", "/rollback/{revision}", this::rollBack));
    }

    private static Response list(Asked asked) {
        List<String> tags = asked.request().parameters("tag");
        List<MapValue> found = new ArrayList<>();
        try (Stream<NumberedRevision> all = asked.state().history().revisions(asked.workspace(), asked.start())) {
            all.filter(each -> tags.isEmpty()
                            || tags.stream()
                                    .anyMatch(tag -> each.revision().tags().containsKey(tag)))
                    .forEach(each -> found.add(RevisionView.inList(asked, each)));
        }
        // Deckhand sorts by columns of its database; id is the only one that clients know.
        if (asked.request().parameters("sort").contains("id")
                && asked.request().parameter("order").orElse("").equals("desc")) {
            Collections.reverse(found);
        }
        return YamlAnswers.of(200, MapValue.of("count", found.size()).with("results", ListValue.of(found)));
    }

    private static MapValue view(Asked asked, long number) {
        return asked.state()
                .history()
                .revision(asked.workspace(), number)
                .map(revision -> RevisionView.alone(asked, new NumberedRevision(number, revision)))
                .orElseThrow(() -> Failures.revisionNotFound(Long.toString(asked.shown(number))));
    }

    private Response deleteAll(Asked asked) {
        if (asked.head() > asked.start()) {
            writing.write(
                    asked.request(), NewChange.workspaceDelete(asked.workspace(), NewChanges.id(asked.request())));
        }
        return Response.empty(204);
    }

    private Response rollBack(Asked asked) {
        long number = asked.revisionOrNone(asked.request().path("revision"));
        if (asked.head() <= asked.start()) { // Shipyard also rolls back to 0 when there is nothing yet
            return YamlAnswers.of(201, RevisionView.EMPTY);
        }
        Outcome outcome = writing.write(
                asked.request(), NewChange.rollback(asked.workspace(), NewChanges.id(asked.request()), number));
        return YamlAnswers.of(201, view(asked.afterWriting(outcome.revision()), outcome.revision()));
    }
}
