package dev.strake.server.http;

import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Request;

/** The APIs of other programs that a server offers, and how they format responses. */
final class ForeignApis {

    private final List<ForeignApi> all;

    ForeignApis(List<ForeignApi> all) {
        this.all = List.copyOf(all);
    }

    /** Returns the canonical path of a request, encoded. */
    String path(Request request) {
        String path = request.getHttpURI().getPath();
        String meant = path == null ? "" : path;
        for (ForeignApi each : all) {
            meant = each.meant(meant);
        }
        return meant;
    }

    /** Returns the API to which a canonical path belongs. */
    Optional<ForeignApi> at(String path) {
        return all.stream().filter(each -> each.isAt(path)).findFirst();
    }

    /** Formats a response as the clients of its path expect it. */
    Response formed(Request request, Response answer) {
        String path = path(request);
        return at(path).map(api -> formed(api, path, request, answer)).orElse(answer);
    }

    private static Response formed(ForeignApi api, String path, Request request, Response answer) {
        Response formed = answer.body() instanceof Response.Refusal refusal
                ? api.refusal(path, answer.status(), refusal).withAll(answer.headers())
                : answer;
        Answers.Exchange exchange = (Answers.Exchange) request.getAttribute(Answers.Exchange.ATTRIBUTE);
        return formed.withAll(api.headers(
                path,
                request.getHeaders()::get,
                exchange == null ? null : exchange.asked().principal()));
    }
}
