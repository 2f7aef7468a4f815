package dev.strake.testing.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * A stand-in for a real API server: discovery, objects with versions and conflicts, namespaces, the patch types,
 * finalizers, and custom resources that become available with a delay. Shares no code with the tested code.
 */
final class ApiStandIn extends TestCluster {

    /** The delay until a custom kind is available after its definition. */
    private static final long CUSTOM_KINDS_TAKE_NANOS = 300_000_000;

    /** The delay until a namespace is gone after its deletion. */
    private static final long LEAVING_TAKES_NANOS = 300_000_000;

    private record Type(String group, String version, String plural, String kind, boolean namespaced, long from) {

        String root() {
            return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
        }
    }

    private final List<Type> types = new CopyOnWriteArrayList<>();
    private final SortedMap<String, ObjectNode> objects = new TreeMap<>();
    private final Map<String, Long> leaving = new HashMap<>();
    private int version = 100;

    ApiStandIn() throws IOException {
        type("", "v1", "namespaces", "Namespace", false);
        type("", "v1", "configmaps", "ConfigMap", true);
        type("", "v1", "secrets", "Secret", true);
        type("", "v1", "services", "Service", true);
        type("apps", "v1", "deployments", "Deployment", true);
        type("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false);
        type("rbac.authorization.k8s.io", "v1", "rolebindings", "RoleBinding", true);
        type("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", false);
        put("/api/v1/namespaces/default", "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'default'}}");
    }

    private void type(String group, String groupVersion, String plural, String kind, boolean namespaced) {
        types.add(new Type(group, groupVersion, plural, kind, namespaced, 0));
    }

    @Override
    public String namespace() {
        return "default";
    }

    @Override
    public synchronized JsonNode object(String path) {
        return objects.get(path);
    }

    @Override
    public synchronized SortedMap<String, JsonNode> objects() {
        return new TreeMap<>(objects);
    }

    @Override
    public synchronized void put(String path, String json) {
        ObjectNode object = (ObjectNode) json(json);
        String uid = "uid-" + (version + 1);
        object.withObject("metadata")
                .put("resourceVersion", Integer.toString(++version))
                .put("uid", uid);
        objects.put(path, object);
    }

    @Override
    public synchronized void change(String path, Consumer<ObjectNode> how) {
        ObjectNode object = objects.get(path).deepCopy();
        how.accept(object);
        object.withObject("metadata").put("resourceVersion", Integer.toString(++version));
        objects.put(path, object);
        finish(path);
    }

    @Override
    public synchronized void remove(String path) {
        objects.remove(path);
    }

    private static final class Refusal extends RuntimeException {

        private final Answer answer;

        Refusal(int code, String reason, String message) {
            super(reason, null, false, false);
            answer = Answer.failure(code, reason, message);
        }
    }

    @Override
    Answer handle(Received request) {
        try {
            return handled(request);
        } catch (Refusal e) {
            return e.answer;
        }
    }

    private synchronized Answer handled(Received request) {
        String path = request.path();
        long now = System.nanoTime();
        leaving.entrySet().removeIf(each -> now - each.getValue() >= 0 && objects.remove(each.getKey()) != null);
        if (request.user() != null && !hasRights(request.user(), path)) {
            throw new Refusal(403, "Forbidden", "User \"%s\" cannot do that at %s".formatted(request.user(), path));
        }
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

    /* Returns whether a role binding gives the user all rights in the namespace. */
    private boolean hasRights(String user, String path) {
        return objects.entrySet().stream()
                .filter(each -> each.getKey().contains("/rolebindings/"))
                .anyMatch(each -> path.contains(each.getKey().replaceAll(".*(/namespaces/[^/]+/).*", "$1"))
                        && each.getValue().at("/subjects/0/name").asText().equals(user));
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
        normalize(object);
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
            long from = System.nanoTime() + CUSTOM_KINDS_TAKE_NANOS;
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

    /* Removes empty members, like a server with typed objects. */
    private static void normalize(ObjectNode object) {
        for (String where : List.of("", "/metadata")) {
            if (object.at(where) instanceof ObjectNode map) {
                for (String member : List.of("data", "labels", "annotations")) {
                    if (map.path(member).isNull()
                            || (map.path(member).isObject() && map.path(member).isEmpty())) {
                        map.remove(member);
                    }
                }
            }
        }
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
            case "PUT" -> replaced(request, live, (ObjectNode) request.body().deepCopy());
            case "PATCH" -> replaced(request, live, patched(type, request, live));
            case "DELETE" -> deleted(type, request, live);
            default -> throw new Refusal(405, "MethodNotAllowed", request.method());
        };
    }

    private Answer replaced(Received request, ObjectNode live, ObjectNode next) {
        String path = request.path();
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
        normalize(next);
        if (!next.equals(live) && request.query() == null) { // equal writes and dry runs store nothing
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

    private Answer deleted(Type type, Received request, ObjectNode live) {
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
        if (type.kind().equals("Namespace")) { // its objects are deleted first, which takes some time
            metadata.put("deletionTimestamp", "2026-01-31T12:00:01Z");
            live.putObject("status").put("phase", "Terminating");
            store(request.path(), live);
            leaving.put(request.path(), System.nanoTime() + LEAVING_TAKES_NANOS);
            return new Answer(200, live);
        }
        objects.remove(request.path());
        return new Answer(200, json("{'kind':'Status','status':'Success'}"));
    }
}
