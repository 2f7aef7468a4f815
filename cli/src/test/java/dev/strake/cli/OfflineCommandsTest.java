package dev.strake.cli;

import static dev.strake.testing.Site.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code render} and {@code validate} at a shell. */
class OfflineCommandsTest {

    private static final String PARENT = """
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {name: parent}
              layeringDefinition: {abstract: true, layer: global}
            data: {a: 1.0, b: 0644}
            """;

    private static final String CHILD = """
            # The child follows.
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition:
                layer: site
                parentSelector: {name: parent}
                actions: [{method: merge, path: .}]
            data: {c: yes}
            """;

    @TempDir
    Path folder;

    private CapturedTerminal terminal;

    @BeforeEach
    void writeAWorkspace() throws IOException {
        write("0-policy.yaml", POLICY);
        write("global/parent.yml", PARENT);
        write("site/child.yaml", CHILD);
        write("site/notes.txt", "{this is: no document");
        write(".git/config.yaml", "{neither is this");
    }

    @Test
    void shouldPrintThePartsThatAQuerySelects() {
        run(ExitCode.FINE, "render", folder.toString(), "--query", "$.data.a", "-o", "json");
        assertThat(terminal.out())
                .isEqualToNormalizingNewlines(
                        "[\n{\"schema\":\"example/Kind/v1\",\"layer\":\"site\",\"name\":\"child\",\"selected\":[{\"path\":\".data.a\",\"value\":1.0}]}\n]\n");
        run(ExitCode.USAGE, "render", folder.toString(), "--query", "data");
        assertThat(terminal.err()).contains("has to begin with $");
    }

    @Test
    void shouldRenderAFolderAsAStreamOfYaml() {
        run(ExitCode.FINE, "render", folder.toString());
        assertThat(terminal.err()).isEmpty();
        assertThat(terminal.out()).isEqualTo("""
                ---
                schema: deckhand/LayeringPolicy/v1
                metadata:
                  schema: metadata/Control/v1
                  name: layering-policy
                data:
                  layerOrder:
                  - global
                  - site
                ---
                schema: example/Kind/v1
                metadata:
                  schema: metadata/Document/v1
                  name: child
                  storagePolicy: cleartext
                  layeringDefinition:
                    layer: site
                    parentSelector:
                      name: parent
                    actions:
                    - method: merge
                      path: "."
                data:
                  a: 1.0
                  b: 420
                  c: true
                """);
    }

    @Test
    void shouldPrintOnlyTheRequestedDocuments() throws IOException {
        write(
                "site/other.yaml",
                PARENT.replace("example/Kind/v1", "example/Other/v2")
                        .replace("abstract: true, ", "")
                        .replace("{name: parent}", "{name: other}")
                        .replace("name: parent", "name: child"));
        String site = folder.toString();
        run(ExitCode.FINE, "render", site, "--document", "example/Kind/v1/child");
        assertThat(terminal.out()).startsWith("---\nschema: example/Kind/v1\n").containsOnlyOnce("---\n");
        run(ExitCode.FINE, "render", site, "--schema", "example/Other", "-o", "json");
        assertThat(terminal.out())
                .startsWith("[\n{\"schema\":\"example/Other/v2\"")
                .hasLineCount(3);
        run(ExitCode.FINE, "render", site, "--document", "child", "--query", "$.data.a");
        assertThat(terminal.out()).contains("example/Kind/v1", "example/Other/v2", "value: 1.0");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldReportAMissingDocument() throws IOException {
        run(ExitCode.DIFFERENT_OR_INVALID, "render", folder.toString(), "--document", "parent");
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).isEqualTo("strake: there is no rendered document parent.\n");
        write(
                "site/b.yaml",
                CHILD.replace("name: child", "name: other").replace("merge, path: .", "delete, path: .no"));
        run(ExitCode.RENDER_PROBLEMS, "render", folder.toString(), "--document", "child");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void shouldRenderTheStandardInputAsJson() {
        terminal = CapturedTerminal.reading(POLICY + "---\n" + PARENT + "---\n" + CHILD)
                .run(ExitCode.FINE, "render", "-o", "json", "-");
        assertThat(terminal.out())
                .startsWith("[\n{\"schema\":\"deckhand/LayeringPolicy/v1\",")
                .endsWith("\"data\":{\"a\":1.0,\"b\":420,\"c\":true}}\n]\n");
    }

    @Test
    void shouldPrintNothingWhenAllIsValid() {
        run(ExitCode.FINE, "validate", folder.toString());
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).isEqualTo("3 documents, 0 problems, 0 warnings\n");
    }

    /* A pipe delivers no input if its first command fails. */
    @ParameterizedTest
    @ValueSource(strings = {"render", "validate"})
    void shouldRefuseAnInputWithoutDocumentsUnlessAllowed(String command) throws IOException {
        run(ExitCode.DIFFERENT_OR_INVALID, command, "-");
        Path empty = Files.createFile(folder.resolve("empty.yaml"));
        run(ExitCode.DIFFERENT_OR_INVALID, command, empty.toString());
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).contains("The input holds no documents. If this is intended, add --allow-empty.");
        run(ExitCode.FINE, command, "--allow-empty", empty.toString());
        assertThat(terminal.err()).doesNotContain("no documents");
    }

    @Test
    void shouldWriteAStarterSite() throws IOException {
        Path begun = folder.resolve("the beginning");
        run(ExitCode.FINE, "init", begun.toString());
        assertThat(terminal.err()).contains("  strake render '" + begun + "'\n");
        run(ExitCode.FINE, "validate", "--strict", begun.toString());
        run(ExitCode.FINE, "render", "-o", "json", begun.toString());
        assertThat(terminal.out()).contains("\"replicas\":3,\"url\":\"https://web.site-a.example.org/\"");
        Files.delete(begun.resolve("policy.yaml"));
        run(ExitCode.USAGE, "init", begun.toString());
        assertThat(terminal.err()).contains("exists already, so nothing was written");
        assertThat(begun.resolve("policy.yaml")).doesNotExist();
    }

    @Test
    void shouldTreatWarningsAsProblemsOnRequest() throws IOException {
        write("site/orphan.yaml", CHILD.replace("name: child", "name: orphan").replace("{name: parent}", "{name: no}"));
        run(ExitCode.FINE, "validate", folder.toString());
        assertThat(terminal.err()).contains("warning: ", "ParentNotFound", "4 documents, 0 problems, 1 warning");
        run(ExitCode.RENDER_PROBLEMS, "validate", "--strict", folder.toString());
        assertThat(terminal.out()).contains("site/orphan.yaml:", "ParentNotFound");
    }

    @Test
    void shouldWarnOfDuplicateKeysInEveryCommand() throws IOException {
        Path file = write(
                "site/double.yaml",
                CHILD.replace("name: child", "name: double").replace("c: yes", "c: yes, extra: 1, extra: 2"));
        String warning = "warning: " + file + ":";
        run(ExitCode.FINE, "validate", folder.toString());
        assertThat(terminal.err()).contains(warning, "DuplicateKey: ", ".data.extra ", "1 warning");
        for (String command : List.of("render", "plan", "explain")) {
            List<String> arguments = new ArrayList<>(List.of(command, folder.toString()));
            arguments.addAll(
                    switch (command) {
                        case "plan" -> List.of("--base", folder.toString());
                        case "explain" -> List.of("--document", "example/Thing/v1/double");
                        default -> List.of();
                    });
            terminal = CapturedTerminal.pipe();
            Strake.run(terminal.terminal(), arguments.toArray(String[]::new));
            assertThat(terminal.err()).as(command).contains(warning, "DuplicateKey: ");
        }
        run(ExitCode.RENDER_PROBLEMS, "validate", "--strict", folder.toString());
    }

    @Test
    void shouldReportProblemsToReviewsAndToCi() throws IOException {
        write("site/child.yaml", CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        run(ExitCode.RENDER_PROBLEMS, "validate", "-o", "sarif", folder.toString());
        assertThat(terminal.out())
                .contains(
                        "\"ruleId\":\"MissingDocumentKey\",\"level\":\"error\"",
                        "\"artifactLocation\":{\"uri\":\"" + folder.resolve("site/child.yaml") + "\"}")
                .containsPattern("\"region\":\\{\"startLine\":[0-9]+,\"startColumn\":[0-9]+}");
        run(ExitCode.RENDER_PROBLEMS, "validate", "-o", "junit", folder.toString());
        assertThat(terminal.out())
                .contains("<testsuite name=\"strake validate\" tests=\"1\" failures=\"1\">")
                .containsPattern(
                        "site/child.yaml:10:[0-9]+ MissingDocumentKey\" file=\".*/site/child.yaml\" line=\"10\">")
                .contains("<failure type=\"MissingDocumentKey\"");
    }

    @Test
    void shouldNameFilesInReportsAsUris() throws IOException {
        write("a b/ü#%.yaml", "schema: [\n");
        run(ExitCode.DIFFERENT_OR_INVALID, "validate", "-o", "sarif", folder.toString());
        assertThat(terminal.out())
                .contains("/a%20b/%C3%BC%23%25.yaml\"}", "\"columnKind\":\"utf16CodeUnits\"")
                .doesNotContain("a b/");
    }

    @Test
    void shouldReportAllProblemsOfAllFilesWithTheirLines() throws IOException {
        Path broken = write("a.yaml", "schema: [\n");
        Path wrong =
                write("site/b.yaml", CHILD.replace("storagePolicy: cleartext", "storagePolicy: secret\n  other: 1"));
        Path twice = write("site/child2.yaml", CHILD);

        run(ExitCode.DIFFERENT_OR_INVALID, "validate", folder.toString());
        assertThat(terminal.out().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).startsWith(broken + ":2:1: InvalidYaml: "),
                        line -> assertThat(line)
                                .startsWith(wrong + ":6:3: InvalidDocumentFormat: ")
                                .contains(".metadata.storagePolicy"),
                        line -> assertThat(line)
                                .startsWith(wrong + ":7:3: InvalidDocumentFormat: ")
                                .contains(".metadata.other"),
                        line -> assertThat(line)
                                .startsWith(twice + ":2:1: DuplicateDocumentExists: ")
                                .contains("first at " + folder.resolve("site/child.yaml") + ":2:1"));
        assertThat(terminal.err()).isEqualTo("3 documents and 3 that cannot be used, 4 problems, 0 warnings\n");
    }

    @Test
    void shouldNameTheDocumentThatDoesNotRenderAndPrintNothing() throws IOException {
        Path wrong = write(
                "site/c.yaml",
                CHILD.replace("name: child", "name: other")
                        .replace("path: .", "path: .no.way")
                        .replace("merge", "delete"));

        run(ExitCode.RENDER_PROBLEMS, "render", folder.toString());
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .startsWith(wrong + ":")
                .contains(": MissingDocumentKey: [example/Kind/v1, site, other] ")
                .hasLineCount(1);
        run(ExitCode.RENDER_PROBLEMS, "render", "--hold-document", folder.toString());
        assertThat(terminal.out()).contains("name: child").doesNotContain("name: other");
        run(ExitCode.RENDER_PROBLEMS, "validate", "-o", "json", folder.toString());
        assertThat(terminal.out()).contains("\"code\":\"MissingDocumentKey\"", "\"source\":\"" + wrong + "\"");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldFollowLinksWithinTheFolderOnly(@TempDir Path elsewhere) throws IOException {
        Files.createSymbolicLink(folder.resolve("site/round"), folder);
        run(ExitCode.FINE, "validate", folder.toString());

        Path out = Files.writeString(elsewhere.resolve("x.yaml"), CHILD);
        Path link = Files.createSymbolicLink(folder.resolve("site/x.yaml"), out);
        run(ExitCode.USAGE, "validate", folder.toString());
        assertThat(terminal.err()).contains(link.toString(), "leads out");
    }

    @Test
    void shouldRefuseMissingAndEmptyInputs(@TempDir Path empty) {
        terminal = CapturedTerminal.pipe()
                .run(ExitCode.USAGE, "render", folder.resolve("no.yaml").toString());
        terminal.run(ExitCode.USAGE, "render", empty.toString());
        terminal.run(ExitCode.USAGE, "render");
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).contains("There is no file", "holds no *.yaml", "PATH");
    }

    private void run(int code, String... arguments) {
        terminal = CapturedTerminal.pipe().run(code, arguments);
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
