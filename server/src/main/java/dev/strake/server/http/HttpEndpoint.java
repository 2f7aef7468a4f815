package dev.strake.server.http;

import dev.strake.server.access.AccessControl;
import dev.strake.server.http.Deadlines.Patience;
import dev.strake.server.tls.Tls;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server based on Jetty.
 *
 * <pre>
 *   connections  bounded; closed when idle, or when a header takes too long
 *   dispatch     rejects invalid and unauthorized requests
 *   bulkheads    limit how many responses of a kind are produced and sent concurrently, each on a thread
 * </pre>
 *
 * <p>Requests run on platform threads. A response may compute for seconds, and virtual threads are not preempted, so
 * health checks would have to wait.
 */
public final class HttpEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

    private static final int MOST_CONNECTIONS = 4_096;
    private static final int MOST_HEADER_BYTES = 16 << 10;

    /** Acceptor, selector, and threads for requests that are rejected before a bulkhead. */
    private static final int MORE_THREADS = 16;

    /**
     * Allocates every buffer anew, on the heap, where allocation is cheap. Jetty (12.1.14) handles a malformed request
     * on two threads, and both may release its buffer. A pool would then give that buffer to two connections, and bytes
     * of one client would be parsed as a request of the other.
     */
    private static final ByteBufferPool NO_SHARING = new ByteBufferPool.NonPooling();

    /** How long shutdown waits for responses in progress. */
    private static final long SECONDS_TO_END = 5;

    private final Server server;
    private final ServerConnector connector;
    private final GracefulHandler answers;
    private final List<Bulkhead> bulkheads;

    private HttpEndpoint(Server server, ServerConnector connector, GracefulHandler answers, List<Bulkhead> bulkheads) {
        this.server = server;
        this.connector = connector;
        this.answers = answers;
        this.bulkheads = bulkheads;
    }

    /**
     * Starts the server.
     *
     * @param address where to listen; port 0 stands for any free one
     * @param hosts the host names under which clients may call this server
     * @param access decides about requests
     * @throws BindException if the port is in use or the address is not one of this machine
     */
    public static HttpEndpoint start(
            InetSocketAddress address, Hosts hosts, AccessControl access, List<Bulkhead> bulkheads) throws IOException {
        return start(address, Optional.empty(), hosts, access, bulkheads, List.of());
    }

    /**
     * As {@link #start(InetSocketAddress, Hosts, AccessControl, List)}, with TLS and APIs of other programs.
     *
     * @param tls the certificate and key of the server; empty for HTTP without encryption
     * @param foreign the additional APIs
     */
    public static HttpEndpoint start(
            InetSocketAddress address,
            Optional<Tls> tls,
            Hosts hosts,
            AccessControl access,
            List<Bulkhead> bulkheads,
            List<ForeignApi> foreign)
            throws IOException {
        return start(address, tls, hosts, access, bulkheads, new ForeignApis(foreign), Patience.USUAL);
    }

    static HttpEndpoint start(
            InetSocketAddress address,
            Optional<Tls> tls,
            Hosts hosts,
            AccessControl access,
            List<Bulkhead> bulkheads,
            ForeignApis foreign,
            Patience patience)
            throws IOException {
        QueuedThreadPool threads = new QueuedThreadPool(
                bulkheads.stream().mapToInt(Bulkhead::concurrent).sum() + MORE_THREADS);
        threads.setName("http");
        threads.setDaemon(true);
        Server server = new Server(threads);
        HttpConfiguration settings = new HttpConfiguration();
        settings.setSendServerVersion(false);
        settings.setRequestHeaderSize(MOST_HEADER_BYTES);
        settings.setUriCompliance(
                UriCompliance.UNSAFE); // paths are split before they are decoded, and decoded strictly
        settings.setUseInputDirectByteBuffers(false);
        settings.setUseOutputDirectByteBuffers(false);
        HttpConnectionFactory http = new HttpConnectionFactory(settings);
        ConnectionFactory[] protocols = tls.isPresent()
                ? new ConnectionFactory[] {secured(tls.get(), settings, http), http}
                : new ConnectionFactory[] {http};
        ServerConnector connector = new ServerConnector(server, null, null, NO_SHARING, 1, 1, protocols);
        connector.setHost(address.getHostString());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(patience.idle().toMillis());
        connector.setAcceptQueueSize(1_024);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
        Deadlines deadlines = new Deadlines(connector, patience);
        connector.addBean(deadlines);
        server.setErrorHandler(new Refusals(foreign));
        boolean instancesAreKnown = tls.map(Tls::isMutual).orElse(false);
        GracefulHandler answers = new GracefulHandler();
        answers.setHandler(new Dispatch(hosts, access, bulkheads, deadlines, foreign, instancesAreKnown));
        server.setHandler(answers);
        HttpEndpoint endpoint = new HttpEndpoint(server, connector, answers, bulkheads);
        try {
            connector.open();
            server.start();
        } catch (Exception e) {
            endpoint.close();
            Optional<BindException> busy = bindFailure(e);
            throw busy.isPresent() ? unbindable(address, busy.get()) : new IOException("HTTP cannot start", e);
        }
        return endpoint;
    }

    /* Client certificates are optional, but a certificate that a client sends has to be one of an instance. */
    private static SslConnectionFactory secured(Tls tls, HttpConfiguration settings, HttpConnectionFactory next) {
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setSslContext(tls.context());
        context.setIncludeProtocols(Tls.PROTOCOLS.toArray(String[]::new));
        context.setRenegotiationAllowed(false);
        context.setWantClientAuth(tls.isMutual());
        tls.whenChanged(changed -> {
            try {
                context.reload(factory -> factory.setSslContext(changed));
            } catch (Exception e) {
                throw new IllegalStateException("a new TLS context cannot be used", e);
            }
        });
        // Jetty would only compare the requested name with the certificate; Hosts and Peers check more.
        settings.addCustomizer(new SecureRequestCustomizer(false));
        return new SslConnectionFactory(context, next.getProtocol());
    }

    private static Optional<BindException> bindFailure(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof BindException bind) {
                return Optional.of(bind);
            }
        }
        return Optional.empty();
    }

    private static BindException unbindable(InetSocketAddress address, BindException cause) {
        BindException readable =
                new BindException("HTTP cannot listen on %s port %d: %s. Choose another port with --http-port."
                        .formatted(address.getHostString(), address.getPort(), cause.getMessage()));
        readable.initCause(cause);
        return readable;
    }

    public List<Route> routes() {
        return bulkheads.stream().flatMap(each -> each.routes().stream()).toList();
    }

    public int port() {
        return connector.getLocalPort();
    }

    /** Rejects new requests and stops listening. Responses that do not end within some seconds are aborted. */
    @Override
    public void close() {
        try {
            answers.shutdown().get(SECONDS_TO_END, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("Answers are cut off", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("HTTP does not stop", e);
        }
    }
}
