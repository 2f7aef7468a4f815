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
 * Makes the routes. Whatever instance a request comes to, the one that has the workspace answers it, so a revision that was just
 * made can be asked for.
 */
final class Asking {

    /** An instance that writes waits for the outcome. */
    private static final Duration LONGEST = Writing.PATIENCE.plusSeconds(30);

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final StateRoutes state;
    private final Forwarding questions;
    private final Forwarding writes;

    /**
     * @param mostQuestions that are passed on to other instances at a time
     * @param mostWrites the same of requests that write
     */
    Asking(StateRoutes state, int mostQuestions, int mostWrites) {
        this.state = state;
        this.questions = state.forwarding(LONGEST, mostQuestions);
        this.writes = state.forwarding(LONGEST, mostWrites);
    }

    Route get(String path, Function<Asked, Response> answer) {
        return get(path, List.of(), answer);
    }

    /** @param parameters the ones that the route knows, with a star where they may be repeated; others are passed over */
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
                .passingOverOthers();
    }

    /** A route that writes. */
    Route write(String method, String path, Function<Asked, Response> answer) {
        return Route.of(method, DeckhandApi.API + path, List.of(), request -> {
                    Bodies.check(request);
                    Request once = withId(request);
                    return patiently(
                            request,
                            () -> state.ask(method, once, writes, question -> answer.apply(Asked.of(question))));
                })
                .passingOverOthers();
    }

    /* A change with the same id is applied once, so it may be sent again. What has no body may say of which type it is. */
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
     * Clients of Deckhand take a failure for the end, so they wait while tasks move or state is restored. Whoever passed a request on
     * waits itself, as it may learn of another instance that has the workspace.
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
