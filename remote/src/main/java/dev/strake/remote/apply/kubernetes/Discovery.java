package dev.strake.remote.apply.kubernetes;

import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectIdentity;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which kinds a server has, and where their objects are. What it has is asked for once; what it has not, each time, since a
 * custom resource may come any moment.
 */
final class Discovery {

    private final ApiServer server;
    private final Map<String, Map<String, Resource>> versions = new ConcurrentHashMap<>();

    /**
     * Where the objects of a kind are.
     *
     * @param root the path of the group and version
     * @param plural the name of the resource
     */
    record Resource(String root, String plural, boolean isNamespaced) {

        /** The path of the objects beside an object. */
        String collection(ObjectIdentity identity) {
            return root + (isNamespaced ? "/namespaces/" + identity.namespace() : "") + "/" + plural;
        }

        String path(ObjectIdentity identity) {
            return collection(identity) + "/" + identity.name();
        }

        /** The identity with the namespace in which the object is, or without one. */
        ObjectIdentity placed(ObjectIdentity stated, String defaultNamespace) {
            return isNamespaced ? stated.orIn(defaultNamespace) : stated.ofCluster();
        }
    }

    Discovery(ApiServer server) {
        this.server = server;
    }

    /** The resource of a kind in a version; empty if the server does not have it now. */
    Optional<Resource> find(String apiVersion, String kind) throws IOException, ApiFailure {
        String root = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
        Map<String, Resource> known = versions.get(root);
        if (known == null || !known.containsKey(kind)) {
            known = read(root);
            versions.put(root, known);
        }
        return Optional.ofNullable(known.get(kind));
    }

    /** The resource of a kind in the version that the server prefers. */
    Optional<Resource> find(ObjectIdentity identity) throws IOException, ApiFailure {
        if (identity.group().isEmpty()) {
            return find("v1", identity.kind());
        }
        for (Map.Entry<String, Map<String, Resource>> known : versions.entrySet()) {
            if (known.getKey().startsWith("/apis/" + identity.group() + "/")
                    && known.getValue().containsKey(identity.kind())) {
                return Optional.of(known.getValue().get(identity.kind()));
            }
        }
        MapValue group = server.get("/apis/" + identity.group(), null).orElse(MapValue.EMPTY);
        for (Value version : group.items("versions")) {
            Optional<Resource> found = find(((MapValue) version).text("groupVersion"), identity.kind());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The resource of a kind in a version, once there is this definition of custom resources; empty if it is of another kind. */
    static Optional<Resource> defined(MapValue definition, String apiVersion, String kind) {
        MapValue spec = definition.map("spec");
        MapValue names = spec.map("names");
        boolean isThere = names.text("kind").equals(kind)
                && spec.items("versions").stream()
                        .anyMatch(version -> version instanceof MapValue map
                                && apiVersion.equals(spec.text("group") + "/" + map.text("name")));
        return isThere
                ? Optional.of(new Resource(
                        "/apis/" + apiVersion,
                        names.text("plural"),
                        spec.text("scope").equals("Namespaced")))
                : Optional.empty();
    }

    private Map<String, Resource> read(String root) throws IOException, ApiFailure {
        Map<String, Resource> kinds = new HashMap<>();
        MapValue list = server.get(root, null).orElse(MapValue.EMPTY);
        for (Value each : list.items("resources")) {
            MapValue resource = (MapValue) each;
            String name = resource.text("name");
            if (!name.contains("/")) { // a slash is in the names of subresources
                boolean isNamespaced = Bool.TRUE.equals(resource.get("namespaced"));
                kinds.putIfAbsent(resource.text("kind"), new Resource(root, name, isNamespaced));
            }
        }
        return Map.copyOf(kinds);
    }
}
