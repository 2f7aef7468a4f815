package dev.strake.chaos;

import static dev.strake.chaos.HostileValues.WORD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients who mean ill, by sockets: those that say nothing, or half of it, or never listen, and those that ask for
 * nonsense or for too much.
 */
final class HostileClients implements AutoCloseable {

    /** A workspace of many documents, of which answers are large. */
    static final String LARGE = "large";

    private static final String HEAD = " HTTP/1.1\r\nHost: localhost\r\n";
    private static final int IDLE = 200;
    private static final int HALF = 50;
    private static final int SLOW = 32;
    private static final int ASKING = 8;
    private static final int TIMEOUT_MILLIS = 30_000;

    private final List<URI> instances;
    private final long seed;
    private final List<Thread> threads = new ArrayList<>();
    private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
    private volatile boolean done;

    HostileClients(List<String> instances, long seed) {
        this.instances = instances.stream().map(URI::create).toList();
        this.seed = seed;
    }

    private interface Client {
        void act(SplittableRandom random) throws IOException;
    }

    void start() {
        repeat("idle", 1, 100, new Sockets(IDLE, "", 0)::tend);
        repeat("half", 1, 1_000, new Sockets(HALF, "GET /health/live" + HEAD + "X-Slow: ", 1)::tend);
        repeat("slow", 1, 100, new Sockets(SLOW, get("/workspaces/" + LARGE + "/documents"), -1)::tend);
        repeat("asks-for-much", ASKING, 500, this::askForMuch);
        repeat("asks-nonsense", 2, 100, this::askNonsense);
        repeat("scrapes", 2, 50, random -> ask("scrape", get("/metrics"), random));
    }

    private void repeat(String name, int count, long pauseMillis, Client client) {
        for (int i = 0; i < count; i++) {
            SplittableRandom random = new SplittableRandom(seed + threads.size());
            Thread thread = new Thread(
                    () -> {
                        while (!done) {
                            try {
                                client.act(random);
                            } catch (IOException e) {
                                count(name + " cut off");
                            }
                            LockSupport.parkNanos(pauseMillis * 1_000_000);
                        }
                    },
                    name);
            thread.start();
            threads.add(thread);
        }
    }

    private Socket connect(SplittableRandom random) throws IOException {
        URI instance = instances.get(random.nextInt(instances.size()));
        Socket socket = new Socket(instance.getHost(), instance.getPort());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    /** Connections that stay as long as the other end lets them. */
    private final class Sockets {

        private final List<Socket> open = new ArrayList<>();
        private final int count;
        private final String begin;
        private final int drip;

        /**
         * @param begin what is said at once
         * @param drip how many bytes are said each time after that; -1 to read some kilobytes instead
         */
        Sockets(int count, String begin, int drip) {
            this.count = count;
            this.begin = begin;
            this.drip = drip;
        }

        void tend(SplittableRandom random) throws IOException {
            if (open.size() < count) {
                Socket socket = connect(random);
                socket.setSoTimeout(1);
                socket.getOutputStream().write(begin.getBytes(ISO_8859_1));
                open.add(socket);
                count(Thread.currentThread().getName());
            }
            open.removeIf(socket -> !goesOn(socket));
        }

        private boolean goesOn(Socket socket) {
            try {
                if (drip > 0) {
                    socket.getOutputStream().write('x');
                } else if (drip < 0 && socket.getInputStream().available() == 0) {
                    return true;
                }
                if (socket.getInputStream().readNBytes(drip < 0 ? 8_192 : 1).length > 0) {
                    return true;
                }
                socket.close();
            } catch (java.net.SocketTimeoutException e) {
                return true; // nothing was said to it either
            } catch (IOException e) {
                count(Thread.currentThread().getName() + " cut off");
            }
            return false;
        }
    }

    private void askForMuch(SplittableRandom random) throws IOException {
        String[] questions = {
            "/documents", "/rendered", "/documents?limit=10000", "/diff/0/1", "/problems", "/revisions", "/buckets"
        };
        ask("much", get("/workspaces/" + LARGE + questions[random.nextInt(questions.length)]), random);
    }

    private void askNonsense(SplittableRandom random) throws IOException {
        String[] questions = {
            "BREW /metrics?q=" + WORD + HEAD + "\r\n",
            "POST /workspaces/ws-0/documents" + HEAD + "Content-Length: 5\r\n\r\nhello",
            "POST /metrics" + HEAD + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            "GET /metrics" + HEAD + "Content-Length: 1000000\r\n\r\nhello",
            get("/workspaces/%/documents"),
            get("/workspaces/%C3%28/documents"),
            get("/workspaces/..%2f..%2fetc/documents"),
            get("/workspaces/ws-0/documents?revision=-1"),
            get("/workspaces/ws-0/documents?revision=99999999999999999999"),
            get("/workspaces/ws-0/documents?limit=0"),
            get("/workspaces/ws-0/documents?after=%00%FF" + WORD + "&limit=1"),
            get("/workspaces/ws-0/documents?after=" + "x".repeat(8_000)),
            get("/workspaces/ws-0/documents?" + WORD + "=1&revision=1&revision=2"),
            get("/workspaces/ws-0/diff/0/" + WORD),
            get("/workspaces/" + "w".repeat(500) + "/documents"),
            get("/" + "p".repeat(60_000)),
            get("/%2e%2e/%2e%2e/etc/passwd"),
            "GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            "GET /metrics HTTP/1.1\r\n\r\n",
            "GET /metrics HTTP/9.9\r\n\r\n",
            "GET /metrics" + HEAD + "X: " + WORD + "h".repeat(60_000) + "\r\n\r\n",
            "GET /metrics" + HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
            get("/health/live") + get("/metrics") + get("/workspaces/ws-0/revisions") + get("/nothing"),
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
            "\r\n\r\n\r\nGET",
            "HEAD /workspaces/" + LARGE + "/documents" + HEAD + "\r\n",
        };
        ask("nonsense", questions[random.nextInt(questions.length)], random);
    }

    private static String get(String path) {
        return "GET " + path + HEAD + "\r\n";
    }

    /* Reads to the end, which the other side says by closing, as nothing more comes from here. */
    private void ask(String name, String question, SplittableRandom random) throws IOException {
        try (Socket socket = connect(random)) {
            socket.getOutputStream().write(question.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            String status = new String(in.readNBytes(12), ISO_8859_1);
            in.skip(Long.MAX_VALUE);
            count(name + " " + (status.length() == 12 ? status.substring(9) : "closed"));
        }
    }

    private void count(String what) {
        answers.computeIfAbsent(what, name -> new AtomicLong()).incrementAndGet();
    }

    /** How many there were of each kind. */
    Map<String, AtomicLong> answers() {
        return new TreeMap<>(answers);
    }

    @Override
    public void close() {
        done = true;
        for (Thread thread : threads) {
            try {
                thread.join(1_000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
