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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the example for users of Kustomize with Kustomize itself. */
class KustomizeExampleTest {

    private static final Path EXAMPLE = DeployedFiles.PROJECT.resolve("examples/kustomize");

    private static final Path IMPORTED = DeployedFiles.PROJECT.resolve("examples/import/shop");

    @TempDir
    Path folder;

    @Test
    void shouldRenderTheObjectsThatKustomizeBuilds() throws Exception {
        assertThat(objects(EXAMPLE.resolve("documents").toString()))
                .hasSize(2)
                .containsExactlyInAnyOrderElementsOf(built(EXAMPLE.resolve("before/overlays/production")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "production"})
    void shouldImportASiteThatRendersToTheObjectsOfKustomize(String environment) throws Exception {
        String to = folder.resolve("to").toString();
        StrakeCommand.run(ExitCode.FINE, "import", IMPORTED.toString(), "--to", to);
        assertThat(objects(to + "/policy.yaml", to + "/base", to + "/" + environment))
                .hasSize(7)
                .containsExactlyInAnyOrderElementsOf(
                        built(IMPORTED.resolve("overlays").resolve(environment)));
    }

    private static List<JsonNode> built(Path overlay) throws Exception {
        return DeployedFiles.yaml(Tool.named("kubectl").run("kustomize", overlay.toString()));
    }

    private static List<JsonNode> objects(String... paths) throws Exception {
        String[] render = Stream.concat(Stream.of("render", "-o", "json", "--cleartext-secrets"), Stream.of(paths))
                .toArray(String[]::new);
        List<JsonNode> objects = new ArrayList<>();
        new ObjectMapper()
                .readTree(StrakeCommand.run(ExitCode.FINE, render).getBytes(UTF_8))
                .forEach(document -> {
                    if (document.get("schema").asText().startsWith("kubernetes/")) {
                        objects.add(document.get("data"));
                    }
                });
        return objects;
    }
}
