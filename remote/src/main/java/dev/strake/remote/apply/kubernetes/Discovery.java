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
 * Finds the resources of kinds that an API server supports. Known kinds are cached. An unknown kind is looked up each
 * time, since a custom resource may be defined at any moment.
 */
final class Discovery {

    private final ApiServer server;
    private final Map<String, Map<String, Resource>> versions = new ConcurrentHashMap<>();

    /**
     * The resource of a kind: where its objects are.
     *
     * @param root the path of the group and version
     * @param plural the name of the resource in paths
     */
    record Resource(String root, String plural, boolean isNamespaced) {

        /** Returns the path of the collection that an object belongs to. */
        String collection(ObjectIdentity identity) {
            return root + (isNamespaced ? "/namespaces/" + identity.namespace() : "") + "/" + plural;
        }

        String path(ObjectIdentity identity) {
            return collection(identity) + "/" + identity.name();
        }

        /** Returns the identity with the namespace of the object, or without one if the kind is not namespaced. */
        ObjectIdentity placed(ObjectIdentity stated, String defaultNamespace) {
            return isNamespaced ? stated.orIn(defaultNamespace) : stated.ofCluster();
        }
    }

    Discovery(ApiServer server) {
        this.server = server;
    }

    /** Finds the resource of a kind in a version; empty if the server does not have it now. */
    Optional<Resource> find(String apiVersion, String kind) throws IOException, ApiFailure {
        String root = (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
        Map<String, Resource> known = versions.get(root);
        if (known == null || !known.containsKey(kind)) {
            known = read(root);
            versions.put(root, known);
        }
        return Optional.ofNullable(known.get(kind));
    }

    /** Finds the resource of a kind in the version that the server prefers. */
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

    /** Returns the resource that a definition will provide for a kind and version; empty if it defines another kind. */
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
            if (!name.contains("/")) { // names with a slash are subresources
                boolean isNamespaced = Bool.TRUE.equals(resource.get("namespaced"));
                kinds.putIfAbsent(resource.text("kind"), new Resource(root, name, isNamespaced));
            }
        }
        return Map.copyOf(kinds);
    }
}
