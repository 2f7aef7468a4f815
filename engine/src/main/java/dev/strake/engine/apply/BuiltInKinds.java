package dev.strake.engine.apply;

import static dev.strake.engine.apply.PatchType.Field.list;
import static dev.strake.engine.apply.PatchType.Field.set;

import dev.strake.engine.apply.PatchType.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The kinds that Kubernetes itself defines, with the lists in them that strategic merge patches merge: the fields which the
 * Go types of {@code k8s.io/api} (1.32) tag with {@code patchStrategy}. The version of a group makes no difference. All
 * other kinds are custom resources, for which an API server answers 415.
 */
final class BuiltInKinds {

    private static final PatchType METADATA = PatchType.of(list("ownerReferences", "uid"), set("finalizers"));

    private static final PatchType CONTAINER = PatchType.of(
            list("env", "name"),
            list("ports", "containerPort"),
            list("volumeMounts", "mountPath"),
            list("volumeDevices", "devicePath"));

    private static final PatchType VOLUME = nested(METADATA, "ephemeral", "volumeClaimTemplate", "metadata");

    private static final PatchType POD_SPEC = PatchType.of(
            list("containers", "name", CONTAINER),
            list("initContainers", "name", CONTAINER),
            list("ephemeralContainers", "name", CONTAINER),
            list("volumes", "name", VOLUME),
            list("imagePullSecrets", "name"),
            list("hostAliases", "ip"),
            list("topologySpreadConstraints", "topologyKey"),
            list("schedulingGates", "name"),
            list("resourceClaims", "name"));

    private static final PatchType POD_TEMPLATE =
            PatchType.of(Field.of("metadata", METADATA), Field.of("spec", POD_SPEC));

    private static final PatchType WITH_POD_TEMPLATE = PatchType.of(Field.of("template", POD_TEMPLATE));

    private static final PatchType WITH_CONDITIONS = PatchType.of(list("conditions", "type"));

    private static final PatchType WITH_NAMED_CONDITIONS = PatchType.of(list("matchConditions", "name"));

    private static final Map<String, PatchType> KINDS = kinds();

    private BuiltInKinds() {}

    /**
     * The type of a built-in kind; empty for a custom resource.
     *
     * @param apiVersion group and version, as in the object
     */
    static Optional<PatchType> find(String apiVersion, String kind) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        return Optional.ofNullable(KINDS.get(group + "/" + kind));
    }

    private static Map<String, PatchType> kinds() {
        Map<String, PatchType> kinds = new HashMap<>();
        plain(kinds, "", "Binding", "ConfigMap", "Endpoints", "Event", "LimitRange", "PersistentVolume");
        plain(kinds, "", "ResourceQuota", "Secret");
        plain(kinds, "apps", "ControllerRevision");
        plain(kinds, "authentication.k8s.io", "SelfSubjectReview", "TokenRequest", "TokenReview");
        plain(kinds, "authorization.k8s.io", "LocalSubjectAccessReview", "SelfSubjectAccessReview");
        plain(kinds, "authorization.k8s.io", "SelfSubjectRulesReview", "SubjectAccessReview");
        plain(kinds, "autoscaling", "Scale");
        plain(kinds, "admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding");
        plain(kinds, "admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding");
        plain(kinds, "apiextensions.k8s.io", "CustomResourceDefinition");
        plain(kinds, "certificates.k8s.io", "CertificateSigningRequest", "ClusterTrustBundle");
        plain(kinds, "coordination.k8s.io", "Lease", "LeaseCandidate");
        plain(kinds, "discovery.k8s.io", "EndpointSlice");
        plain(kinds, "events.k8s.io", "Event");
        plain(kinds, "extensions", "Ingress", "NetworkPolicy", "Scale");
        plain(kinds, "networking.k8s.io", "Ingress", "IngressClass", "IPAddress", "NetworkPolicy");
        plain(kinds, "node.k8s.io", "RuntimeClass");
        plain(kinds, "policy", "Eviction", "PodSecurityPolicy");
        plain(kinds, "rbac.authorization.k8s.io", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");
        plain(kinds, "resource.k8s.io", "DeviceClass", "ResourceSlice");
        plain(kinds, "scheduling.k8s.io", "PriorityClass");
        plain(kinds, "storage.k8s.io", "CSIDriver", "CSIStorageCapacity", "StorageClass", "VolumeAttachment");
        plain(kinds, "storage.k8s.io", "VolumeAttributesClass");

        Field conditions = Field.of("status", WITH_CONDITIONS);
        Field podTemplate = Field.of("spec", WITH_POD_TEMPLATE);
        add(kinds, "", "ComponentStatus", list("conditions", "type"));
        add(kinds, "", "Namespace", conditions);
        add(
                kinds,
                "",
                "Node",
                Field.of("spec", PatchType.of(set("podCIDRs"))),
                Field.of("status", PatchType.of(list("conditions", "type"), list("addresses", "type"))));
        add(kinds, "", "PersistentVolumeClaim", conditions);
        add(
                kinds,
                "",
                "Pod",
                Field.of("spec", POD_SPEC),
                Field.of(
                        "status",
                        PatchType.of(
                                list("conditions", "type"),
                                list("podIPs", "ip"),
                                list("hostIPs", "ip"),
                                list("resourceClaimStatuses", "name"))));
        add(kinds, "", "PodTemplate", Field.of("template", POD_TEMPLATE));
        add(kinds, "", "ReplicationController", podTemplate, conditions);
        add(kinds, "", "Service", Field.of("spec", PatchType.of(list("ports", "port"))), conditions);
        add(kinds, "", "ServiceAccount", list("secrets", "name"));
        for (String kind : List.of("DaemonSet", "Deployment", "ReplicaSet")) {
            add(kinds, "apps", kind, podTemplate, conditions);
            add(kinds, "extensions", kind, podTemplate, conditions);
        }
        add(kinds, "apps", "StatefulSet", podTemplate, conditions);
        add(kinds, "batch", "Job", podTemplate, conditions);
        PatchType jobTemplate = PatchType.of(Field.of("metadata", METADATA), podTemplate);
        add(kinds, "batch", "CronJob", Field.of("spec", PatchType.of(Field.of("jobTemplate", jobTemplate))));
        add(kinds, "autoscaling", "HorizontalPodAutoscaler", conditions);
        // A selector of {} means all pods, so nothing of the old one may stay.
        Field selector = Field.of("selector", PatchType.REPLACED);
        add(kinds, "policy", "PodDisruptionBudget", Field.of("spec", PatchType.of(selector)), conditions);
        Field webhooks = list("webhooks", "name", WITH_NAMED_CONDITIONS);
        add(kinds, "admissionregistration.k8s.io", "MutatingWebhookConfiguration", webhooks);
        add(kinds, "admissionregistration.k8s.io", "ValidatingWebhookConfiguration", webhooks);
        add(
                kinds,
                "admissionregistration.k8s.io",
                "ValidatingAdmissionPolicy",
                Field.of("spec", PatchType.of(list("matchConditions", "name"), list("variables", "name"))));
        add(kinds, "admissionregistration.k8s.io", "MutatingAdmissionPolicy", Field.of("spec", WITH_NAMED_CONDITIONS));
        add(kinds, "apiregistration.k8s.io", "APIService", conditions);
        add(kinds, "flowcontrol.apiserver.k8s.io", "FlowSchema", conditions);
        add(kinds, "flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", conditions);
        add(kinds, "networking.k8s.io", "ServiceCIDR", conditions);
        add(kinds, "resource.k8s.io", "ResourceClaim", Field.of("status", PatchType.of(list("reservedFor", "uid"))));
        add(kinds, "resource.k8s.io", "ResourceClaimTemplate", Field.of("spec", nested(METADATA, "metadata")));
        add(kinds, "storage.k8s.io", "CSINode", Field.of("spec", PatchType.of(list("drivers", "name"))));
        add(kinds, "storagemigration.k8s.io", "StorageVersionMigration", conditions);
        return Map.copyOf(kinds);
    }

    private static void plain(Map<String, PatchType> kinds, String group, String... names) {
        for (String kind : names) {
            add(kinds, group, kind);
        }
    }

    private static void add(Map<String, PatchType> kinds, String group, String kind, Field... fields) {
        Map<String, Field> all = new HashMap<>(PatchType.of(fields).fields());
        all.put("metadata", Field.of("metadata", METADATA));
        kinds.put(group + "/" + kind, new PatchType(Map.copyOf(all), false));
    }

    private static PatchType nested(PatchType innermost, String... names) {
        PatchType type = innermost;
        for (int i = names.length - 1; i >= 0; i--) {
            type = PatchType.of(Field.of(names[i], type));
        }
        return type;
    }
}
