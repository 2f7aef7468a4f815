package dev.strake.server.deckhand;

import dev.strake.server.http.Forwarding;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.state.StateRoutes;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * Makes the routes. Whatever instance a request comes to, the one that has the workspace answers it, so a revision that was just
 * made can be asked for.
 */
final class Asking {

    /** An instance that writes waits for the outcome. */
    private static final Duration LONGEST = Writing.PATIENCE.plusSeconds(30);

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
                        request -> state.ask(
                                "GET",
                                request,
                                questions,
                                question -> StateRoutes.attempt(() -> answer.apply(new Asked(question)))))
                .passingOverOthers();
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
