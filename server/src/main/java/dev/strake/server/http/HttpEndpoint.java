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
 * A small HTTP server on Jetty's.
 *
 * <pre>
 *   connections  bounded; idle ones, and such as do not come to the end of a header, are closed
 *   dispatch     refuses what can be refused
 *   bulkheads    bound how many answers of a kind are made and sent at a time, each on a thread
 * </pre>
 *
 * <p>Threads are those of the platform. An answer may compute for seconds, and nothing would take the processor from a virtual thread
 * meanwhile; health would have to wait.
 */
public final class HttpEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoint.class);

    private static final int MOST_CONNECTIONS = 4_096;
    private static final int MOST_HEADER_BYTES = 16 << 10;

    /** Acceptor, selector, and those that refuse what no bulkhead answers. */
    private static final int MORE_THREADS = 16;

    /**
     * Each buffer is a new one, on the heap, where that is cheap. Jetty (12.1.14) works on a request that is not well-formed
     * with two threads, and both may give its buffer back. A pool would hand it to two connections, and what one client sends
     * would be taken for what another one asks.
     */
    private static final ByteBufferPool NO_SHARING = new ByteBufferPool.NonPooling();

    /** For how long the end waits for answers that have begun. */
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
     * Starts to answer.
     *
     * @param address where to listen; port 0 is any free one
     * @param hosts by what names clients may call this server
     * @param access who may ask for what
     * @throws BindException if the port is busy or the address not one of this machine
     */
    public static HttpEndpoint start(
            InetSocketAddress address, Hosts hosts, AccessControl access, List<Bulkhead> bulkheads) throws IOException {
        return start(address, Optional.empty(), hosts, access, bulkheads);
    }

    /**
     * The same, with TLS.
     *
     * @param tls by which it proves to clients who it is; empty for HTTP without encryption
     */
    public static HttpEndpoint start(
            InetSocketAddress address, Optional<Tls> tls, Hosts hosts, AccessControl access, List<Bulkhead> bulkheads)
            throws IOException {
        return start(address, tls, hosts, access, bulkheads, List.of());
    }

    /**
     * The same.
     *
     * @param foreign the APIs of other programs that are spoken, too
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

    /* Certificates of clients are asked for, and not needed: of those that come each has to be one of an instance. */
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
                throw new IllegalStateException("a context that was made is taken", e);
            }
        });
        // Jetty would check the name that a client wants only against names of certificates; Hosts and Peers do more.
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

    /** Refuses what is asked from now on, and stops listening; answers that do not come to their end in some seconds are cut off. */
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
