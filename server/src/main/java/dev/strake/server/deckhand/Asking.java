package dev.strake.server.deckhand;

import dev.strake.server.http.Forwarding;
import dev.strake.server.http.RefusedException;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.StateRoutes;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes the routes. Whatever instance a request comes to, the one that has the workspace answers it, so a revision that was just
 * made can be asked for.
 */
final class Asking {

    /** An instance that writes waits for the outcome. */
    private static final Duration LONGEST = Writing.PATIENCE.plusSeconds(30);

    /**
     * For how long a question waits for the instance that has the workspace, where tasks move or state is restored: clients of
     * Deckhand take a failure for the end.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

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
                        request -> patiently(() -> state.ask(
                                "GET",
                                request,
                                questions,
                                question -> StateRoutes.attempt(() -> answer.apply(new Asked(question))))))
                .passingOverOthers();
    }

    private static Response patiently(Supplier<Response> question) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            boolean isLast = System.nanoTime() - end > 0;
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

    /** A route that writes, whose answer may not be made twice. */
    Route write(String method, String path, Function<Asked, Response> answer) {
        return Route.of(method, DeckhandApi.API + path, List.of(), request -> {
                    Bodies.check(request);
                    return state.ask(method, request, writes, question -> answer.apply(new Asked(question)));
                })
                .passingOverOthers();
    }
}
