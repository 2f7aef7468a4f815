package dev.strake.server.http;

import java.time.Duration;
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
 * Closes connections of clients that take too long to send a header (including the TLS handshake) or a body. Jetty's
 * idle timeout is not enough, because each byte restarts it: clients that send a byte now and then could hold all
 * connections.
 */
final class Deadlines extends AbstractLifeCycle implements Connection.Listener {

    private static final long BODY_BYTES_A_SECOND = 128 << 10;

    private final ServerConnector connector;
    private final Patience patience;
    private final Map<Connection, Long> expected = new ConcurrentHashMap<>();
    private volatile Scheduler.Task next;

    Deadlines(ServerConnector connector, Patience patience) {
        this.connector = connector;
        this.patience = patience;
    }

    /**
     * How long clients may take.
     *
     * @param header for a header, including the TLS handshake
     * @param body for a small body; a larger one has more time
     * @param idle between two chunks of a body or of a response
     */
    record Patience(Duration header, Duration body, Duration idle) {

        static final Patience USUAL =
                new Patience(Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    @Override
    public void onOpened(Connection connection) {
        if (!(connection instanceof SslConnection)) { // the HTTP connection inside the TLS connection is reported, too
            expect(connection, patience.header().toNanos());
        }
    }

    @Override
    public void onClosed(Connection connection) {
        expected.remove(connection);
    }

    void expectHeader(Request request) {
        expect(
                request.getConnectionMetaData().getConnection(),
                patience.header().toNanos());
    }

    void expectBody(Request request, long bytes) {
        expect(
                request.getConnectionMetaData().getConnection(),
                patience.body().toNanos() + TimeUnit.SECONDS.toNanos(bytes / BODY_BYTES_A_SECOND));
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
        next = connector.getScheduler().schedule(this::look, patience.header().toMillis() / 8, TimeUnit.MILLISECONDS);
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
