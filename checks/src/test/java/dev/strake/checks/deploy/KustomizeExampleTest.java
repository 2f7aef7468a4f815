package dev.strake.checks.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.cli.StrakeCommand;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.terminal.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example for people who come from Kustomize, against Kustomize itself. */
class KustomizeExampleTest {

    private static final Path EXAMPLE = DeployedFiles.PROJECT.resolve("examples/kustomize");

    @Test
    void shouldRenderTheObjectsThatKustomizeBuilds() throws Exception {
        String built = Tool.named("kubectl")
                .run("kustomize", EXAMPLE.resolve("before/overlays/production").toString());
        List<JsonNode> objects = new ArrayList<>();
        new ObjectMapper()
                .readTree(StrakeCommand.run(
                                ExitCode.FINE,
                                "render",
                                "-o",
                                "json",
                                EXAMPLE.resolve("documents").toString())
                        .getBytes(UTF_8))
                .forEach(document -> {
                    if (document.get("schema").asText().startsWith("kubernetes/")) {
                        objects.add(document.get("data"));
                    }
                });
        assertThat(objects).hasSize(2).containsExactlyInAnyOrderElementsOf(DeployedFiles.yaml(built));
    }
}
