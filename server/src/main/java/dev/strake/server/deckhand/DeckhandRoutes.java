package dev.strake.server.deckhand;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.text.Limits;
import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.pipeline.Health;
import dev.strake.server.state.StateRoutes;
import dev.strake.server.writing.NewChanges;
import dev.strake.server.writing.WriteRoutes;
import dev.strake.server.writing.Writer;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** All routes of Deckhand's API, in their bulkheads. */
public final class DeckhandRoutes {

    private static final int ABOUT = 2;

    /** Short responses. */
    private static final int LISTS = 16;

    /** Responses with documents, built in memory. */
    private static final int WHOLE = 4;

    private static final int QUEUED = 64;

    /** Bodies are parsed into trees, from which the response is built. */
    private static final int BYTES_OF_TREES = 4;

    /** Concurrently forwarded writes. If all threads waited for other instances, two instances could deadlock. */
    private static final int FORWARDED = 32;

    private final Supplier<Health> ready;
    private final Limits limits;
    private final List<Route> lists;
    private final List<Route> whole;
    private final List<Route> writes;

    /** @param limits of changes */
    public DeckhandRoutes(StateRoutes state, Writer writer, NewChanges changes, Limits limits, Supplier<Health> ready) {
        this.ready = ready;
        this.limits = limits;
        Writing writing = new Writing(writer);
        Bodies bodies = new Bodies(limits);
        Asking asking = new Asking(state, LISTS / 2, FORWARDED);
        RevisionRoutes revisions = new RevisionRoutes(asking, writing);
        TagRoutes tags = new TagRoutes(asking, writing, bodies);
        BucketRoutes buckets = new BucketRoutes(asking, writing, bodies, changes);
        Asking forMuch = new Asking(state, WHOLE / 2, FORWARDED);
        ValidationRoutes validations = new ValidationRoutes(forMuch, writing, bodies);
        this.whole = all(Stream.of(
                new DocumentRoutes(forMuch).questions(), new DiffRoutes(forMuch).questions(), validations.questions()));
        this.lists = all(Stream.of(revisions.questions(), tags.questions()));
        this.writes = all(Stream.of(buckets.writes(), revisions.writes(), tags.writes(), validations.writes()));
    }

    private static List<Route> all(Stream<List<Route>> parts) {
        return parts.flatMap(List::stream).toList();
    }

    public List<Bulkhead> bulkheads() {
        return List.of(
                new Bulkhead(ABOUT, QUEUED, about()),
                new Bulkhead(LISTS, QUEUED, lists),
                new Bulkhead(WHOLE, QUEUED, whole),
                writing(WriteRoutes.bulkhead(limits, writes)));
    }

    /* Queues requests, because clients of Deckhand prefer waiting to retrying. */
    private static Bulkhead writing(Bulkhead usual) {
        long bytes = usual.bytesOfBodies() / BYTES_OF_TREES;
        int body = (int) Math.min(usual.mostBodyBytes(), bytes);
        return new Bulkhead(usual.concurrent(), QUEUED, body, bytes, usual.routes());
    }

    private List<Route> about() {
        MapValue version = MapValue.of("path", "/api/" + DeckhandApi.VERSION).with("status", "stable");
        Response versions = YamlAnswers.of(200, MapValue.of(DeckhandApi.VERSION, version));
        return List.of(
                Route.get(DeckhandApi.ROOT + "/versions", request -> versions).ignoringUnknown(),
                Route.get(DeckhandApi.API + "/health", request -> health()).ignoringUnknown());
    }

    private Response health() {
        Health health = ready.get();
        if (!health.fine()) {
            throw RefusedException.tryAgain("NotReady", "Strake is not ready: " + health.reason());
        }
        return Response.empty(204);
    }
}
