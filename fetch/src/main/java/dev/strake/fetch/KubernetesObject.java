package dev.strake.fetch;

import dev.strake.engine.document.Document;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.fetch.FetchException.Code;
import java.util.function.Consumer;

/**
 * Objects of Kubernetes as documents, and back. The data of the document is the object as a whole, so nothing is lost; the
 * rest tells it apart from others. The version of its interface is no part of the name: the same object in a newer version
 * replaces it.
 *
 * <pre>
 *  apiVersion: apps/v1                 schema: kubernetes/Deployment/v1
 *  kind: Deployment                    metadata:
 *  metadata:                             name: apps/shop/web        group, namespace, name
 *    namespace: shop            ◄──►     labels: {tier: front}
 *    name: web                           storagePolicy: cleartext   encrypted for a Secret
 *    labels: {tier: front}               layeringDefinition: {layer: LAYER OF THE RESOURCE, abstract: false}
 *  spec: {…}                           data: the object
 *
 *  name                NAME   NAMESPACE/NAME   GROUP//NAME   GROUP/NAMESPACE/NAME
 *  schema              kubernetes/KIND/v1; a kind that has other characters than letters is kubernetes/Object/v1, and its
 *                      name is KIND: and the same
 *  RemoteResource      razee/RemoteResource/v1alpha2, NAME or NAMESPACE/NAME
 * </pre>
 */
final class KubernetesObject {

    private static final String RAZEE_GROUP = "deploy.razee.io";

    private KubernetesObject() {}

    /** The name among documents of an object. Groups, namespaces and names have no slash, so no two objects share one. */
    static DocumentKey key(String apiVersion, String kind, String namespace, String name) {
        String group = apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        String place = namespace == null || namespace.isEmpty() ? "" : namespace + "/";
        if (kind.equals("RemoteResource") && group.equals(RAZEE_GROUP)) {
            return new DocumentKey(RemoteResource.SCHEMA, place + name);
        }
        String full = group.isEmpty() ? place + name : group + "/" + (place.isEmpty() ? "/" : place) + name;
        return kind.matches("[A-Za-z]+")
                ? new DocumentKey("kubernetes/" + kind + "/v1", full)
                : new DocumentKey("kubernetes/Object/v1", kind + ":" + full);
    }

    /**
     * The document of an object.
     *
     * @throws FetchException if it has no kind or no name
     */
    static MapValue document(MapValue object, String layer, String place) throws FetchException {
        String apiVersion = text(object.get("apiVersion"));
        String kind = text(object.get("kind"));
        MapValue metadata = object.get("metadata") instanceof MapValue map ? map : MapValue.EMPTY;
        String name = text(metadata.get("name"));
        if (apiVersion.isEmpty() || kind.isEmpty() || name.isEmpty() || (name + kind + apiVersion).contains("|")) {
            throw new FetchException(
                    Code.CONTENT, place + ": an object of Kubernetes needs apiVersion, kind and metadata.name");
        }
        DocumentKey key = key(apiVersion, kind, text(metadata.get("namespace")), name);
        MapValue.Builder about = MapValue.builder()
                .put("schema", new Text("metadata/Document/v1"))
                .put("name", new Text(key.name()));
        if (metadata.get("labels") instanceof MapValue labels) {
            about.put("labels", labels);
        }
        boolean isSecret = kind.equals("Secret") && !apiVersion.contains("/");
        about.put("storagePolicy", new Text(isSecret ? "encrypted" : "cleartext"))
                .put(
                        "layeringDefinition",
                        MapValue.builder()
                                .put("abstract", Bool.of(false))
                                .put("layer", new Text(layer))
                                .build());
        return MapValue.builder()
                .put("schema", new Text(key.schema()))
                .put("metadata", about.build())
                .put("data", object)
                .build();
    }

    /** The object of a document that {@link #document} made. */
    static Value object(MapValue document) {
        return document.get("data");
    }

    /** Hands on an object, or each object of a list. Lists may hold lists; null stands for nothing. */
    static void unfold(Value value, Consumer<Value> each) {
        if (value instanceof ListValue list) {
            list.items().forEach(item -> unfold(item, each));
        } else if (items(value) instanceof ListValue items) {
            items.items().forEach(item -> unfold(item, each));
        } else if (value != Null.NULL) {
            each.accept(value);
        }
    }

    /* As in Razee, a kind List; also one of a type, such as ConfigMapList. Neither has a spec. */
    private static Value items(Value value) {
        if (!Document.isKubernetesObject(value) || !(value instanceof MapValue map) || map.has("schema")) {
            return Null.NULL;
        }
        String kind = text(map.get("kind"));
        boolean isOfType = kind.endsWith("List") && map.get("items") instanceof ListValue && !map.has("spec");
        if (!kind.equalsIgnoreCase("List") && !isOfType) {
            return Null.NULL;
        }
        return map.get("items") instanceof ListValue items ? items : ListValue.EMPTY;
    }

    private static String text(Value value) {
        return value instanceof Text text ? text.value() : "";
    }
}
