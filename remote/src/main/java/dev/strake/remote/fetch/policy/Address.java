package dev.strake.remote.fetch.policy;

import dev.strake.remote.fetch.policy.FetchException.Code;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * An absolute URL of a source. Its text form omits user and query, which often contain a token.
 *
 * @param uri the URL, with scheme and host; for a file, with a path
 */
public record Address(URI uri) {

    private static final int MOST_PORT = 65_535;

    /**
     * Parses an address.
     *
     * @throws FetchException if it is invalid or contains credentials; the message does not repeat it
     */
    public static Address of(String text) throws FetchException {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw new FetchException(Code.INVALID_RESOURCE, "the URL cannot be read");
        }
        if (uri.getScheme() == null || uri.getRawPath() == null) {
            throw new FetchException(
                    Code.INVALID_RESOURCE, "the URL has to be absolute, such as https://example.org/a");
        }
        if (uri.getHost() == null && !uri.getScheme().equalsIgnoreCase("file")) {
            throw new FetchException(Code.INVALID_RESOURCE, "the URL has no host that can be read");
        }
        if (uri.getRawUserInfo() != null) {
            throw new FetchException(
                    Code.INVALID_RESOURCE, "the URL holds credentials: put them into a header, from a secret");
        }
        if (uri.getPort() == 0 || uri.getPort() > MOST_PORT) {
            throw new FetchException(Code.INVALID_RESOURCE, "the URL has an invalid port");
        }
        if (uri.getRawPath().startsWith("//")) {
            throw new FetchException(Code.INVALID_RESOURCE, "the path of the URL begins with two slashes");
        }
        return new Address(uri);
    }

    public String scheme() {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }

    /** Returns the host in lower case, without the brackets of an IPv6 address. */
    public String host() {
        String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    int port() {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return switch (scheme()) {
            case "https" -> 443;
            case "http" -> 80;
            default -> 0;
        };
    }

    /** Whether a request to another address may carry the same credentials: same scheme, host and port. */
    public boolean isSameOrigin(Address other) {
        return scheme().equals(other.scheme()) && host().equals(other.host()) && port() == other.port();
    }

    /** Returns scheme, host, port and path, which may be shown. */
    @Override
    public String toString() {
        String authority = uri.getHost() == null ? "" : uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
        return uri.getScheme() + "://" + authority + uri.getRawPath();
    }
}
