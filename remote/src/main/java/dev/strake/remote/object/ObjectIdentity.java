package dev.strake.remote.object;

import dev.strake.engine.tree.MapValue;
import java.util.Comparator;

/**
 * The identity of an object in a cluster. It has no version: the versions of a group are views of the same objects.
 *
 * <pre>
 *  Deployment.apps/shop/web      kind, group, namespace, name
 *  Service/shop/web              the core group has no name
 *  ClusterRole.rbac.authorization.k8s.io/reader    no namespace: cluster-scoped, or in the default namespace
 * </pre>
 *
 * @param group the API group; empty for the core group
 * @param namespace the namespace; empty for none
 */
public record ObjectIdentity(String group, String kind, String namespace, String name)
        implements Comparable<ObjectIdentity> {

    private static final Comparator<ObjectIdentity> ORDER = Comparator.comparing(ObjectIdentity::kind)
            .thenComparing(ObjectIdentity::group)
            .thenComparing(ObjectIdentity::namespace)
            .thenComparing(ObjectIdentity::name);

    /**
     * Returns the identity of an object.
     *
     * @throws InvalidPatchException if it is missing, or if no API server accepts it
     */
    public static ObjectIdentity of(MapValue object) throws InvalidPatchException {
        new KubernetesObject(object).check();
        MapValue metadata = object.map("metadata");
        return of(object.text("apiVersion"), object.text("kind"), metadata.text("namespace"), metadata.text("name"));
    }

    /** Returns the identity with the group of an apiVersion. */
    public static ObjectIdentity of(String apiVersion, String kind, String namespace, String name) {
        String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
        return new ObjectIdentity(group, kind, namespace, name);
    }

    /** Returns the identity in a default namespace, unless it already has a namespace. */
    public ObjectIdentity orIn(String defaultNamespace) {
        return namespace.isEmpty() ? new ObjectIdentity(group, kind, defaultNamespace, name) : this;
    }

    /** Returns the identity without a namespace. */
    public ObjectIdentity ofCluster() {
        return new ObjectIdentity(group, kind, "", name);
    }

    @Override
    public int compareTo(ObjectIdentity other) {
        return ORDER.compare(this, other);
    }

    /** Returns the form shown above. No two identities have the same text. */
    @Override
    public String toString() {
        return kind + (group.isEmpty() ? "" : "." + group) + (namespace.isEmpty() ? "" : "/" + namespace) + "/" + name;
    }
}
