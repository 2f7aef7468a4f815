package dev.strake.remote.object;

import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Converts Kubernetes objects to documents. The data of the document is the unchanged object; metadata is derived from
 * it.
 *
 * <pre>
 *  apiVersion: apps/v1          schema: kubernetes/Object/v1
 *  kind: Deployment             metadata:
 *  metadata:                      schema: metadata/Document/v1
 *    namespace: shop      ◄──►    name: Deployment.apps/shop/web
 *    name: web                    labels: {tier: front}
 *    labels: {tier: front}        storagePolicy: cleartext
 *  spec: {…}                      layeringDefinition: {abstract: false, layer: site}
 *                               data: {apiVersion: apps/v1, kind: Deployment, …}
 * </pre>
 *
 * <p>A RemoteResource becomes a document of its own schema, so that it is fetched in turn: {@code RemoteResource
 * shop/app} becomes {@code shop/app} of {@link #REMOTE_RESOURCE}.
 */
public final class ObjectDocument {

    /** The schema of documents that are made from objects. The data of other schemas may be an object, too. */
    public static final String SCHEMA = "kubernetes/Object/v1";

    /** The schema of documents that configure what to fetch. */
    public static final String REMOTE_RESOURCE = "razee/RemoteResource/v1alpha2";

    private static final String RAZEE_GROUP = "deploy.razee.io";
    private static final String LIST = "list";
    private static final String METADATA = "metadata";

    private ObjectDocument() {}

    /** Returns the schema and name of an object's document. All versions of a group yield the same key. */
    public static DocumentKey key(ObjectIdentity identity) {
        if (identity.kind().equals("RemoteResource") && identity.group().equals(RAZEE_GROUP)) {
            String namespace = identity.namespace().isEmpty() ? "" : identity.namespace() + "/";
            return new DocumentKey(REMOTE_RESOURCE, namespace + identity.name());
        }
        return new DocumentKey(SCHEMA, identity.toString());
    }

    /**
     * Converts an object to a document. The document of a Secret is encrypted.
     *
     * @param layer the layer of the document
     * @throws InvalidPatchException if no API server would accept the object
     */
    public static MapValue of(MapValue object, String layer) throws InvalidPatchException {
        ObjectIdentity identity = ObjectIdentity.of(object);
        DocumentKey key = key(identity);
        MapValue.Builder metadata =
                MapValue.builder().put("schema", "metadata/Document/v1").put("name", key.name());
        MapValue labels = object.map(METADATA).map("labels");
        if (!labels.isEmpty()) {
            metadata.put("labels", labels);
        }
        metadata.put(StoragePolicy.KEY, isSecret(identity) ? "encrypted" : "cleartext")
                .put("layeringDefinition", MapValue.of("abstract", Bool.FALSE).with("layer", layer));
        return MapValue.of("schema", key.schema())
                .with(METADATA, metadata.build())
                .with("data", object);
    }

    private static boolean isSecret(ObjectIdentity identity) {
        return identity.group().isEmpty() && identity.kind().equals("Secret");
    }

    /** Whether the data of a document is a Secret, lists Secrets, or contains one at any depth, with values. */
    public static boolean isSecret(MapValue document) {
        return holdsSecret(document.get("data"));
    }

    /* The depth of a document is limited, so recursion is safe. */
    private static boolean holdsSecret(Value value) {
        if (value instanceof ListValue list) {
            return list.items().stream().anyMatch(ObjectDocument::holdsSecret);
        }
        if (!(value instanceof MapValue map)) {
            return false;
        }
        boolean isOfCore =
                map.get("apiVersion") instanceof Text && !map.text("apiVersion").contains("/");
        return (isOfCore && map.text("kind").equals("Secret") && hasValues(map))
                || (isOfCore
                        && map.text("kind").equals("SecretList")
                        && map.items("items").stream().anyMatch(ObjectDocument::hasValues))
                || map.keys().stream().anyMatch(key -> holdsSecret(map.get(key)));
    }

    /* The items of a SecretList need not state their kind. */
    private static boolean hasValues(Value secret) {
        return secret instanceof MapValue map
                && !(map.map("data").isEmpty() && map.map("stringData").isEmpty());
    }

    /**
     * Returns the object in a document of any schema; empty if its data is no object. Files that have a version and a
     * kind but no name, such as a kubeconfig, are no objects.
     */
    public static Optional<MapValue> object(MapValue document) {
        return document.get("data") instanceof MapValue data
                        && data.get("apiVersion") instanceof Text
                        && data.get("kind") instanceof Text
                        && data.map(METADATA).get("name") instanceof Text
                ? Optional.of(data)
                : Optional.empty();
    }

    /**
     * Returns the objects in the content of a file, in order. Lists and {@code List} objects are flattened, and nulls
     * are skipped. Other values are returned as they are; {@link #of} or the caller rejects them.
     */
    public static List<Value> unfolded(Value content) {
        List<Value> objects = new ArrayList<>();
        unfold(content, objects);
        return List.copyOf(objects);
    }

    /* The depth of a file is limited, so recursion is safe. */
    private static void unfold(Value content, List<Value> objects) {
        if (content instanceof ListValue list) {
            list.items().forEach(item -> unfold(item, objects));
        } else if (content instanceof MapValue map && isList(map)) {
            unfold(map.get("items"), objects);
        } else if (!(content instanceof Null)) {
            objects.add(content);
        }
    }

    /* Ignores case, as Razee does. An object with a name is no list, whatever its kind. */
    private static boolean isList(MapValue map) {
        return map.text("kind").toLowerCase(Locale.ROOT).endsWith(LIST)
                && map.get("items") instanceof ListValue
                && !map.map(METADATA).has("name");
    }
}
