package dev.strake.testing.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The API server of a test, over real HTTP: records each request, and fails some on demand. It is backed by {@link
 * ApiStandIn} or a real API server ({@code -Dstrake.kubernetes=KUBECONFIG}), so the tests hold for both.
 */
public abstract class TestCluster implements AutoCloseable {

    public static final ObjectMapper JSON = new ObjectMapper();

    /** The kubeconfig of a real API server. Without it, tests use the stand-in. */
    public static final String REAL = "strake.kubernetes";

    private static final int LOST = -1;

    /** A received request. */
    public record Received(String method, String path, String query, String contentType, String user, JsonNode body) {

        public boolean writes() {
            return !method.equals("GET") && query == null; // only dry runs have a query
        }

        @Override
        public String toString() {
            return method + " " + path + (query == null ? "" : "?" + query) + (user == null ? "" : " as " + user);
        }
    }

    /** The response to a request. */
    record Answer(int code, JsonNode body) {

        /** Returns an error as API servers format it. */
        static Answer failure(int code, String reason, String message) {
            ObjectNode status = JSON.createObjectNode()
                    .put("kind", "Status")
                    .put("apiVersion", "v1")
                    .put("status", "Failure")
                    .put("message", message)
                    .put("reason", reason)
                    .put("code", code);
            return new Answer(code, status);
        }
    }

    /** A failure for a future request. */
    private record Trap(Predicate<Received> matches, int code, String message, Runnable before) {}

    private final HttpServer server;
    private final List<Received> received = new ArrayList<>();
    private final List<Trap> traps = new ArrayList<>();

    TestCluster() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(command -> {
            Thread thread = new Thread(command, "api-server");
            thread.setDaemon(true);
            thread.start();
        });
        server.createContext("/", this::answer);
    }

    /** Starts the stand-in, or a proxy of the real server, with an empty namespace. */
    public static TestCluster start() throws IOException {
        String kubeconfig = System.getProperty(REAL, "");
        TestCluster cluster = kubeconfig.isEmpty() ? new ApiStandIn() : new RealCluster(Path.of(kubeconfig));
        cluster.server.start();
        return cluster;
    }

    /** The namespace in the kubeconfig. */
    public abstract String namespace();

    /** The path of the ConfigMaps in the namespace, with a trailing slash. */
    public String maps() {
        return "/api/v1/namespaces/" + namespace() + "/configmaps/";
    }

    /** Returns the object at a path, or null. */
    public abstract JsonNode object(String path);

    /** Returns all objects created here. */
    public abstract SortedMap<String, JsonNode> objects();

    /** Creates or replaces an object as another client. */
    public abstract void put(String path, String json);

    /** Changes an object as another client. */
    public abstract void change(String path, Consumer<ObjectNode> how);

    /** Removes an object as another client. */
    public abstract void remove(String path);

    /** Executes a request. */
    abstract Answer handle(Received request);

    /** Writes a kubeconfig for this server. */
    public Path kubeconfig(Path folder) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    contexts: [{name: here, context: {cluster: here, user: me, namespace: %s}}]
                    clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: me, user: {token: planted-token}}]
                    """.formatted(
                        namespace(), server.getAddress().getPort()));
    }

    /** Fails the next matching request, once. */
    public synchronized void fail(Predicate<Received> which, int code, String message) {
        traps.add(new Trap(which, code, message, () -> {}));
    }

    /** Executes the next matching request, and drops its response. */
    public synchronized void loseAnswer(Predicate<Received> which) {
        traps.add(new Trap(which, LOST, "", () -> {}));
    }

    /** Runs an action before the response to the next matching request. */
    public synchronized void before(Predicate<Received> which, Runnable what) {
        traps.add(new Trap(which, 0, "", what));
    }

    /** Returns all requests since the last call. */
    public synchronized List<Received> requests() {
        List<Received> all = List.copyOf(received);
        received.clear();
        return all;
    }

    /** Returns the requests for objects, without those for settings and kinds. */
    public List<Received> objectRequests() {
        return requests().stream()
                .filter(each -> !each.path().endsWith("/razeedeploy-config"))
                .filter(each -> each.path().split("/").length > 4)
                .toList();
    }

    public static JsonNode json(String json) {
        try {
            return JSON.readTree(json.replace('\'', '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Received request = new Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath(),
                exchange.getRequestURI().getRawQuery(),
                exchange.getRequestHeaders().getFirst("Content-Type"),
                exchange.getRequestHeaders().getFirst("Impersonate-User"),
                body.length == 0 ? null : JSON.readTree(body));
        Answer answer;
        try {
            answer = trapped(request);
            if (answer == null) {
                answer = handle(request);
            }
        } catch (RuntimeException e) { // a failure of the test: the client still gets a response
            answer = Answer.failure(500, "InternalError", e.toString());
        }
        if (answer.code == LOST) {
            exchange.close();
            return;
        }
        byte[] text = JSON.writeValueAsBytes(answer.body);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(answer.code, text.length);
        exchange.getResponseBody().write(text);
        exchange.close();
    }

    private Answer trapped(Received request) {
        Trap found = null;
        synchronized (this) {
            received.add(request);
            for (Iterator<Trap> each = traps.iterator(); each.hasNext(); ) {
                Trap trap = each.next();
                if (trap.matches().test(request)) {
                    each.remove();
                    found = trap;
                    break;
                }
            }
        }
        if (found == null) {
            return null;
        }
        found.before().run();
        if (found.code() == 0) {
            return null;
        }
        if (found.code() == LOST) {
            handle(request);
            return new Answer(LOST, null);
        }
        return Answer.failure(found.code(), "Injected", found.message());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
