package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code template-validate} at a shell. */
class TemplateValidateCommandTest {

    @TempDir
    Path folder;

    private CapturedTerminal terminal;

    @BeforeEach
    void writeFiles() throws IOException {
        write("parent.yaml", """
                heat_template_version: 2018-08-31
                parameters:
                  who: {type: string, description: who it is for}
                  key: {type: string, hidden: true, default: swordfish}
                resources:
                  child:
                    type: demo::Child
                    properties: {name: {get_param: who}, pass: {get_param: key}}
                """);
        write("env/env.yaml", """
                resource_registry:
                  demo::Child: ../nested/child.yaml
                  demo::Unused: ../nested/child.yaml
                parameter_defaults:
                  size: 7
                  nobody: 1
                """);
        write("nested/child.yaml", """
                heat_template_version: 2018-08-31
                parameters:
                  name: {type: string}
                  pass: {type: string}
                  size: {type: number}
                  zone:
                    type: string
                    constraints: [{allowed_values: [a, b]}]
                resources:
                  config: {type: 'OS::Heat::SoftwareConfig', properties: {config: {get_file: run.sh}}}
                """);
        write("nested/run.sh", "#!/bin/sh\n");
    }

    @Test
    void shouldResolveFilesRelativeToTheFileThatNamesThem() {
        run(ExitCode.FINE, "-o", "json", "--show-nested");
        assertThat(terminal.out())
                .contains(
                        "\"NestedParameters\":{\"child\":{\"Type\":\"demo::Child\"",
                        "\"size\":{\"Type\":\"Number\"",
                        "\"Default\":7");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldMaskHiddenValuesAndValuesDerivedFromThem() {
        for (String format : new String[] {"json", "yaml", "table"}) {
            run(ExitCode.FINE, "-o", format, "--show-nested", "--details");
            assertThat(terminal.out()).contains("******").doesNotContain("swordfish");
        }
    }

    @Test
    void shouldShowHiddenValuesOnRequest() {
        run(ExitCode.FINE, "--show-hidden", "--show-nested", "-o", "json");
        assertThat(terminal.out()).contains("\"Value\":\"swordfish\"");
    }

    @Test
    void shouldWriteACompleteEnvironment() {
        run(ExitCode.FINE, "--stub-environment");
        assertThat(terminal.out()).isEqualTo("""
                parameters:

                  # who it is for
                  # string
                  who:
                parameter_defaults:

                  # string
                  # one of ["a", "b"]
                  # for child.zone
                  zone:
                """);
    }

    @Test
    void shouldNameTheSourceOfEachValueAndUnusedParameters() {
        run(ExitCode.FINE, "-o", "table", "--show-nested");
        assertThat(terminal.out())
                .containsPattern("child\\.size +number +7 +- +\\S*env/env\\.yaml:5")
                .containsPattern("child\\.pass +string +- +\\*+ +\\S*parent\\.yaml:8")
                .contains(
                        "needs a value: who (who)",
                        "needs a value: zone (child.zone)",
                        "no template declares the default: nobody",
                        "no resource uses the mapping: demo::Unused");
    }

    @Test
    void shouldReportAllFaultsWithFileAndLine() throws IOException {
        write("nested/child.yaml", """
                heat_template_version: 2018-08-31
                parameters:
                  name: {type: string}
                  pass: {type: string, default: ab, constraints: [{length: {min: 3}}]}
                resources:
                  a: {type: 'OS::Heat::Value', properties: {value: 1, wrong: 2}}
                  b: {type: 'No::Such::Type'}
                """);
        run(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err())
                .contains(
                        "child.yaml:4:3: parameter-default: ",
                        "child.yaml:6:55: unknown-property: Property error: resources.child<",
                        "child.yaml:7:7: unknown-type: ");
    }

    @Test
    void shouldNameTheMissingFile() throws IOException {
        Files.delete(folder.resolve("nested/run.sh"));
        run(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err())
                .containsPattern(
                        "nested/child\\.yaml:\\d+:\\d+: template-missing: Could not fetch contents for run\\.sh")
                .doesNotContain("child.yaml:1:1");
    }

    @Test
    void shouldPointAtTheEnvironmentThatNamesAMissingFile() throws IOException {
        write("env/env.yaml", """
                parameter_defaults: {size: 7}
                resource_registry:
                  demo::Child: ../nested/child.yaml
                  resources:
                    db*:
                      demo::Database: gone.yaml
                """);
        run(ExitCode.DIFFERENT_OR_INVALID, "--details");
        assertThat(terminal.err())
                .contains("env/env.yaml:6:7: template-missing: Could not fetch contents for gone.yaml");
        assertThat(terminal.out()).containsPattern("UnusedMappings:\\n- demo::Database \\(\\S*env\\.yaml:6:7\\)");
    }

    @Test
    void shouldResolveTheFilesOfAnEnvironmentAgainstItsBaseUrl() throws IOException {
        String child = "  demo::Child: child.yaml\n";
        for (String base : new String[] {"../nested/", "file://" + folder.resolve("nested")}) {
            write("env/env.yaml", "resource_registry:\n  base_url: " + base + "\n" + child);
            run(ExitCode.FINE, "--show-nested", "-o", "json");
            assertThat(terminal.out()).contains("\"NestedParameters\":{\"child\":{");
        }
        write("env/env.yaml", "resource_registry:\n  base_url: http://host.example/lib\n" + child);
        run(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("template-missing: ", "http://host.example/lib/child.yaml");
    }

    @Test
    void shouldNameTheSourceOfValuesOfGroupMembers() throws IOException {
        write("parent.yaml", """
                heat_template_version: 2018-08-31
                resources:
                  many:
                    type: OS::Heat::ResourceGroup
                    properties:
                      resource_def:
                        type: nested/child.yaml
                        properties:
                          size: 3
                  chain:
                    type: OS::Heat::ResourceChain
                    properties:
                      resources: [demo::Child]
                      resource_properties:
                        size: 4
                """);
        run(ExitCode.FINE, "--show-nested", "--details");
        assertThat(terminal.out())
                .containsPattern("Path: many\\.0\\.size\\n  Default: \\S+\\n  Value: \\S*parent\\.yaml:9:11\\n")
                .containsPattern("Path: chain\\.0\\.size\\n  Default: \\S+\\n  Value: \\S*parent\\.yaml:15:9\\n");
    }

    @Test
    void shouldEndOnATemplateThatNestsItself() throws IOException {
        write("parent.yaml", "heat_template_version: rocky\nresources:\n  again: {type: parent.yaml}\n");
        run(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains(": nesting-depth: ");
    }

    @Test
    void shouldEndOnTooManyFilesOrBytes() throws IOException {
        StringBuilder many = new StringBuilder("heat_template_version: rocky\nresources:\n");
        for (int i = 0; i < 10_000; i++) {
            many.append("  r").append(i).append(": {type: r").append(i).append(".yaml}\n");
        }
        write("many.yaml", many.toString());
        validate(
                ExitCode.DIFFERENT_OR_INVALID, "-t", folder.resolve("many.yaml").toString());
        assertThat(terminal.err()).contains("limit-exceeded", "lead to more than 10,000 files");
        StringBuilder large = new StringBuilder("heat_template_version: rocky\nresources:\n");
        for (int i = 0; i < 2; i++) {
            try (RandomAccessFile file =
                    new RandomAccessFile(folder.resolve("large" + i).toFile(), "rw")) {
                file.setLength(33 << 20); // a sparse file takes no disk space
            }
            large.append("  r")
                    .append(i)
                    .append(": {type: 'OS::Heat::Value', properties: {value: {get_file: large")
                    .append(i)
                    .append("}}}\n");
        }
        write("large.yaml", large.toString());
        validate(
                ExitCode.DIFFERENT_OR_INVALID,
                "-t",
                folder.resolve("large.yaml").toString());
        assertThat(terminal.err()).contains("limit-exceeded", "files of more than 67,108,864 bytes together");
    }

    @Test
    void shouldReportAMissingTemplateOnce() throws IOException {
        Files.delete(folder.resolve("nested/child.yaml"));
        run(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err().lines().toList())
                .singleElement()
                .asString()
                .startsWith(folder.resolve("env/env.yaml") + ":2:3: template-missing: ");
    }

    @Test
    void shouldMaskHiddenValuesInEveryMode() throws IOException {
        run(ExitCode.FINE, "--as-heat", "--show-nested", "-o", "json", "--details");
        assertThat(terminal.out()).contains("******").doesNotContain("swordfish");
        Path requests = write("requests.jsonl", """
                {"template": {"heat_template_version": "rocky", "parameters": {"p": {"type": "string", "default": "swordfish", "hidden": true}}}}
                """);
        validate(ExitCode.FINE, "--as-heat", "--requests", requests.toString());
        assertThat(terminal.out()).contains("******").doesNotContain("swordfish");
    }

    @Test
    void shouldAnswerOneRequestPerLine() throws IOException {
        Path requests = write("requests.jsonl", """
                {"id": 1, "template": {"heat_template_version": "2018-08-31", "parameters": {"p": {"type": "string"}}}}

                {"id": 2, "template": "heat_template_version: never"}
                no request
                """);
        validate(ExitCode.DIFFERENT_OR_INVALID, "--requests", requests.toString());
        assertThat(terminal.out().lines().toList())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("{\"id\":1,\"schema\":{")
                                .endsWith("\"needs_input\":[[\"p\"]],\"supplied_empty\":[],\"errors\":[]}"),
                        second -> assertThat(second)
                                .startsWith("{\"id\":2,\"schema\":null")
                                .contains("\"template-version\""),
                        third -> assertThat(third).contains("\"code\":\"request\""));
    }

    @Test
    void shouldRequireEitherATemplateOrRequests() {
        validate(ExitCode.USAGE);
    }

    private void run(int code, String... options) {
        String[] tree = {
            "-t",
            folder.resolve("parent.yaml").toString(),
            "-e",
            folder.resolve("env/env.yaml").toString()
        };
        validate(code, Stream.concat(Stream.of(tree), Stream.of(options)).toArray(String[]::new));
    }

    private void validate(int code, String... arguments) {
        terminal = CapturedTerminal.pipe()
                .run(
                        code,
                        Stream.concat(Stream.of("template-validate"), Stream.of(arguments))
                                .toArray(String[]::new));
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
