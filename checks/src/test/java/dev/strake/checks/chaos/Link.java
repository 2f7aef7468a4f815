package dev.strake.checks.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network link from one node to another, through a separate port, which can be cut and restored. While it is cut,
 * data is neither forwarded nor refused, as with an unplugged cable: peers notice only by their timeouts. When it is
 * restored, existing connections are closed.
 */
final class Link implements AutoCloseable {

    private static final int BUFFER = 64 << 10;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Object change = new Object();
    private boolean cut;
    private boolean closed;

    /** A link to a port of this machine, from any free port. */
    Link(int target) {
        this(loopback(0, 1), 0, target);
    }

    /** A link to a port of this machine, from a given address and port. */
    Link(InetAddress address, int port, int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(port, 50, address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon("link-accepts", this::accept);
    }

    /** One of the loopback addresses, 127.0.third.fourth. */
    static InetAddress loopback(int third, int fourth) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, (byte) third, (byte) fourth});
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The port at the start of the link. */
    int port() {
        return server.getLocalPort();
    }

    void cut() {
        synchronized (change) {
            cut = true;
        }
    }

    void mend() {
        open.forEach(Link::close);
        synchronized (change) {
            cut = false;
            change.notifyAll();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                open.add(near);
                daemon("link", () -> connect(near));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket near) {
        awaitMended();
        try {
            Socket far = new Socket(loopback(0, 1), target);
            open.add(far);
            daemon("link-back", () -> pump(far, near));
            pump(near, far);
        } catch (IOException e) {
            close(near); // the target does not listen
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitMended();
                out.write(buffer, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // One end has closed the connection, so the other one is closed too.
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private void awaitMended() {
        synchronized (change) {
            while (cut && !closed) {
                try {
                    change.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        synchronized (change) {
            closed = true;
            change.notifyAll();
        }
        open.forEach(Link::close);
    }
}
