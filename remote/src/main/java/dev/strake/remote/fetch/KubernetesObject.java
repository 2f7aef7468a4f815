package dev.strake.remote.fetch;

import dev.strake.engine.apply.InvalidPatchException;
import dev.strake.engine.apply.ObjectDocument;
import dev.strake.engine.apply.ObjectIdentity;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.remote.fetch.FetchException.Code;

/**
 * Objects of Kubernetes as documents, as {@link ObjectDocument} has them. A RemoteResource among them becomes a document of its
 * own schema, so that it is fetched in its turn; its data is the object as a whole, too.
 *
 * <pre>
 *  Deployment shop/web         kubernetes/Object/v1              Deployment.apps/shop/web
 *  RemoteResource shop/app     razee/RemoteResource/v1alpha2     shop/app
 * </pre>
 */
final class KubernetesObject {

    private static final String RAZEE_GROUP = "deploy.razee.io";

    private KubernetesObject() {}

    /**
     * Schema and name of the document of an object.
     *
     * @param namespace the empty text for none
     */
    static DocumentKey key(String apiVersion, String kind, String namespace, String name) {
        String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
        return key(new ObjectIdentity(group, kind, namespace, name));
    }

    private static DocumentKey key(ObjectIdentity identity) {
        if (identity.kind().equals("RemoteResource") && identity.group().equals(RAZEE_GROUP)) {
            String namespace = identity.namespace().isEmpty() ? "" : identity.namespace() + "/";
            return new DocumentKey(RemoteResource.SCHEMA, namespace + identity.name());
        }
        return ObjectDocument.key(identity);
    }

    /**
     * The document of an object.
     *
     * @param place of the object, for the message
     * @throws FetchException if it is no object
     */
    static MapValue document(MapValue object, String layer, String place) throws FetchException {
        try {
            DocumentKey key = key(ObjectIdentity.of(object));
            MapValue document = ObjectDocument.of(object, layer);
            MapValue metadata = (MapValue) document.get("metadata");
            return document.with("schema", new Text(key.schema()))
                    .with("metadata", metadata.with("name", new Text(key.name())));
        } catch (InvalidPatchException e) {
            throw new FetchException(Code.CONTENT, place + ": " + e.getMessage());
        }
    }
}
