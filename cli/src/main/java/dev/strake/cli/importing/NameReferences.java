package dev.strake.cli.importing;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Updates references between objects after prefixes, namespaces and hashes have changed their names. */
record NameReferences(List<Resource> resources, Set<Untranslated> left) {

    /** The path of the pod template in each kind that has one. */
    static final Map<String, String> PODS = Map.of(
            "Pod", "spec/",
            "PodTemplate", "template/spec/",
            "Deployment", "spec/template/spec/",
            "ReplicaSet", "spec/template/spec/",
            "DaemonSet", "spec/template/spec/",
            "StatefulSet", "spec/template/spec/",
            "Job", "spec/template/spec/",
            "CronJob", "spec/jobTemplate/spec/template/spec/");

    /* The referenced kind, the referring kind, and the path; "pod" stands for all kinds with a pod template. */
    private static final List<String> FIELDS = """
            ConfigMap pod volumes/configMap/name
            ConfigMap pod volumes/projected/sources/configMap/name
            ConfigMap pod containers/env/valueFrom/configMapKeyRef/name
            ConfigMap pod containers/envFrom/configMapRef/name
            ConfigMap pod initContainers/env/valueFrom/configMapKeyRef/name
            ConfigMap pod initContainers/envFrom/configMapRef/name
            Secret pod volumes/secret/secretName
            Secret pod volumes/projected/sources/secret/name
            Secret pod containers/env/valueFrom/secretKeyRef/name
            Secret pod containers/envFrom/secretRef/name
            Secret pod initContainers/env/valueFrom/secretKeyRef/name
            Secret pod initContainers/envFrom/secretRef/name
            Secret pod imagePullSecrets/name
            ServiceAccount pod serviceAccountName
            PersistentVolumeClaim pod volumes/persistentVolumeClaim/claimName
            PriorityClass pod priorityClassName
            ConfigMap Role rules/resourceNames
            ConfigMap ClusterRole rules/resourceNames
            Secret Role rules/resourceNames
            Secret ClusterRole rules/resourceNames
            Secret Ingress spec/tls/secretName
            Secret ServiceAccount imagePullSecrets/name
            Service StatefulSet spec/serviceName
            Service Ingress spec/rules/http/paths/backend/serviceName
            Service Ingress spec/backend/serviceName
            Service Ingress spec/rules/http/paths/backend/service/name
            Service Ingress spec/defaultBackend/service/name
            Service HTTPRoute spec/rules/backendRefs/name
            Service APIService spec/service
            Service ValidatingWebhookConfiguration webhooks/clientConfig/service
            Service MutatingWebhookConfiguration webhooks/clientConfig/service
            ServiceAccount RoleBinding subjects
            ServiceAccount ClusterRoleBinding subjects
            Role RoleBinding roleRef/name
            ClusterRole RoleBinding roleRef/name
            ClusterRole ClusterRoleBinding roleRef/name
            PersistentVolume PersistentVolumeClaim spec/volumeName
            StorageClass PersistentVolume spec/storageClassName
            StorageClass PersistentVolumeClaim spec/storageClassName
            StorageClass StatefulSet spec/volumeClaimTemplates/spec/storageClassName
            IngressClass Ingress spec/ingressClassName
            Deployment HorizontalPodAutoscaler spec/scaleTargetRef/name
            ReplicaSet HorizontalPodAutoscaler spec/scaleTargetRef/name
            StatefulSet HorizontalPodAutoscaler spec/scaleTargetRef/name
            ReplicationController HorizontalPodAutoscaler spec/scaleTargetRef/name
            """.lines().toList();

    void follow() {
        for (Resource from : resources) {
            MapValue before = from.object();
            MapValue object = before;
            for (String field : FIELDS) {
                String[] parts = field.split(" ", -1);
                String pod = PODS.get(from.kind());
                if (parts[1].equals(from.kind()) || (parts[1].equals("pod") && pod != null)) {
                    String path = parts[1].equals("pod") ? pod + parts[2] : parts[2];
                    object = Fields.change(object, path, value -> followed(from, before, parts[0], value));
                }
            }
            from.set(object);
        }
    }

    private Value followed(Resource from, MapValue before, String kind, Value value) {
        if (value instanceof ListValue list) {
            return list.withEach((i, item) -> followed(from, before, kind, item));
        }
        if (value instanceof MapValue map) {
            Resource named = named(from, kind, map.text("name"), map.text("namespace"));
            return named == null
                    ? map
                    : map.with("name", named.called().name())
                            .with("namespace", named.object().map("metadata").text("namespace"));
        }
        if (kind.endsWith("Role")
                && !before.map("roleRef").isEmpty()
                && !before.map("roleRef").text("kind").equals(kind)) {
            return value;
        }
        Resource named = value instanceof Text text ? named(from, kind, text.value(), null) : null;
        return named == null ? value : new Text(named.called().name());
    }

    /* Returns the referenced object. Null if there is none, or if several may be meant. */
    private Resource named(Resource from, String kind, String name, String namespace) {
        List<Resource> fitting = resources.stream()
                .filter(each -> each.kind().equals(kind) && isCalled(each, from, name, namespace))
                .toList();
        int nearest =
                fitting.stream().mapToInt(each -> common(each, from)).max().orElse(0);
        List<Resource> near =
                fitting.stream().filter(each -> common(each, from) == nearest).toList();
        if (near.stream().map(each -> each.called().name()).distinct().count() > 1) {
            left.add(new Untranslated(
                    from.file,
                    from.kind() + " " + from.called().name(),
                    "it names an object of kind " + kind + ", but several had this name"));
            return null;
        }
        return near.isEmpty() ? null : near.get(0);
    }

    private static boolean isCalled(Resource each, Resource from, String name, String namespace) {
        if (namespace != null) {
            return each.names().contains(new Resource.Called(name, namespace));
        }
        return each.hadName(name)
                && (each.isOfCluster()
                        || from.isOfCluster()
                        || each.called().namespace().equals(from.called().namespace())
                        || each.names()
                                .get(0)
                                .namespace()
                                .equals(from.names().get(0).namespace()));
    }

    /* Objects of one base refer to each other, even if an overlay contains the base twice with different prefixes. */
    private static int common(Resource one, Resource other) {
        int end = 0;
        int most = Math.min(one.uid().length(), other.uid().length());
        int common = 0;
        while (end < most && one.uid().charAt(end) == other.uid().charAt(end)) {
            end++;
            common = one.uid().charAt(end - 1) == '>' ? end : common;
        }
        return common;
    }
}
