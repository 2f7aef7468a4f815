package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.cli.StrakeCommand;
import dev.strake.cli.local.Packaged;
import dev.strake.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** Runs the packaged program with the official image of Kafka, if Docker is available. */
class OfficialKafkaIT {

    private static final String IMAGE = "apache/kafka:4.4.0";
    private static final String NAME = "official";
    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {is: parent}
              layeringDefinition: {layer: global, abstract: true}
            data: {a: 1, b: 1}
            ---
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition: {layer: site, parentSelector: {is: parent}, actions: [{method: merge, path: .}]}
            data: {b: 2}
            """;

    @TempDir
    Path directory;

    @Test
    void shouldPublishOnlyChangedDocuments() throws Exception {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker");
        try (KafkaContainer kafka = new KafkaContainer(IMAGE)) {
            kafka.start();
            publishTo(kafka.getBootstrapServers());
        }
    }

    private void publishTo(String bootstrapServers) throws Exception {
        Process serve = Packaged.serve("512m", bootstrapServers, NAME, 2, directory, directory.resolve("serve.log"));
        try {
            assertThat(emitted(bootstrapServers, SITE)).isEqualTo(2);
            assertThat(emitted(bootstrapServers, SITE.replace("a: 1", "a: 7"))).isEqualTo(1);
            assertThat(emitted(bootstrapServers, SITE.replace("{a: 1, b: 1}", "{a: 7, b: 5}")))
                    .isZero();
        } finally {
            serve.destroyForcibly().waitFor();
        }
    }

    /* The number of rendered documents that a change published. */
    private int emitted(String bootstrapServers, String site) throws Exception {
        Path file = Files.writeString(directory.resolve("site.yaml"), site);
        String outcome = StrakeCommand.run(
                ExitCode.FINE,
                ("publish -w site-a --wait --timeout 600 --topic-prefix " + NAME + ". --bootstrap-servers "
                                + bootstrapServers + " -o json " + file)
                        .split(" "));
        JsonNode json = new ObjectMapper().readTree(outcome);
        return (json.isArray() ? json.get(0) : json).get("emitted").asInt();
    }
}
