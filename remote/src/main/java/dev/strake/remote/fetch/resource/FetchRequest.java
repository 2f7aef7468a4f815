package dev.strake.remote.fetch.resource;

import dev.strake.remote.fetch.policy.Address;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing to fetch.
 *
 * @param optional whether the others go on without it
 * @param sha256 of the whole answer, in lower case; pins the content
 * @param url where it is; empty if it is in git
 * @param git where it is; empty if it has a URL
 * @param headers that are sent, by name
 * @param headersFrom documents that hold more headers; later ones win, and all win over {@code headers}
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

    /** Where it is, without anything secret. */
    public String place() {
        return url.map(Address::toString).orElseGet(() -> git.orElseThrow().toString());
    }
}
