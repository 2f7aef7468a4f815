package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request of a resource.
 *
 * @param optional whether the other requests are used if this one fails
 * @param sha256 the expected hash of the whole response, in lower case
 * @param url the address; empty for git
 * @param git the files of a repository; empty for a URL
 * @param headers the headers to send, by name
 * @param headersFrom documents with more headers; later ones override earlier ones and {@code headers}
 */
public record FetchRequest(
        boolean optional,
        Optional<String> sha256,
        Optional<Address> url,
        Optional<RepositoryFiles> git,
        Map<String, HeaderValue> headers,
        List<MapReference> headersFrom) {

    public FetchRequest {
        headers = Map.copyOf(headers);
        headersFrom = List.copyOf(headersFrom);
    }

    /** Returns the place, without secrets. */
    public String place() {
        return url.map(Address::toString).orElseGet(() -> git.orElseThrow().toString());
    }
}
