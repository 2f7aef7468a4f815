package dev.strake.server.http;

import dev.strake.server.access.Principal;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * An API of another program that Strake serves under some paths. Its clients expect all errors in the format of that
 * API, and some headers in every response.
 */
public interface ForeignApi {

    /**
     * Maps the path of a request to the canonical path. The API may have a second address, for clients with a fixed
     * path.
     *
     * @param path the path of the request, still encoded
     */
    String meant(String path);

    /** Whether a canonical path belongs to the API. */
    boolean isAt(String path);

    /** Returns an error in the format of the API. */
    Response refusal(String path, int status, Response.Refusal refusal);

    /** Returns the response to OPTIONS, without headers. */
    Response options();

    /**
     * Returns the headers that every response has.
     *
     * @param headers the request headers by name, ignoring case
     * @param principal the sender of the request, or null if not known
     */
    Map<String, String> headers(String path, UnaryOperator<String> headers, Principal principal);
}
