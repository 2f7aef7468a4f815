package dev.strake.server.http;

import dev.strake.server.access.Principal;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * An API of another program that is spoken under some paths. Its clients expect refusals in its own form, also those that no
 * route makes, and some headers with every answer.
 */
public interface ForeignApi {

    /**
     * The path that a request means: the API may have a second address, such as one for clients that cannot be told a path.
     *
     * @param path as it came, encoded
     */
    String meant(String path);

    /** Whether it is spoken at a path that is meant. */
    boolean isAt(String path);

    /** A refusal in its form. */
    Response refusal(String path, int status, Response.Refusal refusal);

    /** The answer to OPTIONS, without headers. */
    Response options();

    /**
     * What every answer has, whatever it is.
     *
     * @param headers of the request, by name, whatever its case
     * @param principal who asks; null if that is not known
     */
    Map<String, String> headers(String path, UnaryOperator<String> headers, Principal principal);
}
