package dev.strake.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections on which a header, or the handshake of TLS, does not come to its end. The limit for idle connections
 * is none for them: each byte starts it anew. From the end of a header to the end of its answer, others watch: {@link RequestBody} and
 * {@link Answering}.
 */
final class SlowHeaders extends AbstractLifeCycle implements Connection.Listener {

    private static final long LOOK_EVERY_SECONDS = 2;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(15);

    private static final String NO_PROTOCOL_YET = "NONE";

    private final ServerConnector connector;
    private final Map<Connection, Begun> connections = new ConcurrentHashMap<>();
    private volatile Scheduler.Task next;

    /**
     * What a connection waits for.
     *
     * @param header whether it is one
     * @param bytes that had come when it began to wait
     * @param since when more came, in terms of {@link System#nanoTime}
     */
    private record Begun(boolean header, long bytes, long since) {}

    SlowHeaders(ServerConnector connector) {
        this.connector = connector;
    }

    @Override
    public void onOpened(Connection connection) {
        connections.put(connection, new Begun(true, 0, System.nanoTime()));
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
    }

    /** What ends an exchange. Until then no header is waited for. */
    Callback whileAnswering(Request request, Callback end) {
        Connection connection = request.getConnectionMetaData().getConnection();
        expect(connection, false);
        return Callback.from(() -> expect(connection, true), end);
    }

    /* A connection that is closed stays forgotten. */
    private void expect(Connection connection, boolean header) {
        connections.computeIfPresent(
                connection, (same, before) -> new Begun(header, connection.getBytesIn(), System.nanoTime()));
    }

    private static boolean hasShakenHands(Connection connection) {
        return connection instanceof SslConnection secured
                && !secured.getSSLEngine().getSession().getProtocol().equals(NO_PROTOCOL_YET);
    }

    @Override
    protected void doStart() {
        schedule();
    }

    @Override
    protected void doStop() {
        next.cancel();
    }

    private void schedule() {
        next = connector.getScheduler().schedule(this::look, LOOK_EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        long now = System.nanoTime();
        connections.forEach((connection, begun) -> {
            if (hasShakenHands(connection)) {
                connections.remove(connection); // that of HTTP within it is watched from now on
            } else if (begun.header() && connection.getBytesIn() == begun.bytes()) {
                connections.replace(connection, begun, new Begun(true, begun.bytes(), now));
            } else if (begun.header() && now - begun.since() > MOST_NANOS) {
                connection.getEndPoint().close();
            }
        });
        if (isRunning()) {
            schedule();
        }
    }
}
