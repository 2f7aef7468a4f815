package dev.strake.cli.importing;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An object on its way through kustomizations, with all names that it has had: patches and references may use any of them. */
final class Resource {

    private static final Set<String> OF_CLUSTERS = Set.of(
            "APIService",
            "CSIDriver",
            "CSINode",
            "CertificateSigningRequest",
            "ClusterRole",
            "ClusterRoleBinding",
            "CustomResourceDefinition",
            "FlowSchema",
            "IngressClass",
            "MutatingWebhookConfiguration",
            "Namespace",
            "Node",
            "PersistentVolume",
            "PriorityClass",
            "PriorityLevelConfiguration",
            "RuntimeClass",
            "StorageClass",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration",
            "VolumeAttachment");

    /**
     * What an object is called.
     *
     * @param namespace the empty text for none
     */
    record Called(String name, String namespace) {

        Called {
            namespace = namespace.equals("default") ? "" : namespace;
        }
    }

    final String file;
    private final List<Called> names = new ArrayList<>();
    private MapValue object;
    private String uid;
    private String uidBelow = "";
    private Path below;
    private boolean hashed;

    /**
     * @param file where it stands
     * @param uid tells it apart from all other objects of its kustomization, whatever changes
     */
    Resource(String file, String uid, MapValue object) {
        this.file = file;
        this.uid = uid;
        this.object = object;
        names.add(called());
    }

    MapValue object() {
        return object;
    }

    void set(MapValue changed) {
        object = changed;
        if (!names.contains(called())) {
            names.add(called());
        }
    }

    void set(String member, String value) {
        set(object.with("metadata", object.map("metadata").with(member, new Text(value))));
    }

    /** Kustomize writes no labels and annotations where there are none. */
    void dropEmptyMetadata() {
        MapValue metadata = object.map("metadata");
        for (String member : new String[] {"labels", "annotations"}) {
            metadata = metadata.has(member) && metadata.map(member).isEmpty() ? metadata.without(member) : metadata;
        }
        object = object.with("metadata", metadata);
    }

    /** Now it belongs to the kustomization that names another one as a resource. */
    void passUp(Path from) {
        uidBelow = uid;
        below = from;
        uid = from + ">" + uid;
    }

    String uid() {
        return uid;
    }

    /** The kustomization that it came from; null if this one has it from a file. */
    Path below() {
        return below;
    }

    /** What it was called there. */
    String uidBelow() {
        return uidBelow;
    }

    String kind() {
        return object.text("kind");
    }

    String group() {
        String version = object.text("apiVersion");
        return version.substring(0, Math.max(0, version.indexOf('/')));
    }

    boolean isOfCluster() {
        return OF_CLUSTERS.contains(kind());
    }

    Called called() {
        MapValue metadata = object.map("metadata");
        return new Called(metadata.text("name"), isOfCluster() ? "" : metadata.text("namespace"));
    }

    /** All that it has been called, the first name first. */
    List<Called> names() {
        return List.copyOf(names);
    }

    boolean hadName(String name) {
        return names.stream().anyMatch(each -> each.name().equals(name));
    }

    /** Whether its name is to end with a hash of its content. */
    boolean isHashed() {
        return hashed;
    }

    void hash() {
        hashed = true;
    }
}
