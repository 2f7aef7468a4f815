package dev.strake.remote.object;

import dev.strake.engine.tree.MapValue;
import java.util.Comparator;

/**
 * Which object of a cluster is meant. Versions of a group are views of the same objects, so the version is no part of it.
 *
 * <pre>
 *  Deployment.apps/shop/web      kind, group, namespace, name
 *  Service/shop/web              the core group has no name
 *  ClusterRole.rbac.authorization.k8s.io/reader    no namespace: of the cluster as a whole, or of the default one
 * </pre>
 *
 * @param group the API group; the empty text for the core group
 * @param namespace the empty text for none
 */
public record ObjectIdentity(String group, String kind, String namespace, String name)
        implements Comparable<ObjectIdentity> {

    private static final Comparator<ObjectIdentity> ORDER = Comparator.comparing(ObjectIdentity::kind)
            .thenComparing(ObjectIdentity::group)
            .thenComparing(ObjectIdentity::namespace)
            .thenComparing(ObjectIdentity::name);

    /**
     * The identity that an object states.
     *
     * @throws InvalidPatchException if it states none, or one that no API server takes
     */
    public static ObjectIdentity of(MapValue object) throws InvalidPatchException {
        new KubernetesObject(object).check();
        MapValue metadata = object.map("metadata");
        return of(object.text("apiVersion"), object.text("kind"), metadata.text("namespace"), metadata.text("name"));
    }

    /** The identity of which the group is given by a version of it. */
    public static ObjectIdentity of(String apiVersion, String kind, String namespace, String name) {
        String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
        return new ObjectIdentity(group, kind, namespace, name);
    }

    /** The same object in a namespace, unless it is in one already. */
    public ObjectIdentity orIn(String defaultNamespace) {
        return namespace.isEmpty() ? new ObjectIdentity(group, kind, defaultNamespace, name) : this;
    }

    /** The same object outside of all namespaces. */
    public ObjectIdentity ofCluster() {
        return new ObjectIdentity(group, kind, "", name);
    }

    @Override
    public int compareTo(ObjectIdentity other) {
        return ORDER.compare(this, other);
    }

    /** As drawn above. No two identities have the same text. */
    @Override
    public String toString() {
        return kind + (group.isEmpty() ? "" : "." + group) + (namespace.isEmpty() ? "" : "/" + namespace) + "/" + name;
    }
}
