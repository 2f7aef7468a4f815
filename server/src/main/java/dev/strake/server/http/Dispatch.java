package dev.strake.server.http;

import dev.strake.server.access.AccessControl;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Forbidden;
import dev.strake.server.access.AccessControl.Unauthenticated;
import dev.strake.server.access.AccessControl.Undecided;
import dev.strake.server.access.AccessControl.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.pathmap.MatchedResource;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/** Finds the route of a request, refuses what may not be asked, and hands the rest to the bulkhead of the route. */
final class Dispatch extends Handler.AbstractContainer {

    private static final Duration LONGEST_IN_QUEUE = Duration.ofSeconds(10);

    private final Hosts hosts;
    private final AccessControl access;
    private final Deadlines deadlines;
    private final ForeignApis foreign;
    private final boolean instancesAreKnown;
    private final List<Handler> handlers = new ArrayList<>();
    private final PathMappings<List<Choice>> paths = new PathMappings<>();

    /** What answers a path, by one method. */
    private record Choice(Route route, Handler handler) {}

    Dispatch(
            Hosts hosts,
            AccessControl access,
            List<Bulkhead> bulkheads,
            Deadlines deadlines,
            ForeignApis foreign,
            boolean instancesAreKnown) {
        super(false);
        this.hosts = hosts;
        this.access = access;
        this.deadlines = deadlines;
        this.foreign = foreign;
        this.instancesAreKnown = instancesAreKnown;
        Map<String, List<Choice>> choices = new LinkedHashMap<>();
        for (Bulkhead bulkhead : bulkheads) {
            Handler handler = queue(bulkhead, new Answers(bulkhead, deadlines, foreign));
            addBean(handler);
            handlers.add(handler);
            bulkhead.routes()
                    .forEach(route -> choices.computeIfAbsent(route.path(), path -> new ArrayList<>())
                            .add(new Choice(route, handler)));
        }
        choices.forEach((path, each) -> paths.put(new UriTemplatePathSpec(path), each));
    }

    private static Handler queue(Bulkhead bulkhead, Answers answers) {
        QoSHandler queue = new QoSHandler(answers);
        queue.setMaxRequestCount(bulkhead.concurrent());
        queue.setMaxSuspendedRequestCount(bulkhead.queued());
        queue.setMaxSuspend(LONGEST_IN_QUEUE);
        return queue;
    }

    @Override
    public List<Handler> getHandlers() {
        return List.copyOf(handlers);
    }

    @Override
    public boolean handle(
            org.eclipse.jetty.server.Request request, org.eclipse.jetty.server.Response response, Callback callback)
            throws Exception {
        deadlines.expectNothing(request);
        Callback end = Callback.from(
                Invocable.InvocationType.NON_BLOCKING, () -> throwBodyAway(request, callback), callback::failed);
        Choice choice;
        try {
            choice = route(request);
        } catch (RefusedException e) {
            foreign.formed(request, e.instead()).send(response, end);
            return true;
        } catch (IllegalArgumentException e) {
            foreign.formed(request, Response.problem(400, "BadRequest", e.getMessage()))
                    .send(response, end);
            return true;
        }
        return choice.handler().handle(request, response, end);
    }

    /*
     * What is left of a body that nobody read, so that the next request can come, and so that a client that sends all of it before it
     * reads gets its answer. Nobody knows whether a client that waits to be asked for it will send it.
     */
    private void throwBodyAway(org.eclipse.jetty.server.Request request, Callback end) {
        deadlines.expectHeader(request);
        if (request.getHeaders().contains(HttpHeader.EXPECT)) {
            end.succeeded();
        } else {
            Content.Source.consumeAll(request, end);
        }
    }

    /* The request gets what its route is asked as an attribute. */
    private Choice route(org.eclipse.jetty.server.Request request) {
        checkHost(request);
        String path = foreign.path(request);
        MatchedResource<List<Choice>> found = paths.getMatched(path);
        List<Choice> choices = found == null ? List.of() : found.getResource();
        String method = request.getMethod();
        Choice choice = choices.stream()
                .filter(each -> each.route().isAskedBy(method))
                .findFirst()
                .orElseThrow(() -> new RefusedException(noRoute(method, path, choices)));
        Map<String, String> captured = ((UriTemplatePathSpec) found.getPathSpec())
                .getPathParams(path).entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, each -> Route.decode(each.getValue())));
        request.setAttribute(
                Answers.Exchange.ATTRIBUTE,
                new Answers.Exchange(choice.route(), judge(choice.route(), path, captured, request)));
        return choice;
    }

    private void checkHost(org.eclipse.jetty.server.Request request) {
        if (!hosts.allow(request)) {
            throw new RefusedException(421, "MisdirectedRequest", hosts.refusal());
        }
        if (!Peers.isForTheNameOfItsConnection(request)) {
            throw new RefusedException(421, "MisdirectedRequest", Peers.OTHER_NAME);
        }
        if (instancesAreKnown && Peers.claimsToBeAnInstance(request) && !Peers.isKnown(request)) {
            throw new RefusedException(403, "NotAnInstance", Peers.NO_INSTANCE);
        }
    }

    private Response noRoute(String method, String path, List<Choice> choices) {
        String known = choices.isEmpty()
                ? Refusals.METHODS // also of *, which is all that is here
                : choices.stream().map(each -> each.route().methods()).collect(Collectors.joining(", ")) + ", OPTIONS";
        if (method.equals("OPTIONS")) {
            return foreign.at(path)
                    .map(ForeignApi::options)
                    .orElseGet(() -> Response.text(204, ""))
                    .with("Allow", known);
        }
        return choices.isEmpty()
                ? Response.problem(404, "NotFound", "There is nothing at this path.")
                : Response.problem(405, "MethodNotAllowed", "This is answered to " + known + ".")
                        .with("Allow", known);
    }

    private Request judge(
            Route route, String path, Map<String, String> captured, org.eclipse.jetty.server.Request request) {
        if (route.takesBody() && Hosts.isOfPageFromElsewhere(request)) {
            throw new RefusedException(403, "ForeignOrigin", "A page of another origin may not ask for this.");
        }
        String query = request.getHttpURI().getQuery();
        String authorization = foreign.at(path)
                .map(api -> api.credentials(request.getHeaders()::get))
                .orElseGet(() -> request.getHeaders().get(HttpHeader.AUTHORIZATION));
        String workspace = captured.get("workspace");
        Supplier<Verdict> judge = () -> access.judge(route.permission(), authorization, workspace);
        Verdict verdict = judge.get();
        if (!(verdict instanceof Allowed allowed)) {
            throw new RefusedException(refusal(verdict));
        }
        Request asked = new Request(
                path + (query == null ? "" : "?" + query),
                captured,
                route.parameters(query),
                request.getHeaders()::get,
                allowed.principal(),
                () -> judge.get() instanceof Allowed now ? Optional.of(now.principal()) : Optional.empty(),
                null);
        if (route.takesBody() && isPacked(request)) {
            throw new RefusedException(
                    Response.problem(415, "EncodedBody", "A body has to come without Content-Encoding.")
                            .with("Accept-Encoding", "identity"));
        }
        return asked;
    }

    private static boolean isPacked(org.eclipse.jetty.server.Request request) {
        return request.getHeaders().getCSV(HttpHeader.CONTENT_ENCODING, false).stream()
                .anyMatch(encoding -> !encoding.equalsIgnoreCase("identity"));
    }

    /* The two words of RFC 6750 for a token that is not valid, and for one that does not allow enough. */
    private static Response refusal(Verdict verdict) {
        if (verdict instanceof Unauthenticated unknown) {
            return Response.problem(401, "Unauthorized", unknown.message())
                    .with(
                            "WWW-Authenticate",
                            "Bearer realm=\"strake\"" + (unknown.hadToken() ? ", error=\"invalid_token\"" : ""));
        } else if (verdict instanceof Forbidden forbidden) {
            return Response.problem(403, "Forbidden", forbidden.message())
                    .with("WWW-Authenticate", "Bearer realm=\"strake\", error=\"insufficient_scope\"");
        }
        return Response.tryAgain("KeysComing", ((Undecided) verdict).message());
    }
}
