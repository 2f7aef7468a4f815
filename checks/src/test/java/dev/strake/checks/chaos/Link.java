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
 * The way from one node to another, through a port of its own, which can be cut and mended. While it is cut nothing goes
 * through and nothing is refused, as when a cable is out: whoever waits learns of it by his own time limits. When it is
 * mended the connections from before are closed.
 */
final class Link implements AutoCloseable {

    private static final int BUFFER = 64 << 10;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Object change = new Object();
    private boolean cut;
    private boolean closed;

    /** A way to a port of this machine, that begins at any other. */
    Link(int target) {
        this(loopback(0, 1), 0, target);
    }

    /** A way to a port of this machine, that begins at an address and a port of its own. */
    Link(InetAddress address, int port, int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(port, 50, address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon("link-accepts", this::accept);
    }

    /** One of the many addresses of this machine, 127.0.third.fourth. */
    static InetAddress loopback(int third, int fourth) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, (byte) third, (byte) fourth});
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the way begins. */
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
                return; // closed: nobody comes any more
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
            close(near); // nobody listens at the other end
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
            // One end is gone, so the other one goes.
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
