package dev.strake.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections that take too long to send a header or a body. The time for a header includes the TLS handshake. Jetty's idle
 * timeout does not help here, as each byte starts it anew: a client that sends a byte now and then could hold all connections.
 */
final class Deadlines extends AbstractLifeCycle implements Connection.Listener {

    private static final long LOOK_EVERY_SECONDS = 2;
    private static final long HEADER_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long BODY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long BODY_BYTES_A_SECOND = 128 << 10;

    private final ServerConnector connector;
    private final Map<Connection, Long> expected = new ConcurrentHashMap<>();
    private volatile Scheduler.Task next;

    Deadlines(ServerConnector connector) {
        this.connector = connector;
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection)) { // that of HTTP within it is opened with it
            expect(connection, HEADER_NANOS);
        }
    }

    @Override
    public void onClosed(Connection connection) {
        expected.remove(connection);
    }

    void expectHeader(Request request) {
        expect(request.getConnectionMetaData().getConnection(), HEADER_NANOS);
    }

    void expectBody(Request request, long bytes) {
        expect(
                request.getConnectionMetaData().getConnection(),
                BODY_NANOS + TimeUnit.SECONDS.toNanos(bytes / BODY_BYTES_A_SECOND));
    }

    void expectNothing(Request request) {
        expected.remove(request.getConnectionMetaData().getConnection());
    }

    private void expect(Connection connection, long nanos) {
        expected.put(connection, System.nanoTime() + nanos);
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
        expected.forEach((connection, until) -> {
            if (now - until > 0 && expected.remove(connection, until)) {
                connection.getEndPoint().close();
            }
        });
        if (isRunning()) {
            schedule();
        }
    }
}
