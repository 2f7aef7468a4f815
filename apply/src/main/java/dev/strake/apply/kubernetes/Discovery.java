package dev.strake.apply.kubernetes;

import dev.strake.engine.apply.ObjectIdentity;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
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
        Optional<MapValue> group = server.get("/apis/" + identity.group(), null);
        if (group.isPresent() && group.get().get("versions") instanceof ListValue all) {
            for (Value version : all.items()) {
                Optional<Resource> found = find(text(version, "groupVersion"), identity.kind());
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** The resource of a kind in a version, once there is this definition of custom resources; empty if it is of another kind. */
    static Optional<Resource> defined(MapValue definition, String apiVersion, String kind) {
        if (!(definition.get("spec") instanceof MapValue spec)
                || !(spec.get("names") instanceof MapValue names)
                || !(spec.get("versions") instanceof ListValue versions)
                || !text(names, "kind").equals(kind)) {
            return Optional.empty();
        }
        boolean isThere = versions.items().stream()
                .anyMatch(version -> apiVersion.equals(text(spec, "group") + "/" + text(version, "name")));
        return isThere
                ? Optional.of(new Resource(
                        "/apis/" + apiVersion,
                        text(names, "plural"),
                        text(spec, "scope").equals("Namespaced")))
                : Optional.empty();
    }

    private Map<String, Resource> read(String root) throws IOException, ApiFailure {
        Map<String, Resource> kinds = new HashMap<>();
        Optional<MapValue> list = server.get(root, null);
        if (list.isPresent() && list.get().get("resources") instanceof ListValue resources) {
            for (Value resource : resources.items()) {
                String name = text(resource, "name");
                if (!name.contains("/")) { // a slash is in the names of subresources
                    boolean isNamespaced = resource instanceof MapValue map && map.get("namespaced") == Bool.TRUE;
                    kinds.putIfAbsent(text(resource, "kind"), new Resource(root, name, isNamespaced));
                }
            }
        }
        return Map.copyOf(kinds);
    }

    private static String text(Value map, String member) {
        return map instanceof MapValue of && of.get(member) instanceof Text text ? text.value() : "";
    }
}
