package dev.strake.server.http;

import dev.strake.server.access.AccessControl;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.jetty.http.HttpHeader;

/**
 * By what names clients may call a server. A page in a browser can have a name of its own point to the loopback address,
 * and would then read what only this machine shall (DNS rebinding); the name it calls gives it away.
 */
public final class Hosts {

    private static final Set<String> OF_LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final Set<String> names;

    private Hosts(Set<String> names) {
        this.names = names;
    }

    /**
     * Any name, unless the server listens on the loopback interface.
     *
     * @param others names under which the server is known besides, with or without a port
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

    /* Without a name (HTTP/1.0) it is no browser. */
    boolean allow(org.eclipse.jetty.server.Request request) {
        String host = request.getHttpURI().getHost();
        return names.isEmpty() || host == null || names.contains(host.toLowerCase(Locale.ROOT));
    }

    /**
     * Whether a request that may change something comes from a page of this server, or from no page at all. A browser sends
     * such requests for pages of others, too (CSRF), and says in a header of which. But first it asks whether it may send a
     * header such as X-Auth-Token, and here nobody allows that: whatever has one is no page.
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
        // The scheme may be another one behind a proxy with TLS.
        return origin != null
                && (host == null || !origin.toLowerCase(Locale.ROOT).endsWith("://" + host.toLowerCase(Locale.ROOT)));
    }

    String refusal() {
        return "This server listens on the loopback interface and answers only to the names of this machine: "
                + String.join(", ", names) + ". strake.http.advertised names another one.";
    }
}
