package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.strake.cli.StrakeCommand;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.StrakeTopics;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Checks the kustomize base, its example and the resources of Strimzi. */
class KubernetesTest {

    private static final Path BASE = DeployedFiles.DEPLOY.resolve("kustomize/base");
    private static final Path PRODUCTION = DeployedFiles.DEPLOY.resolve("kustomize/overlays/production");
    private static final Path GIT = DeployedFiles.DEPLOY.resolve("kustomize/overlays/git");
    private static final Path INGRESS = DeployedFiles.DEPLOY.resolve("kustomize/components/ingress");
    private static final Path FETCH = DeployedFiles.DEPLOY.resolve("kustomize/fetch");
    private static final Path APPLY = DeployedFiles.DEPLOY.resolve("kustomize/apply");
    private static final Path STRIMZI = DeployedFiles.DEPLOY.resolve("strimzi");

    @TestFactory
    Stream<DynamicTest> shouldHaveNoPropertyThatItsSchemaDoesNotKnow() throws Exception {
        List<Path> files = new ArrayList<>(DeployedFiles.below(BASE, ".yaml"));
        files.addAll(DeployedFiles.below(STRIMZI, ".yaml"));
        files.add(PRODUCTION.resolve("statefulset.yaml"));
        files.add(INGRESS.resolve("ingress.yaml"));
        files.add(FETCH.resolve("fetch.yaml"));
        files.add(APPLY.resolve("apply.yaml"));
        files.removeIf(file -> file.endsWith("kustomization.yaml"));
        assertThat(files).hasSizeGreaterThan(8);
        return files.stream()
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    List<JsonNode> resources = DeployedFiles.yaml(file);
                    assertThat(resources).isNotEmpty();
                    for (JsonNode resource : resources) {
                        assertThat(TypedResources.read(resource, Object.class)).isNotNull();
                    }
                }));
    }

    /* An empty namespace selector would admit pods of any namespace that set the right label. */
    @Test
    void shouldNameTheNamespaceOfForeignClients() throws Exception {
        JsonNode policy = DeployedFiles.yaml(BASE.resolve("networkpolicy.yaml")).get(0);
        List<String> portsOfOthers = new ArrayList<>();
        for (JsonNode rule : policy.at("/spec/ingress")) {
            for (JsonNode from : rule.get("from")) {
                assertThat(from.has("podSelector")).isTrue();
                if (from.has("namespaceSelector")) {
                    assertThat(from.at("/namespaceSelector/matchLabels").has("kubernetes.io/metadata.name"))
                            .isTrue();
                    rule.get("ports")
                            .forEach(port -> portsOfOthers.add(port.get("port").asText()));
                }
            }
        }
        assertThat(portsOfOthers).containsExactly("health");
    }

    @Test
    void shouldBuildEveryOverlay() throws Exception {
        Tool kubectl = Tool.named("kubectl");
        for (Path directory : List.of(BASE, PRODUCTION, GIT, STRIMZI, FETCH, APPLY)) {
            List<JsonNode> resources = DeployedFiles.yaml(kubectl.run("kustomize", directory.toString()));
            assertThat(resources).hasSizeGreaterThan(3);
            for (JsonNode resource : resources) {
                assertThat(TypedResources.read(resource, Object.class)).isNotNull();
            }
        }
        StatefulSet set = DeployedFiles.yaml(kubectl.run("kustomize", PRODUCTION.toString())).stream()
                .filter(resource -> TypedResources.type(resource) == StatefulSet.class)
                .map(KubernetesTest::statefulSet)
                .findFirst()
                .orElseThrow();
        assertThat(set.getSpec().getReplicas()).isEqualTo(3);
        assertThat(set.getSpec().getTemplate().getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("kafka"))
                .singleElement()
                .satisfies(volume -> {
                    assertThat(volume.getSecret()).isNull();
                    assertThat(volume.getProjected().getSources()).hasSize(3);
                    assertThat(volume.getProjected()
                                    .getSources()
                                    .get(0)
                                    .getConfigMap()
                                    .getName())
                            .startsWith("strake-kafka-"); // its hash changes with the content
                });
    }

    @Test
    void shouldMountCertificatesAndKeysWhereAnOverlayNeedsThem(@TempDir Path overlay) throws Exception {
        Path all = overlay.toRealPath()
                .relativize(DeployedFiles.DEPLOY.resolve("kustomize").toRealPath());
        Files.writeString(
                overlay.resolve("kustomization.yaml"),
                "resources: [%1$s/overlays/production]\ncomponents: [%1$s/components/tls, %1$s/components/keyset]\n"
                        .formatted(all));
        StatefulSet set = DeployedFiles.yaml(Tool.named("kubectl").run("kustomize", overlay.toString())).stream()
                .filter(resource -> TypedResources.type(resource) == StatefulSet.class)
                .map(KubernetesTest::statefulSet)
                .findFirst()
                .orElseThrow();
        PodSpec pod = set.getSpec().getTemplate().getSpec();
        Map<String, String> secrets = Map.of("/etc/strake/tls", "strake-tls", "/etc/strake/secrets", "strake-keyset");

        secrets.forEach((folder, secret) -> {
            assertThat(pod.getContainers().get(0).getEnv())
                    .anyMatch(each -> each.getValue() != null && each.getValue().startsWith(folder + "/"));
            assertThat(pod.getContainers().get(0).getVolumeMounts())
                    .filteredOn(mount -> mount.getMountPath().equals(folder))
                    .singleElement()
                    .satisfies(mount -> {
                        assertThat(mount.getSubPath()).isNull();
                        assertThat(pod.getVolumes())
                                .filteredOn(volume -> volume.getName().equals(mount.getName()))
                                .singleElement()
                                .satisfies(
                                        volume -> assertThat(volume.getSecret().getSecretName())
                                                .isEqualTo(secret));
                    });
        });
    }

    @Test
    void shouldOpenTheIngressOnlyOverHttpsToItsController() throws Exception {
        Ingress ingress = TypedResources.read(
                DeployedFiles.yaml(INGRESS.resolve("ingress.yaml")).get(0), Ingress.class);
        assertThat(ingress.getSpec().getTls().get(0).getHosts())
                .containsExactly(ingress.getSpec().getRules().get(0).getHost());
        assertThat(ingress.getMetadata().getAnnotations())
                .containsEntry("nginx.ingress.kubernetes.io/ssl-redirect", "true");
        JsonNode from =
                DeployedFiles.yaml(INGRESS.resolve("ingress.yaml")).get(1).at("/spec/ingress/0/from/0");
        assertThat(from.at("/namespaceSelector/matchLabels").has("kubernetes.io/metadata.name"))
                .isTrue();
        assertThat(from.at("/podSelector/matchLabels").isEmpty()).isFalse();
    }

    @Test
    void shouldGiveAppliersAndFetchersValidOptionsAndMinimalRights() throws Exception {
        for (Path file : List.of(FETCH.resolve("fetch.yaml"), APPLY.resolve("apply.yaml"))) {
            Deployment deployment = TypedResources.read(DeployedFiles.yaml(file).get(1), Deployment.class);
            PodSpec pod = deployment.getSpec().getTemplate().getSpec();
            assertRestricted(pod);
            Container container = pod.getContainers().get(0);
            String help = StrakeCommand.run(0, container.getArgs().get(0), "--help");
            assertThat(container.getArgs())
                    .filteredOn(each -> each.startsWith("--"))
                    .allSatisfy(option -> assertThat(help).contains(option));
            assertThat(container.getEnv())
                    .filteredOn(each -> each.getName().endsWith("PASSWORD"))
                    .allSatisfy(each ->
                            assertThat(each.getValueFrom().getSecretKeyRef()).isNotNull());
            assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
                    .as("the Service of the pipeline does not choose them")
                    .doesNotContainEntry("app.kubernetes.io/name", "strake")
                    .isEqualTo(deployment.getSpec().getSelector().getMatchLabels());
        }
    }

    @Test
    void shouldRunUnderTheRestrictedProfile() throws Exception {
        PodSpec pod = base().getSpec().getTemplate().getSpec();
        assertRestricted(pod);
        PodSecurityContext all = pod.getSecurityContext();
        assertThat(Files.readString(DeployedFiles.DEPLOY.resolve("Dockerfile")))
                .contains("USER " + all.getRunAsUser() + ":" + all.getRunAsGroup());
    }

    private static void assertRestricted(PodSpec pod) {
        PodSecurityContext all = pod.getSecurityContext();
        assertThat(all.getRunAsNonRoot()).isTrue();
        assertThat(all.getRunAsUser()).isPositive();
        assertThat(all.getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getVolumes())
                .filteredOn(volume -> volume.getSecret() != null)
                .isNotEmpty()
                .allSatisfy(volume -> assertThat(volume.getSecret().getDefaultMode())
                        .as(volume.getName())
                        .isEqualTo(0440));
        assertThat(pod.getContainers()).allSatisfy(container -> {
            SecurityContext own = container.getSecurityContext();
            assertThat(own.getAllowPrivilegeEscalation()).isFalse();
            assertThat(own.getReadOnlyRootFilesystem()).isTrue();
            assertThat(own.getCapabilities().getDrop()).containsExactly("ALL");
        });
    }

    @Test
    void shouldSetOnlyExistingSettings() throws Exception {
        Container container = container();
        Map<String, String> pod = Map.of("metadata.name", "strake-0", "metadata.namespace", "site");
        Map<String, String> variables = new LinkedHashMap<>();
        for (EnvVar variable : container.getEnv()) {
            String value = variable.getValueFrom() == null
                    ? variable.getValue()
                    : pod.get(variable.getValueFrom().getFieldRef().getFieldPath());
            for (Map.Entry<String, String> earlier : variables.entrySet()) {
                value = value.replace("$(" + earlier.getKey() + ")", earlier.getValue());
            }
            variables.put(variable.getName(), value);
        }
        Settings settings = Settings.of(List.of(SettingsSource.environment(variables)));
        assertThat(variables)
                .containsEntry("KAFKA_GROUP_INSTANCE_ID", "strake-0")
                .containsEntry("KAFKA_NUM_STANDBY_REPLICAS", "1");
        assertThat(settings.get(Catalogue.HTTP_HOST)).isEqualTo("0.0.0.0");
        assertThat(settings.get(Catalogue.ACCESS_OPEN)).isFalse();
        assertThat(settings.get(Catalogue.ACCESS_TOKENS).orElseThrow().toString())
                .isEqualTo("/etc/strake/access/tokens");
        assertThat(base().getSpec().getTemplate().getSpec().getVolumes())
                .filteredOn(volume -> volume.getName().equals("access"))
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getSecret().getSecretName()).isEqualTo("strake-access"));
        assertThat(settings.get(Catalogue.HTTP_HEALTH_PORT))
                .contains(container.getPorts().get(1).getContainerPort());
        assertThat(variables.get("STRAKE_HTTP_ADVERTISED"))
                .isEqualTo("strake-0." + base().getSpec().getServiceName() + ".site.svc:"
                        + container.getPorts().get(0).getContainerPort());
        assertThat(container.getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .contains(settings.get(Catalogue.DATA).toString());
        assertThat(variables.toString()).doesNotContainIgnoringCase("password", "jaas", "secret");
    }

    @Test
    void shouldProbeTheHealthRoutes() throws Exception {
        Container container = container();
        Map<String, Probe> probes = Map.of(
                "/health/started", container.getStartupProbe(),
                "/health/ready", container.getReadinessProbe(),
                "/health/live", container.getLivenessProbe());
        probes.forEach((path, probe) -> {
            assertThat(probe.getHttpGet().getPath()).isEqualTo(path);
            assertThat(probe.getHttpGet().getPort().getStrVal())
                    .isEqualTo(container.getPorts().get(1).getName());
        });
        assertThat(base().getSpec().getTemplate().getSpec().getTerminationGracePeriodSeconds())
                .isEqualTo(300);
    }

    @Test
    void shouldCopyTheRulesOfPrometheusIntoThePrometheusRule() throws Exception {
        ArrayNode groups = JsonNodeFactory.instance.arrayNode();
        for (Path file : DeployedFiles.below(DeployedFiles.DEPLOY.resolve("prometheus/rules"), ".yml")) {
            groups.addAll((ArrayNode) DeployedFiles.document(file).get("groups"));
        }
        JsonNode resource = DeployedFiles.document(BASE.resolve("prometheusrule.yaml"));
        assertThat(TypedResources.read(resource, PrometheusRule.class)).isNotNull();
        assertThat(resource.at("/spec/groups"))
                .as("copy the groups of deploy/prometheus/rules into " + BASE.resolve("prometheusrule.yaml"))
                .isEqualTo(groups);
    }

    @Test
    void shouldRequestTheTopicsThatStrakeWouldCreateFromStrimzi() throws Exception {
        Map<String, Map<String, String>> expected = StrakeTopics.configs();
        Map<String, KafkaTopic> topics = new TreeMap<>();
        for (JsonNode resource : DeployedFiles.yaml(STRIMZI.resolve("topics.yaml"))) {
            KafkaTopic topic = TypedResources.read(resource, KafkaTopic.class);
            topics.put(topic.getMetadata().getName(), topic);
        }
        assertThat(topics.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, settings) -> {
            Map<String, String> asked = new TreeMap<>();
            topics.get(name).getSpec().getConfig().forEach((key, value) -> asked.put(key, value.toString()));
            assertThat(asked).as(name).containsAllEntriesOf(settings);
            asked.keySet().removeAll(settings.keySet());
            assertThat(asked.keySet()).as(name).isSubsetOf("min.insync.replicas", "retention.ms");
        });
        assertThat(topics.values())
                .extracting(topic -> topic.getSpec().getPartitions())
                .containsOnly(12);
    }

    private static Container container() throws Exception {
        return base().getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    private static StatefulSet base() throws Exception {
        return statefulSet(DeployedFiles.document(BASE.resolve("statefulset.yaml")));
    }

    private static StatefulSet statefulSet(JsonNode resource) {
        try {
            return TypedResources.read(resource, StatefulSet.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
