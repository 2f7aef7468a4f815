package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code template-validate} at a shell. */
class TemplateValidateCommandTest {

    @TempDir
    Path folder;

    private CapturedTerminal terminal = CapturedTerminal.pipe();

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
        assertThat(run("-o", "json", "--show-nested")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .contains("\"NestedParameters\":{\"child\":{\"Type\":\"demo::Child\"")
                .contains("\"size\":{\"Type\":\"Number\"")
                .contains("\"Default\":7");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldMaskHiddenValuesAndValuesDerivedFromThem() {
        for (String format : new String[] {"json", "yaml", "table"}) {
            terminal = CapturedTerminal.pipe();
            assertThat(run("-o", format, "--show-nested", "--details")).isEqualTo(ExitCode.FINE);
            assertThat(terminal.out()).contains("******").doesNotContain("swordfish");
        }
    }

    @Test
    void shouldShowHiddenValuesOnRequest() {
        run("--show-hidden", "--show-nested", "-o", "json");
        assertThat(terminal.out()).contains("\"Value\":\"swordfish\"");
    }

    @Test
    void shouldWriteACompleteEnvironment() {
        run("--stub-environment");
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
        run("-o", "table", "--show-nested");
        assertThat(terminal.out())
                .containsPattern("child\\.size +number +7 +- +\\S*env/env\\.yaml:5")
                .containsPattern("child\\.pass +string +- +\\*+ +\\S*parent\\.yaml:8")
                .contains("needs a value: who (who)", "needs a value: zone (child.zone)")
                .contains("no template declares the default: nobody", "no resource takes the mapping: demo::Unused");
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
        assertThat(run()).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err())
                .contains("child.yaml:4:3: parameter-default: ")
                .contains("child.yaml:6:55: unknown-property: Property error: resources.child<")
                .contains("child.yaml:7:7: unknown-type: ");
    }

    @Test
    void shouldNameTheMissingFile() throws IOException {
        Files.delete(folder.resolve("nested/run.sh"));
        assertThat(run()).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
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
        run("--details");
        assertThat(terminal.err())
                .contains("env/env.yaml:6:7: template-missing: Could not fetch contents for gone.yaml");
        assertThat(terminal.out()).containsPattern("UnusedMappings:\\n- demo::Database \\(\\S*env\\.yaml:6:7\\)");
    }

    @Test
    void shouldResolveTheFilesOfAnEnvironmentAgainstItsBaseUrl() throws IOException {
        String child = "  demo::Child: child.yaml\n";
        for (String base : new String[] {"../nested/", "file://" + folder.resolve("nested")}) {
            terminal = CapturedTerminal.pipe();
            write("env/env.yaml", "resource_registry:\n  base_url: " + base + "\n" + child);
            assertThat(run("--show-nested", "-o", "json")).as(terminal.err()).isEqualTo(ExitCode.FINE);
            assertThat(terminal.out()).contains("\"NestedParameters\":{\"child\":{");
        }
        write("env/env.yaml", "resource_registry:\n  base_url: http://host.example/lib\n" + child);
        assertThat(run()).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
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
        run("--show-nested", "--details");
        assertThat(terminal.out())
                .containsPattern("Path: many\\.0\\.size\\n  Default: \\S+\\n  Value: \\S*parent\\.yaml:9:11\\n")
                .containsPattern("Path: chain\\.0\\.size\\n  Default: \\S+\\n  Value: \\S*parent\\.yaml:15:9\\n");
    }

    @Test
    void shouldEndOnATemplateThatNestsItself() throws IOException {
        write("parent.yaml", "heat_template_version: rocky\nresources:\n  again: {type: parent.yaml}\n");
        assertThat(run()).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains(": nesting-depth: ");
    }

    @Test
    void shouldEndOnTooManyFilesOrBytes() throws IOException {
        StringBuilder many = new StringBuilder("heat_template_version: rocky\nresources:\n");
        for (int i = 0; i < 10_000; i++) {
            many.append("  r").append(i).append(": {type: r").append(i).append(".yaml}\n");
        }
        write("many.yaml", many.toString());
        assertThat(validate("many.yaml")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("limit-exceeded", "lead to more than 10,000 files");

        terminal = CapturedTerminal.pipe();
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
        assertThat(validate("large.yaml")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("limit-exceeded", "files of more than 67,108,864 bytes together");
    }

    private int validate(String template) {
        return Strake.run(
                terminal.terminal(),
                "template-validate",
                "-t",
                folder.resolve(template).toString());
    }

    @Test
    void shouldReportAMissingTemplateOnce() throws IOException {
        Files.delete(folder.resolve("nested/child.yaml"));
        assertThat(run()).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err().lines().toList())
                .singleElement()
                .asString()
                .startsWith(folder.resolve("env/env.yaml") + ":2:3: template-missing: ");
    }

    @Test
    void shouldMaskHiddenValuesInEveryMode() throws IOException {
        assertThat(run("--as-heat", "--show-nested", "-o", "json", "--details")).isEqualTo(ExitCode.FINE);
        Path requests = write("requests.jsonl", """
                {"template": {"heat_template_version": "rocky", "parameters": {"p": {"type": "string", "default": "swordfish", "hidden": true}}}}
                """);
        Strake.run(terminal.terminal(), "template-validate", "--as-heat", "--requests", requests.toString());
        assertThat(terminal.out()).contains("******").doesNotContain("swordfish");
    }

    @Test
    void shouldAnswerOneRequestPerLine() throws IOException {
        Path requests = write("requests.jsonl", """
                {"id": 1, "template": {"heat_template_version": "2018-08-31", "parameters": {"p": {"type": "string"}}}}

                {"id": 2, "template": "heat_template_version: never"}
                no request
                """);
        int code = Strake.run(terminal.terminal(), "template-validate", "--requests", requests.toString());
        assertThat(code).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
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
        assertThat(Strake.run(terminal.terminal(), "template-validate")).isEqualTo(ExitCode.USAGE);
    }

    private int run(String... options) {
        String[] all = new String[options.length + 5];
        all[0] = "template-validate";
        all[1] = "-t";
        all[2] = folder.resolve("parent.yaml").toString();
        all[3] = "-e";
        all[4] = folder.resolve("env/env.yaml").toString();
        System.arraycopy(options, 0, all, 5, options.length);
        return Strake.run(terminal.terminal(), all);
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
