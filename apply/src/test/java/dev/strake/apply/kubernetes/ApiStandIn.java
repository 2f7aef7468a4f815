package dev.strake.apply.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * An API server for tests, over real HTTP: discovery, objects with versions and conflicts, namespaces, the patch types,
 * finalizers, custom resources that come a while after their definition, and failures on demand. Shares no code with what it
 * tests.
 */
public final class ApiStandIn implements AutoCloseable {

    public static final ObjectMapper JSON = new ObjectMapper();

    private static final int LOST = -1;

    /** A request as it came. */
    public record Received(String method, String path, String contentType, String user, JsonNode body) {

        public boolean writes() {
            return !method.equals("GET");
        }

        @Override
        public String toString() {
            return method + " " + path + (user == null ? "" : " as " + user);
        }
    }

    /** A failure that waits for a request. */
    private record Trap(Predicate<Received> matches, int code, String message, Runnable before) {}

    private record Type(String group, String version, String plural, String kind, boolean namespaced, long from) {

        String root() {
            return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Type> types = new CopyOnWriteArrayList<>();
    private final SortedMap<String, ObjectNode> objects = new TreeMap<>();
    private final List<Received> received = new ArrayList<>();
    private final List<Trap> traps = new ArrayList<>();
    private int version = 100;
    private volatile long customKindsTakeMillis;

    public ApiStandIn() throws IOException {
        type("", "v1", "namespaces", "Namespace", false);
        type("", "v1", "configmaps", "ConfigMap", true);
        type("", "v1", "secrets", "Secret", true);
        type("", "v1", "services", "Service", true);
        type("apps", "v1", "deployments", "Deployment", true);
        type("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false);
        type("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);
        put("/api/v1/namespaces/default", "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'default'}}");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void type(String group, String groupVersion, String plural, String kind, boolean namespaced) {
        types.add(new Type(group, groupVersion, plural, kind, namespaced, 0));
    }

    /** A kubeconfig that leads here. */
    public Path kubeconfig(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    contexts: [{name: here, context: {cluster: here, user: me, namespace: default}}]
                    clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
                    users: [{name: me, user: {token: planted-token}}]
                    """.formatted(server.getAddress().getPort()));
    }

    /** How long after its definition a custom kind is there. */
    void customKindsTake(long millis) {
        customKindsTakeMillis = millis;
    }

    /** The next request of this kind fails, once. */
    public synchronized void fail(Predicate<Received> which, int code, String message) {
        traps.add(new Trap(which, code, message, () -> {}));
    }

    /** The next request of this kind is carried out, and its answer is lost. */
    public synchronized void loseAnswer(Predicate<Received> which) {
        traps.add(new Trap(which, LOST, "", () -> {}));
    }

    /** Before the next request of this kind is answered, something happens. */
    public synchronized void before(Predicate<Received> which, Runnable what) {
        traps.add(new Trap(which, 0, "", what));
    }

    /** All requests since the last call. */
    public synchronized List<Received> requests() {
        List<Received> all = List.copyOf(received);
        received.clear();
        return all;
    }

    /** Those that are about objects, and not about settings and kinds. */
    public List<Received> objectRequests() {
        return requests().stream()
                .filter(each -> !each.path().endsWith("/razeedeploy-config"))
                .filter(each -> each.path().split("/").length > 4)
                .toList();
    }

    public synchronized JsonNode object(String path) {
        return objects.get(path);
    }

    public synchronized SortedMap<String, ObjectNode> objects() {
        return new TreeMap<>(objects);
    }

    /** Makes or replaces an object, as somebody else would. */
    public synchronized void put(String path, String json) {
        ObjectNode object = (ObjectNode) json(json);
        String uid = "uid-" + (version + 1);
        object.withObject("metadata")
                .put("resourceVersion", Integer.toString(++version))
                .put("uid", uid);
        objects.put(path, object);
    }

    /** Changes an object, as somebody else would. */
    public synchronized void change(String path, UnaryOperator<ObjectNode> how) {
        ObjectNode object = how.apply(objects.get(path).deepCopy());
        object.withObject("metadata").put("resourceVersion", Integer.toString(++version));
        objects.put(path, object);
        finish(path);
    }

    public synchronized void remove(String path) {
        objects.remove(path);
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
                exchange.getRequestHeaders().getFirst("Content-Type"),
                exchange.getRequestHeaders().getFirst("Impersonate-User"),
                body.length == 0 ? null : JSON.readTree(body));
        Answer answer;
        try {
            answer = trapped(request);
            if (answer == null) {
                answer = handle(request);
            }
        } catch (Refusal e) {
            answer = e.answer;
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

    private record Answer(int code, JsonNode body) {}

    private static final class Refusal extends RuntimeException {

        private static final long serialVersionUID = 1L;
        private final transient Answer answer;

        Refusal(int code, String reason, String message) {
            super(reason, null, false, false);
            answer = new Answer(
                    code,
                    JSON.createObjectNode()
                            .put("kind", "Status")
                            .put("apiVersion", "v1")
                            .put("status", "Failure")
                            .put("reason", reason)
                            .put("message", message)
                            .put("code", code));
        }
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
        throw new Refusal(found.code(), "Injected", found.message());
    }

    private synchronized Answer handle(Received request) {
        String path = request.path();
        long now = System.nanoTime();
        List<Type> there = types.stream().filter(type -> now - type.from() >= 0).toList();
        if (path.equals("/api")) {
            return new Answer(200, json("{'kind':'APIVersions','versions':['v1']}"));
        }
        for (Type type : there) {
            if (path.equals(type.root())) {
                return new Answer(200, resources(there, path));
            }
            if (path.equals("/apis/" + type.group()) && !type.group().isEmpty()) {
                return new Answer(
                        200,
                        json("{'kind':'APIGroup','name':'%s','versions':[{'groupVersion':'%s/%s','version':'%s'}]}"
                                .formatted(type.group(), type.group(), type.version(), type.version())));
            }
        }
        for (Type type : there) {
            if (path.startsWith(type.root() + "/")) {
                String[] rest = path.substring(type.root().length() + 1).split("/", -1);
                boolean inNamespace = type.namespaced() && rest.length > 2 && rest[0].equals("namespaces");
                String plural = inNamespace ? rest[2] : rest[0];
                int length = inNamespace ? 3 : 1;
                if (plural.equals(type.plural()) && type.namespaced() == inNamespace) {
                    if (inNamespace && !objects.containsKey("/api/v1/namespaces/" + rest[1])) {
                        if (request.method().equals("POST")) {
                            throw new Refusal(404, "NotFound", "namespaces \"%s\" not found".formatted(rest[1]));
                        }
                    }
                    if (rest.length == length && request.method().equals("POST")) {
                        return create(type, path, inNamespace ? rest[1] : null, (ObjectNode) request.body());
                    }
                    if (rest.length == length + 1) {
                        return one(type, request);
                    }
                }
            }
        }
        throw new Refusal(404, "NotFound", "the server could not find the requested resource");
    }

    private static ObjectNode resources(List<Type> there, String root) {
        ObjectNode list = JSON.createObjectNode().put("kind", "APIResourceList");
        ArrayNode resources = list.putArray("resources");
        for (Type type : there) {
            if (type.root().equals(root)) {
                for (String name : List.of(type.plural(), type.plural() + "/status")) {
                    resources
                            .addObject()
                            .put("name", name)
                            .put("kind", type.kind())
                            .put("namespaced", type.namespaced());
                }
            }
        }
        return list;
    }

    private Answer create(Type type, String collection, String namespace, ObjectNode body) {
        ObjectNode object = body.deepCopy();
        ObjectNode metadata = object.withObject("metadata");
        String path = collection + "/" + metadata.path("name").asText();
        if (objects.containsKey(path)) {
            throw new Refusal(409, "AlreadyExists", path + " already exists");
        }
        if (namespace != null) {
            metadata.put("namespace", namespace);
        }
        store(path, object);
        metadata.put("uid", "uid-" + version).put("creationTimestamp", "2026-01-31T12:00:00Z");
        if (type.kind().equals("CustomResourceDefinition")) {
            JsonNode spec = object.path("spec");
            long from = System.nanoTime() + customKindsTakeMillis * 1_000_000;
            types.add(new Type(
                    spec.path("group").asText(),
                    spec.path("versions").path(0).path("name").asText(),
                    spec.path("names").path("plural").asText(),
                    spec.path("names").path("kind").asText(),
                    spec.path("scope").asText().equals("Namespaced"),
                    from));
        }
        return new Answer(201, object);
    }

    private void store(String path, ObjectNode object) {
        object.withObject("metadata").put("resourceVersion", Integer.toString(++version));
        objects.put(path, object);
    }

    private Answer one(Type type, Received request) {
        ObjectNode live = objects.get(request.path());
        if (live == null) {
            throw new Refusal(404, "NotFound", request.path() + " not found");
        }
        return switch (request.method()) {
            case "GET" -> new Answer(200, live);
            case "PUT" ->
                replaced(request.path(), live, (ObjectNode) request.body().deepCopy());
            case "PATCH" -> replaced(request.path(), live, patched(type, request, live));
            case "DELETE" -> deleted(request, live);
            default -> throw new Refusal(405, "MethodNotAllowed", request.method());
        };
    }

    private Answer replaced(String path, ObjectNode live, ObjectNode next) {
        String asked = next.path("metadata").path("resourceVersion").asText();
        String now = live.path("metadata").path("resourceVersion").asText();
        if (!asked.isEmpty() && !asked.equals(now)) {
            throw new Refusal(409, "Conflict", "the object has been modified");
        }
        ObjectNode metadata = next.withObject("metadata");
        for (String fixed : List.of("uid", "namespace", "creationTimestamp", "deletionTimestamp")) {
            metadata.remove(fixed);
            if (live.path("metadata").has(fixed)) {
                metadata.set(fixed, live.path("metadata").get(fixed));
            }
        }
        metadata.put("resourceVersion", now);
        if (!next.equals(live)) { // an equal write is none
            store(path, next);
            finish(path);
        }
        return new Answer(200, next);
    }

    private void finish(String path) {
        JsonNode metadata = objects.get(path).path("metadata");
        if (metadata.has("deletionTimestamp") && metadata.path("finalizers").isEmpty()) {
            objects.remove(path);
        }
    }

    private ObjectNode patched(Type type, Received request, ObjectNode live) {
        boolean isCustom = type.group().contains(".") && !type.group().endsWith(".k8s.io");
        return switch (request.contentType()) {
            case "application/merge-patch+json" -> (ObjectNode) Patches.merged(live, request.body(), Map.of());
            case "application/strategic-merge-patch+json" -> {
                if (isCustom) {
                    throw new Refusal(415, "UnsupportedMediaType", "strategic merge patch is not supported");
                }
                yield (ObjectNode) Patches.merged(live, request.body(), Patches.KEYS);
            }
            case "application/json-patch+json" -> Patches.jsonPatched(live, request.body());
            default -> throw new Refusal(415, "UnsupportedMediaType", request.contentType());
        };
    }

    private Answer deleted(Received request, ObjectNode live) {
        ObjectNode metadata = live.withObject("metadata");
        JsonNode wanted = request.body() == null
                ? JSON.createObjectNode()
                : request.body().path("preconditions");
        for (String each : List.of("uid", "resourceVersion")) {
            if (wanted.has(each)
                    && !wanted.get(each).asText().equals(metadata.path(each).asText())) {
                throw new Refusal(409, "Conflict", "the precondition does not hold");
            }
        }
        if (!metadata.path("finalizers").isEmpty()) {
            metadata.put("deletionTimestamp", "2026-01-31T12:00:01Z");
            store(request.path(), live);
            return new Answer(200, live);
        }
        objects.remove(request.path());
        return new Answer(200, json("{'kind':'Status','status':'Success'}"));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
