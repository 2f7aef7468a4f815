package dev.strake.server.deckhand;

import dev.strake.client.NewChange;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.server.deckhand.answers.Failures;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.writing.NewChanges;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;

/**
 * The routes for tags of revisions:
 *
 * <pre>
 *  GET, DELETE        /revisions/{revision}/tags
 *  GET, POST, DELETE  /revisions/{revision}/tags/{tag}       the body is the data of the tag
 * </pre>
 */
record TagRoutes(Asking asking, Writing writing, Bodies bodies) {

    private static final String ALL = "/revisions/{revision}/tags";
    private static final String ONE = ALL + "/{tag}";

    List<Route> questions() {
        return List.of(
                asking.get(ALL, asked -> YamlAnswers.of(200, MapValue.of(tags(asked, asked.revision())))),
                asking.get(ONE, TagRoutes::show));
    }

    List<Route> writes() {
        return List.of(
                asking.write("DELETE", ALL, this::deleteAll),
                asking.write("POST", ONE, this::put),
                asking.write("DELETE", ONE, this::delete));
    }

    private static SortedMap<String, MapValue> tags(Asked asked, long revision) {
        return asked.state()
                .history()
                .revision(asked.workspace(), revision)
                .orElseThrow(() -> Failures.revisionNotFound(Long.toString(asked.shown(revision))))
                .tags();
    }

    private static Response show(Asked asked) {
        String tag = tag(asked);
        MapValue data = tags(asked, asked.revision()).get(tag);
        if (data == null) {
            throw tagNotFound(asked, tag);
        }
        return YamlAnswers.of(200, MapValue.of(tag, data));
    }

    private Response put(Asked asked) {
        String tag = tag(asked);
        long revision = asked.revision();
        MapValue data = bodies.mapping(asked.request());
        writing.write(
                asked.request(), NewChange.tag(asked.workspace(), NewChanges.id(asked.request()), revision, tag, data));
        return YamlAnswers.of(201, MapValue.of(tag, data));
    }

    private Response delete(Asked asked) {
        String tag = tag(asked);
        Outcome outcome = remove(asked, asked.revision(), tag, NewChanges.id(asked.request()));
        if (outcome.warnings().stream().anyMatch(each -> each.code() == ProblemCode.REVISION_TAG_NOT_FOUND)) {
            throw tagNotFound(asked, tag);
        }
        return Response.empty(204);
    }

    /* Removes each tag in its own change. A tag that is set meanwhile stays. */
    private Response deleteAll(Asked asked) {
        long revision = asked.revision();
        String id = NewChanges.id(asked.request());
        tags(asked, revision).keySet().forEach(tag -> remove(asked, revision, tag, idOf(id, tag)));
        return Response.empty(204);
    }

    /* Hashes the id, because the client's id may already have the maximum length. */
    private static String idOf(String request, String tag) {
        return UUID.nameUUIDFromBytes((request + '|' + tag).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private Outcome remove(Asked asked, long revision, String tag, String id) {
        return writing.write(asked.request(), NewChange.untag(asked.workspace(), id, revision, tag));
    }

    /* In Deckhand, even an encoded slash separates path segments. */
    private static String tag(Asked asked) {
        String tag = asked.request().path("tag");
        if (tag.contains("/")) {
            throw new RefusedException(404, "NotFound", "There is nothing at this path: a tag cannot have a slash.");
        }
        return tag;
    }

    private static RefusedException tagNotFound(Asked asked, String tag) {
        return new RefusedException(
                404,
                ProblemCode.REVISION_TAG_NOT_FOUND.code(),
                "The requested tag=%s for revision=%s was not found"
                        .formatted(tag, asked.request().path("revision")));
    }
}
