package dev.strake.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections on which a header does not come to its end. The limit for idle connections is none for them: each
 * byte starts it anew.
 */
final class SlowHeaders extends AbstractLifeCycle implements Connection.Listener {

    private static final long LOOK_EVERY_SECONDS = 2;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final ServerConnector connector;
    private final Map<Connection, Begun> connections = new ConcurrentHashMap<>();
    private volatile Scheduler.Task next;

    /** What had come when the last whole request had, and since when more came. */
    private record Begun(long requests, long bytes, long since) {}

    SlowHeaders(ServerConnector connector) {
        this.connector = connector;
    }

    @Override
    public void onOpened(Connection connection) {
        connections.put(connection, new Begun(0, 0, System.nanoTime()));
    }

    @Override
    public void onClosed(Connection connection) {
        connections.remove(connection);
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
            boolean waiting = connection.getMessagesIn() == begun.requests() && connection.getBytesIn() > begun.bytes();
            if (!waiting) {
                connections.replace(
                        connection, begun, new Begun(connection.getMessagesIn(), connection.getBytesIn(), now));
            } else if (now - begun.since() > MOST_NANOS) {
                connection.getEndPoint().close();
            }
        });
        if (isRunning()) {
            schedule();
        }
    }
}
