package dev.strake.server.http;

import java.util.List;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;

/** What TLS reveals about the peer of a connection. */
final class Peers {

    /** The header of a request that an instance forwards. It grants nothing; the forwarded token does. */
    static final String FORWARDED = "Strake-Forwarded";

    static final String OTHER_NAME =
            "The request is for another host than its TLS connection. Open a connection to that host.";

    static final String NO_INSTANCE =
            "Only instances may forward requests, with a certificate that strake.http.tls.ca trusts. Ask the operator "
                    + "of this service.";

    private Peers() {}

    static boolean claimsToBeAnInstance(Request request) {
        return request.getHeaders().contains(FORWARDED);
    }

    /* The handshake fails unless an authority of the instances signed the certificate, so one seen here is valid. */
    static boolean isKnown(Request request) {
        return session(request)
                .map(session -> session.peerCertificates() != null && session.peerCertificates().length > 0)
                .orElse(false);
    }

    /** Whether the host is the one for which the client opened the connection (SNI); true without SNI. */
    static boolean isForTheNameOfItsConnection(Request request) {
        String host = request.getHttpURI().getHost();
        if (host == null
                || !(session(request).map(EndPoint.SslSessionData::sslSession).orElse(null)
                        instanceof ExtendedSSLSession session)) {
            return true;
        }
        List<SNIServerName> asked = session.getRequestedServerNames();
        return asked.isEmpty()
                || asked.stream()
                        .anyMatch(name -> name instanceof SNIHostName known
                                && known.getAsciiName().equalsIgnoreCase(host));
    }

    private static Optional<EndPoint.SslSessionData> session(Request request) {
        return Optional.ofNullable(
                request.getConnectionMetaData().getConnection().getEndPoint().getSslSessionData());
    }
}
