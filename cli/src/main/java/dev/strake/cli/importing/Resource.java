package dev.strake.cli.importing;

import dev.strake.engine.tree.Container;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An object that kustomizations transform, with all its earlier names, which patches and references may use. */
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
     * The name of an object.
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
     * @param file where the object is defined
     * @param uid unique in its kustomization, and never changed by a transformation
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
        set(object.with("metadata", object.map("metadata").with(member, value)));
    }

    /** Drops empty labels and annotations and makes annotations texts, as Kustomize does. */
    void tidyMetadata() {
        MapValue metadata = object.map("metadata");
        for (String member : new String[] {"labels", "annotations"}) {
            metadata = metadata.has(member) && metadata.map(member).isEmpty() ? metadata.without(member) : metadata;
        }
        if (metadata.get("annotations") instanceof MapValue annotations) {
            metadata = metadata.with("annotations", annotations.withEach((key, value) -> text(value)));
        }
        object = object.with("metadata", metadata);
    }

    /* As Kustomize: lists and mappings become empty text. Unlike Kustomize, 1.50 becomes 1.5, because it is read so. */
    private static Text text(Value value) {
        if (value instanceof Text text) {
            return text;
        }
        return value instanceof Container ? new Text("") : new Text(JsonBytes.text(value));
    }

    /** Assigns the object to the kustomization that names {@code from} as a resource. */
    void passUp(Path from) {
        uidBelow = uid;
        below = from;
        uid = from + ">" + uid;
    }

    String uid() {
        return uid;
    }

    /** The kustomization from which the object came; null if it came from a file. */
    Path below() {
        return below;
    }

    /** The uid of the object in that kustomization. */
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

    /** All names of the object, the first one first. */
    List<Called> names() {
        return List.copyOf(names);
    }

    boolean hadName(String name) {
        return names.stream().anyMatch(each -> each.name().equals(name));
    }

    /** Whether the name has to end with a hash of the content. */
    boolean isHashed() {
        return hashed;
    }

    void hash() {
        hashed = true;
    }
}
