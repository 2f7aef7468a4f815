package dev.strake.cli.importing;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Applies the short fields of a kustomization to an object: names, labels, annotations, images, replicas. */
final class Transformers {

    private static final Set<String> KEEP_THEIR_NAME = Set.of("Namespace", "CustomResourceDefinition", "APIService");
    private static final Set<String> SCALABLE =
            Set.of("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet");

    private static final Map<String, List<String>> TEMPLATES = Map.of(
            "ReplicationController", List.of("spec/template/metadata/"),
            "Deployment", List.of("spec/template/metadata/"),
            "ReplicaSet", List.of("spec/template/metadata/"),
            "DaemonSet", List.of("spec/template/metadata/"),
            "StatefulSet", List.of("spec/template/metadata/"),
            "Job", List.of("spec/template/metadata/"),
            "CronJob", List.of("spec/jobTemplate/metadata/", "spec/jobTemplate/spec/template/metadata/"));

    private static final Map<String, String> MADE_SELECTORS = Map.of(
            "Service", "spec/selector",
            "ReplicationController", "spec/selector",
            "Deployment", "spec/selector/matchLabels",
            "ReplicaSet", "spec/selector/matchLabels",
            "DaemonSet", "spec/selector/matchLabels",
            "StatefulSet", "spec/selector/matchLabels");

    private static final String POD = "spec/template/spec/";
    private static final List<String> NEIGHBOURS = List.of(
            POD
                    + "affinity/podAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
            POD + "affinity/podAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
            POD
                    + "affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector/matchLabels",
            POD + "affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution/labelSelector/matchLabels",
            POD + "topologySpreadConstraints/labelSelector/matchLabels");

    private static final Map<String, List<String>> SELECTORS = Map.of(
            "Deployment", NEIGHBOURS,
            "StatefulSet", NEIGHBOURS,
            "Job", List.of("spec/selector/matchLabels"),
            "CronJob", List.of("spec/jobTemplate/spec/selector/matchLabels"),
            "PodDisruptionBudget", List.of("spec/selector/matchLabels"),
            "NetworkPolicy",
                    List.of(
                            "spec/podSelector/matchLabels",
                            "spec/ingress/from/podSelector/matchLabels",
                            "spec/egress/to/podSelector/matchLabels"));

    private Transformers() {}

    static void namespace(Resource each, String namespace) {
        MapValue object = each.object();
        if (each.kind().endsWith("RoleBinding")) {
            object = Fields.change(
                    object,
                    "subjects",
                    subject -> subject instanceof MapValue map
                                    && map.text("kind").equals("ServiceAccount")
                                    && map.text("name").equals("default")
                            ? map.with("namespace", namespace)
                            : subject);
        }
        each.set(object);
        if (each.kind().equals("Namespace")) {
            each.set("name", namespace);
        } else if (!each.isOfCluster()) {
            each.set("namespace", namespace);
        }
    }

    static void rename(Resource each, String prefix, String suffix) {
        if (!KEEP_THEIR_NAME.contains(each.kind())) {
            each.set("name", prefix + each.called().name() + suffix);
        }
    }

    /**
     * Adds labels.
     *
     * @param inTemplates whether to add them to pod templates, too
     * @param inSelectors whether to add them to pod templates and to all selectors, too
     */
    static void label(Resource each, MapValue labels, boolean inTemplates, boolean inSelectors) {
        String kind = each.kind();
        MapValue object = Fields.add(each.object(), "metadata/labels", true, labels);
        if (inTemplates || inSelectors) {
            for (String template : TEMPLATES.getOrDefault(kind, List.of())) {
                object = Fields.add(object, template + "labels", true, labels);
            }
            if (kind.equals("StatefulSet")) {
                object = Fields.add(object, "spec/volumeClaimTemplates[]/metadata/labels", true, labels);
            }
        }
        if (inSelectors) {
            if (MADE_SELECTORS.containsKey(kind)) {
                object = Fields.add(object, MADE_SELECTORS.get(kind), true, labels);
            }
            for (String selector : SELECTORS.getOrDefault(kind, List.of())) {
                object = Fields.add(object, selector, false, labels);
            }
        }
        each.set(object);
    }

    static void annotate(Resource each, MapValue annotations) {
        MapValue object = Fields.add(each.object(), "metadata/annotations", true, annotations);
        for (String template : TEMPLATES.getOrDefault(each.kind(), List.of())) {
            object = Fields.add(object, template + "annotations", true, annotations);
        }
        each.set(object);
    }

    /** Sets the replicas. Returns whether they concern this object. */
    static boolean scale(Resource each, MapValue replicas) {
        boolean isMeant = SCALABLE.contains(each.kind()) && each.hadName(replicas.text("name"));
        if (isMeant && replicas.get("count") instanceof Num count) {
            each.set(each.object().with("spec", each.object().map("spec").with("replicas", count)));
        }
        return isMeant;
    }

    static void image(Resource each, MapValue image) {
        each.set((MapValue) withImage(each.object(), image));
    }

    private static Value withImage(Value value, MapValue image) {
        if (value instanceof ListValue list) {
            return list.withEach((i, item) -> withImage(item, image));
        }
        return value instanceof MapValue map
                ? map.withEach((key, item) -> key.equals("containers") || key.equals("initContainers")
                        ? withImages(item, image)
                        : withImage(item, image))
                : value;
    }

    private static Value withImages(Value containers, MapValue image) {
        return containers instanceof ListValue list
                ? list.withEach((i, item) -> item instanceof MapValue map && map.get("image") instanceof Text text
                        ? map.with("image", changed(text.value(), image))
                        : item)
                : containers;
    }

    private static String changed(String image, MapValue by) {
        int digest = image.indexOf('@');
        String tagged = digest < 0 ? image : image.substring(0, digest);
        int colon = tagged.indexOf(':', tagged.lastIndexOf('/') + 1);
        String name = colon < 0 ? tagged : tagged.substring(0, colon);
        if (!name.equals(by.text("name"))) {
            return image;
        }
        String version = by.has("newTag") || by.has("digest")
                ? (by.has("newTag") ? ":" + scalar(by.get("newTag")) : "")
                        + (by.has("digest") ? "@" + by.text("digest") : "")
                : image.substring(name.length());
        return (by.has("newName") ? by.text("newName") : name) + version;
    }

    private static String scalar(Value value) {
        return value instanceof Num number ? number.literal() : value instanceof Text text ? text.value() : "";
    }
}
