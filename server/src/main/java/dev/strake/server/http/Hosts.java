package dev.strake.server.http;

import dev.strake.server.access.AccessControl;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;

/**
 * The host names under which clients may call a server. A web page can point its own domain at the loopback address to
 * read data meant for this machine (DNS rebinding). The Host header of its requests names that domain.
 */
public final class Hosts {

    private static final Set<String> OF_LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final Set<String> names;

    private Hosts(Set<String> names) {
        this.names = names;
    }

    /**
     * Allows the names of this machine if the server listens on the loopback interface, and any name otherwise.
     *
     * @param others further names of the server, with or without a port
     */
    public static Hosts of(InetSocketAddress address, Collection<String> others) {
        if (address.getAddress() == null || !address.getAddress().isLoopbackAddress()) {
            return new Hosts(Set.of());
        }
        Set<String> names = new TreeSet<>(OF_LOOPBACK);
        names.add(name(address.getHostString()));
        others.forEach(other -> names.add(name(other)));
        return new Hosts(names);
    }

    private static String name(String host) {
        return host.replaceFirst(":[0-9]+$", "").toLowerCase(Locale.ROOT);
    }

    /* A request without a host (HTTP/1.0) does not come from a browser. */
    boolean allow(org.eclipse.jetty.server.Request request) {
        String host = request.getHttpURI().getHost();
        return names.isEmpty() || host == null || names.contains(host.toLowerCase(Locale.ROOT));
    }

    /**
     * Whether a request that may change something was sent by a page of another origin (CSRF), which the browser names
     * in a header. Before it sends X-Auth-Token for such a page, a browser needs permission by a preflight request,
     * which this server never gives. So a request with X-Auth-Token does not come from a page.
     */
    static boolean isOfPageFromElsewhere(org.eclipse.jetty.server.Request request) {
        if (request.getHeaders().contains(AccessControl.X_AUTH_TOKEN)) {
            return false;
        }
        String site = request.getHeaders().get("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        String host = request.getHeaders().get(HttpHeader.HOST);
        // Behind a proxy with TLS, the scheme may differ.
        return origin != null
                && (host == null || !origin.toLowerCase(Locale.ROOT).endsWith("://" + host.toLowerCase(Locale.ROOT)));
    }

    String refusal() {
        return "This server listens on the loopback interface and answers only to the names of this machine: "
                + String.join(", ", names) + ". Set strake.http.advertised to add another name.";
    }
}
