package dev.strake.server.deckhand;

import dev.strake.server.deckhand.answers.YamlAnswers;
import dev.strake.server.http.Forwarding;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.StateRoutes;
import dev.strake.server.writing.NewChanges;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Creates the routes. The instance that owns the workspace answers every request, so that a client can query a revision
 * as soon as it was made.
 */
final class Asking {

    /** A forwarded write waits for the outcome. */
    private static final Duration LONGEST = Writing.PATIENCE.plusSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final StateRoutes state;
    private final Forwarding questions;
    private final Forwarding writes;

    /**
     * @param mostQuestions how many reads may be forwarded concurrently
     * @param mostWrites how many writes may be forwarded concurrently
     */
    Asking(StateRoutes state, int mostQuestions, int mostWrites) {
        this.state = state;
        this.questions = state.forwarding(LONGEST, mostQuestions);
        this.writes = state.forwarding(LONGEST, mostWrites);
    }

    Route get(String path, Function<Asked, Response> answer) {
        return get(path, List.of(), answer);
    }

    /** @param parameters known to the route, with a star if repeatable; others are ignored */
    Route get(String path, List<String> parameters, Function<Asked, Response> answer) {
        return Route.get(
                        DeckhandApi.API + path,
                        parameters,
                        request -> patiently(
                                request,
                                () -> state.ask(
                                        "GET",
                                        request,
                                        questions,
                                        question -> StateRoutes.attempt(() -> answer.apply(Asked.of(question))))))
                .ignoringUnknown();
    }

    /** Returns a route that publishes a change. */
    Route write(String method, String path, Function<Asked, Response> answer) {
        return Route.of(method, DeckhandApi.API + path, List.of(), request -> {
                    Bodies.check(request);
                    Request once = withId(request);
                    return patiently(
                            request,
                            () -> state.ask(method, once, writes, question -> answer.apply(Asked.of(question))));
                })
                .ignoringUnknown();
    }

    /* Adds an id, so that a repeated change is applied once. The Content-Type of an empty body is ignored. */
    private static Request withId(Request request) {
        Map<String, String> own = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        own.put(NewChanges.ID, NewChanges.id(request));
        if (request.body().length == 0) {
            own.put("Content-Type", YamlAnswers.TYPE);
        }
        return request.with(name ->
                own.containsKey(name) ? own.get(name) : request.headers().apply(name));
    }

    /*
     * Clients of Deckhand treat an error as final, so the request is retried while tasks move or state is restored. A
     * forwarded request is retried by the forwarding instance, because the workspace may move to another one.
     */
    private static Response patiently(Request request, Supplier<Response> question) {
        long end = Forwarding.wasForwarded(request) ? 0 : Writing.PATIENCE.toNanos();
        long begin = System.nanoTime();
        while (true) {
            boolean isLast = System.nanoTime() - begin >= end;
            try {
                Response answer = question.get();
                if (answer.status() != 503 || isLast) {
                    return answer;
                }
                answer.body().close();
            } catch (RefusedException e) {
                if (e.instead().status() != 503 || isLast) {
                    throw e;
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RefusedException.tryAgain("Stopping", "This instance is stopping.");
        }
    }
}
