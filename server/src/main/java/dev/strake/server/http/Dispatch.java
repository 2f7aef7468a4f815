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
import java.util.concurrent.CompletableFuture;
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

/** Finds the route of a request, rejects unauthorized requests, and passes the others to the route's bulkhead. */
final class Dispatch extends Handler.AbstractContainer {

    private static final Duration LONGEST_IN_QUEUE = Duration.ofSeconds(10);

    private final Hosts hosts;
    private final AccessControl access;
    private final Deadlines deadlines;
    private final ForeignApis foreign;
    private final boolean instancesAreKnown;
    private final List<Handler> handlers = new ArrayList<>();
    private final PathMappings<List<Choice>> paths = new PathMappings<>();

    /** A route and the handler that answers it. */
    private record Choice(Route route, Handler handler) {}

    /** The route of a request, and the decoded path segments that the pattern captures. */
    private record Found(
            org.eclipse.jetty.server.Request request, Choice choice, String path, Map<String, String> captured) {}

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
                Invocable.InvocationType.NON_BLOCKING, () -> discardBody(request, callback), callback::failed);
        Found found;
        try {
            found = find(request);
        } catch (RefusedException | IllegalArgumentException e) {
            return refuse(e, request, response, end);
        }
        CompletableFuture<Verdict> verdict = judge(found);
        if (verdict.isDone()) {
            return proceed(found, verdict.join(), response, end);
        }
        var unused = verdict.whenCompleteAsync(
                (late, failure) -> proceedLater(found, late, failure, response, end),
                request.getComponents().getExecutor());
        return true;
    }

    private boolean refuse(
            RuntimeException reason,
            org.eclipse.jetty.server.Request request,
            org.eclipse.jetty.server.Response response,
            Callback end) {
        Response instead = reason instanceof RefusedException refused
                ? refused.instead()
                : Response.problem(400, "BadRequest", reason.getMessage());
        foreign.formed(request, instead).send(response, end);
        return true;
    }

    /* Passes the request to its route as an attribute. */
    private boolean proceed(Found found, Verdict verdict, org.eclipse.jetty.server.Response response, Callback end)
            throws Exception {
        org.eclipse.jetty.server.Request request = found.request();
        try {
            request.setAttribute(
                    Answers.Exchange.ATTRIBUTE,
                    new Answers.Exchange(found.choice().route(), asked(found, verdict)));
        } catch (RefusedException | IllegalArgumentException e) {
            return refuse(e, request, response, end);
        }
        return found.choice().handler().handle(request, response, end);
    }

    /* Continues when the token has been checked remotely. No thread waits for that. */
    private void proceedLater(
            Found found, Verdict verdict, Throwable failure, org.eclipse.jetty.server.Response response, Callback end) {
        if (failure != null) {
            end.failed(failure);
            return;
        }
        try {
            proceed(found, verdict, response, end);
        } catch (Exception e) {
            end.failed(e);
        }
    }

    /*
     * Discards the unread rest of a body, so that the next request can be read, and a client that sends the whole body
     * before it reads gets its response. A client that expects 100-continue may never send its body.
     */
    private void discardBody(org.eclipse.jetty.server.Request request, Callback end) {
        deadlines.expectHeader(request);
        if (request.getHeaders().contains(HttpHeader.EXPECT)) {
            end.succeeded();
        } else {
            Content.Source.consumeAll(request, end);
        }
    }

    private Found find(org.eclipse.jetty.server.Request request) {
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
                        .collect(Collectors.toMap(Map.Entry::getKey, each -> Route.decodeSegment(each.getValue())));
        if (choice.route().takesBody() && Hosts.isOfPageFromElsewhere(request)) {
            throw new RefusedException(403, "ForeignOrigin", "Pages of another origin may not send this request.");
        }
        return new Found(request, choice, path, captured);
    }

    private CompletableFuture<Verdict> judge(Found found) {
        return access.judge(
                found.choice().route().permission(),
                found.request().getHeaders()::get,
                found.captured().get("workspace"));
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
                ? Refusals.METHODS // also the answer to OPTIONS *
                : choices.stream().map(each -> each.route().methods()).collect(Collectors.joining(", ")) + ", OPTIONS";
        if (method.equals("OPTIONS")) {
            return foreign.at(path)
                    .map(ForeignApi::options)
                    .orElseGet(() -> Response.text(204, ""))
                    .with("Allow", known);
        }
        return choices.isEmpty()
                ? Response.problem(404, "NotFound", "There is nothing at this path.")
                : Response.problem(405, "MethodNotAllowed", "This path allows only " + known + ".")
                        .with("Allow", known);
    }

    private Request asked(Found found, Verdict verdict) {
        if (!(verdict instanceof Allowed allowed)) {
            throw new RefusedException(refusal(verdict));
        }
        Route route = found.choice().route();
        org.eclipse.jetty.server.Request request = found.request();
        String query = request.getHttpURI().getQuery();
        Request asked = new Request(
                found.path() + (query == null ? "" : "?" + query),
                found.captured(),
                route.parameters(query),
                request.getHeaders()::get,
                allowed.principal(),
                () -> judge(found).join() instanceof Allowed now ? Optional.of(now.principal()) : Optional.empty(),
                null);
        if (route.takesBody() && isPacked(request)) {
            throw new RefusedException(Response.problem(
                            415,
                            "EncodedBody",
                            "A body with Content-Encoding is not accepted. Send it " + "uncompressed.")
                    .with("Accept-Encoding", "identity"));
        }
        return asked;
    }

    private static boolean isPacked(org.eclipse.jetty.server.Request request) {
        return request.getHeaders().getCSV(HttpHeader.CONTENT_ENCODING, false).stream()
                .anyMatch(encoding -> !encoding.equalsIgnoreCase("identity"));
    }

    /* The error codes of RFC 6750 for an invalid token and for insufficient permissions. */
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
        Undecided undecided = (Undecided) verdict;
        return Response.tryAgain(undecided.code(), undecided.message());
    }
}
