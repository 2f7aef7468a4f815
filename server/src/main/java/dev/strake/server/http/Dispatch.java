package dev.strake.server.http;

import dev.strake.server.access.AccessControl;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Forbidden;
import dev.strake.server.access.AccessControl.Undecided;
import dev.strake.server.access.AccessControl.Unknown;
import dev.strake.server.access.AccessControl.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.util.Callback;

/** Finds who answers. Runs on Jetty's threads. */
final class Dispatch extends Handler.Abstract.NonBlocking {

    private static final Response BUSY =
            Response.tryAgain("Busy", "Too many answers are under way. Ask again in a moment.");

    private final Hosts hosts;
    private final AccessControl access;
    private final List<Lane> lanes;
    private final SlowHeaders slowHeaders;
    private final boolean instancesAreKnown;

    /** @param instancesAreKnown whether instances prove to one another who they are */
    Dispatch(Hosts hosts, AccessControl access, List<Lane> lanes, SlowHeaders slowHeaders, boolean instancesAreKnown) {
        this.hosts = hosts;
        this.access = access;
        this.lanes = lanes;
        this.slowHeaders = slowHeaders;
        this.instancesAreKnown = instancesAreKnown;
    }

    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback end) {
        RequestBody body = new RequestBody(request);
        Callback last = body.throwingAwayBefore(slowHeaders.whileAnswering(request, end));
        dispatch(new Exchange(request, body, body.announcingTheEnd(response), last));
        return true;
    }

    /** One request and its answer. */
    private record Exchange(
            org.eclipse.jetty.server.Request request,
            RequestBody body,
            org.eclipse.jetty.server.Response response,
            Callback end) {

        void refuse(Response refusal) {
            Answering.setHead(response, refusal);
            response.write(true, ByteBuffer.wrap(refusal.content()), end);
        }

        void tell(String methods) {
            response.getHeaders().put(HttpHeader.ALLOW, methods);
            response.setStatus(204);
            response.write(true, null, end);
        }
    }

    private void dispatch(Exchange exchange) {
        if (!hosts.allow(exchange.request())) {
            exchange.refuse(Response.problem(421, "MisdirectedRequest", hosts.refusal()));
            return;
        }
        if (!Peers.isForTheNameOfItsConnection(exchange.request())) {
            exchange.refuse(Response.problem(421, "MisdirectedRequest", Peers.OTHER_NAME));
            return;
        }
        if (instancesAreKnown && Peers.claimsToBeAnInstance(exchange.request()) && !Peers.isKnown(exchange.request())) {
            exchange.refuse(Response.problem(403, "NotAnInstance", Peers.NO_INSTANCE));
            return;
        }
        try {
            route(exchange);
        } catch (IllegalArgumentException e) {
            exchange.refuse(Response.problem(400, "BadRequest", e.getMessage()));
        }
    }

    private void route(Exchange exchange) {
        org.eclipse.jetty.server.Request request = exchange.request();
        String path = request.getHttpURI().getPath();
        List<String> segments = Target.segments(path == null ? "" : path);
        List<String> methods = new ArrayList<>();
        for (Lane lane : lanes) {
            for (Route route : lane.routes()) {
                Optional<Map<String, String>> captured = route.match(segments);
                if (captured.isPresent() && route.isAskedBy(request.getMethod())) {
                    judge(lane, route, captured.get(), exchange);
                    return;
                } else if (captured.isPresent()) {
                    methods.add(route.methods());
                }
            }
        }
        if (!methods.isEmpty()) {
            String known = String.join(", ", methods) + ", OPTIONS";
            if (request.getMethod().equals("OPTIONS")) {
                exchange.tell(known);
            } else {
                exchange.response().getHeaders().put(HttpHeader.ALLOW, known);
                exchange.refuse(Response.problem(405, "MethodNotAllowed", "This is answered to " + known + "."));
            }
            return;
        }
        if (request.getMethod().equals("OPTIONS")) {
            exchange.tell(Refusals.METHODS); // also of *, which is all that is here
        } else {
            exchange.refuse(Response.problem(404, "NotFound", "There is nothing at this path."));
        }
    }

    private void judge(Lane lane, Route route, Map<String, String> captured, Exchange exchange) {
        org.eclipse.jetty.server.Request request = exchange.request();
        if (route.takesBody() && Hosts.isOfPageFromElsewhere(request)) {
            exchange.refuse(Response.problem(403, "ForeignOrigin", "A page of another origin may not ask for this."));
            return;
        }
        String path = request.getHttpURI().getPath();
        String query = request.getHttpURI().getQuery();
        String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        String workspace = captured.get("workspace");
        Supplier<Verdict> judge = () -> access.judge(route.permission(), authorization, workspace);
        Verdict verdict = judge.get();
        if (verdict instanceof Allowed allowed) {
            Request asked = new Request(
                    path + (query == null ? "" : "?" + query),
                    captured,
                    Target.parameters(query, route.parameters()),
                    request.getHeaders()::get,
                    allowed.principal(),
                    () -> judge.get() instanceof Allowed now ? Optional.of(now.principal()) : Optional.empty(),
                    null);
            answer(lane, route, asked, exchange);
        } else {
            refuse(verdict, exchange);
        }
    }

    /* The two words of RFC 6750 for a token that is not valid, and for one that does not allow enough. */
    private static void refuse(Verdict verdict, Exchange exchange) {
        HttpFields.Mutable headers = exchange.response().getHeaders();
        if (verdict instanceof Unknown unknown) {
            headers.put(
                    HttpHeader.WWW_AUTHENTICATE,
                    "Bearer realm=\"strake\"" + (unknown.hadToken() ? ", error=\"invalid_token\"" : ""));
            exchange.refuse(Response.problem(401, "Unauthorized", unknown.message()));
        } else if (verdict instanceof Forbidden forbidden) {
            headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"strake\", error=\"insufficient_scope\"");
            exchange.refuse(Response.problem(403, "Forbidden", forbidden.message()));
        } else if (verdict instanceof Undecided undecided) {
            exchange.refuse(Response.tryAgain("KeysComing", undecided.message()));
        }
    }

    /* A body is read when there is a place for its answer, so no more bodies are in memory than there are places. */
    private static void answer(Lane lane, Route route, Request asked, Exchange exchange) {
        RequestBody body = exchange.body();
        if (route.takesBody() && isPacked(exchange.request())) {
            exchange.response().getHeaders().put(HttpHeader.ACCEPT_ENCODING, "identity");
            exchange.refuse(Response.problem(415, "EncodedBody", "A body has to come without Content-Encoding."));
            return;
        }
        if (route.takesBody() && body.length() > lane.mostBodyBytes()) {
            exchange.refuse(tooLarge(lane.mostBodyBytes()));
            return;
        }
        AtomicReference<Supplier<Response>> question =
                new AtomicReference<>(() -> route.answer().apply(asked));
        int room = route.takesBody() && body.length() != 0 ? lane.takeRoom(body.length()) : 0;
        if (room < 0) {
            exchange.refuse(BUSY);
            return;
        }
        Answering answering =
                new Answering(lane, () -> question.get().get(), body, room, exchange.response(), exchange.end());
        if (!lane.enter(answering)) {
            lane.giveRoomBack(room);
            exchange.refuse(BUSY);
        } else if (route.takesBody()) {
            body.read(lane.mostBodyBytes(), new RequestBody.Reader() {
                @Override
                public void whole(ByteBuffer content) {
                    Request whole = asked.with(content);
                    answer(() -> route.answer().apply(whole));
                }

                @Override
                public void tooLarge() {
                    answer(() -> Dispatch.tooLarge(lane.mostBodyBytes()));
                }

                @Override
                public void tooSlow() {
                    answer(() -> Response.problem(408, "BadRequest", "The body comes too slowly."));
                }

                private void answer(Supplier<Response> with) {
                    question.set(with);
                    run(lane, answering);
                }

                @Override
                public void failed(Throwable cause) {
                    answering.failed(cause);
                }
            });
        } else {
            run(lane, answering);
        }
    }

    private static boolean isPacked(org.eclipse.jetty.server.Request request) {
        return request.getHeaders().getCSV(HttpHeader.CONTENT_ENCODING, false).stream()
                .anyMatch(encoding -> !encoding.equalsIgnoreCase("identity"));
    }

    private static Response tooLarge(int most) {
        return Response.problem(
                413,
                "TooLarge",
                "The body has more than " + most + " bytes. Send it in several changes, or through Kafka.");
    }

    private static void run(Lane lane, Answering answering) {
        if (!lane.run(answering)) {
            answering.refuseAtTheEnd();
        }
    }
}
