package dev.strake.server.http;

import java.util.Map;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Formats Jetty's own errors like all other errors. */
final class Refusals extends ErrorHandler {

    private final ForeignApis foreign;

    Refusals(ForeignApis foreign) {
        this.foreign = foreign;
    }

    /** All methods that some route accepts. */
    static final String METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS";

    private static final Map<Integer, String> MESSAGES = Map.of(
            400, "This is not an HTTP request.",
            408, "The request took too long to arrive.",
            414, "The path and its parameters are too long.",
            431, "The headers are longer than 16 KiB. A token with fewer groups is shorter.",
            505, "Only HTTP/1.0 and HTTP/1.1 are supported.");

    @Override
    protected void generateResponse(
            Request request, Response response, int code, String message, Throwable cause, Callback callback) {
        foreign.formed(request, refusal(code)).send(response, callback);
    }

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    /* Jetty's message may quote the request. */
    private static dev.strake.server.http.Response refusal(int status) {
        if (status == 503) { // the queue is full, or the server is stopping
            return RefusedException.busy().instead();
        }
        String message =
                MESSAGES.getOrDefault(status, status < 500 ? "The request is refused." : "Strake failed to answer.");
        boolean isOurs = status >= 500 && status != 505;
        return dev.strake.server.http.Response.problem(status, isOurs ? "InternalError" : "BadRequest", message);
    }
}
