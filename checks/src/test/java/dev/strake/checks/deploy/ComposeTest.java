package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.SpecificationVersion;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.PublishedSchema;
import dev.strake.server.Versions;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.server.settings.SettingsSource;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks the Compose file and the files that it mounts. */
class ComposeTest {

    private JsonNode compose;

    @BeforeEach
    void read() throws Exception {
        compose = DeployedFiles.document(DeployedFiles.PROJECT.resolve("docker-compose.yml"));
    }

    @Test
    void shouldBeValidByThePublishedSchema() throws Exception {
        PublishedSchema schema =
                PublishedSchema.of("/schemas/compose/compose-spec.json", SpecificationVersion.DRAFT_2019_09);
        assertThat(schema.violations(compose)).isEmpty();

        ((ObjectNode) compose.at("/services/strake")).put("enviroment", "x");
        assertThat(schema.violations(compose)).isNotEmpty();
    }

    @Test
    void shouldRunTheKafkaThatStrakeIsBuiltWith() {
        assertThat(compose.at("/services/kafka/image").asText()).isEqualTo("apache/kafka:" + Versions.HERE.kafka());
    }

    @Test
    void shouldSetOnlyExistingSettings() {
        Map<String, String> variables = new TreeMap<>();
        compose.at("/services/strake/environment")
                .properties()
                .forEach(variable ->
                        variables.put(variable.getKey(), variable.getValue().asText()));
        Settings settings = Settings.of(List.of(SettingsSource.environment(variables)));
        assertThat(settings.get(Catalogue.HTTP_HOST)).isEqualTo("0.0.0.0");
        assertThat(settings.get(Catalogue.ACCESS_OPEN)).isTrue(); // required to start
        assertThat(compose.at("/services/strake/volumes/0").asText())
                .isEqualTo("strake:" + settings.get(Catalogue.DATA));
        assertThat(KafkaSettings.of(Optional.empty(), Optional.empty(), variables)
                        .cluster()
                        .bootstrapServers())
                .isEqualTo("kafka:29092");
    }

    @Test
    void shouldCheckTheHealthOfEveryServiceAndOpenOnlyLocalPorts() {
        compose.get("services").properties().forEach(service -> {
            assertThat(service.getValue().at("/healthcheck/test").isArray())
                    .as(service.getKey())
                    .isTrue();
            service.getValue()
                    .path("ports")
                    .forEach(port -> assertThat(port.asText()).startsWith("127.0.0.1:"));
        });
        assertThat(compose.at("/services/strake/read_only").asBoolean()).isTrue();
    }

    @Test
    void shouldNotRestartAMisconfiguredServiceForever() {
        assertThat(compose.at("/services/strake/restart").asText()).matches("on-failure:[0-9]+");
    }

    @Test
    void shouldMountAndBuildFromExistingFiles() {
        List<String> paths = new ArrayList<>();
        paths.add(compose.at("/services/strake/build/dockerfile").asText());
        compose.get("services")
                .forEach(service -> service.path("volumes").forEach(volume -> {
                    String source = volume.asText().split(":", 2)[0];
                    if (source.startsWith(".")) {
                        paths.add(source);
                    }
                }));
        assertThat(paths)
                .hasSizeGreaterThan(3)
                .allSatisfy(
                        path -> assertThat(DeployedFiles.PROJECT.resolve(path)).exists());
    }

    @Test
    void shouldConnectGrafanaToThePrometheusThatScrapesStrake() throws Exception {
        JsonNode source =
                DeployedFiles.document(DeployedFiles.DEPLOY.resolve("grafana/provisioning/datasources/prometheus.yml"));
        assertThat(source.at("/datasources/0/url").asText()).isEqualTo("http://prometheus:9090");
        JsonNode provider =
                DeployedFiles.document(DeployedFiles.DEPLOY.resolve("grafana/provisioning/dashboards/strake.yml"));
        String folder = provider.at("/providers/0/options/path").asText();
        assertThat(compose.at("/services/grafana/volumes").toString())
                .contains("./deploy/grafana/dashboards:" + folder + ":ro");
        JsonNode prometheus = DeployedFiles.document(DeployedFiles.DEPLOY.resolve("prometheus/prometheus.yml"));
        String target =
                prometheus.at("/scrape_configs/0/static_configs/0/targets/0").asText();
        assertThat(target)
                .isEqualTo("strake:"
                        + compose.at("/services/strake/environment/STRAKE_HTTP_HEALTH_PORT")
                                .asText());
        assertThat(Files.isDirectory(DeployedFiles.DEPLOY.resolve("grafana/dashboards")))
                .isTrue();
    }

    @Test
    void shouldPassPrometheusOwnCheck() throws Exception {
        String answer = Tool.named("promtool")
                .run(
                        "check",
                        "config",
                        DeployedFiles.DEPLOY
                                .resolve("prometheus/prometheus.yml")
                                .toString());
        assertThat(answer).contains("SUCCESS").doesNotContain("FAILED");
    }
}
