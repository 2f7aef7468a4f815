package dev.strake.cli;

import static dev.strake.testing.Site.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code validate} points at the place to fix, and reports what it skipped. */
class PlacesOfProblemsTest {

    private static final String OPERATIONS = """
            schema: strake/Operations/v1
            metadata:
              schema: metadata/Document/v1
              name: ops
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data:
              target: {schema: t/B/v1, name: b}
              operations:
              - {type: replace, path: /v, value: 5}
              - {type: replace, path: /w/x, value: 5}
            """;

    @TempDir
    Path folder;

    private final CapturedTerminal terminal = CapturedTerminal.pipe();

    @BeforeEach
    void writeThePolicy() throws IOException {
        write("policy.yaml", POLICY);
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private static String document(String name, String more, String source) {
        return """
                schema: t/A/v1
                metadata:
                  schema: metadata/Document/v1
                  name: %s
                  storagePolicy: cleartext
                  layeringDefinition: {layer: global%s}
                """.formatted(name, more) + (source == null ? "" : """
                          substitutions:
                          - src: {schema: t/A/v1, name: %s, path: .v}
                            dest: {path: .v}
                        """.formatted(source)) + "data: {v: 1}\n";
    }

    private void validate(int code) {
        terminal.run(code, "validate", folder.toString());
    }

    private String out() {
        return terminal.out().replace(folder + "/", "");
    }

    @Test
    void shouldPointAtTheSourceThatIsMissingOrAbstract() throws IOException {
        write("missing.yaml", document("missing", "", "nobody"));
        write("reader.yaml", document("reader", "", "template"));
        write("template.yaml", document("template", ", abstract: true", null));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out().lines()).hasSize(2);
        assertThat(out())
                .contains(
                        "missing.yaml:8:5: SubstitutionSourceNotFound: [t/A/v1, global, missing] "
                                + ".metadata.substitutions[0].src the source [t/A/v1, nobody] does not exist",
                        "reader.yaml:8:5: SubstitutionSourceNotFound: [t/A/v1, global, reader] "
                                + ".metadata.substitutions[0].src the source [t/A/v1, template] is abstract");
    }

    @Test
    void shouldPointAtTheSubstitutionThatFindsNothingAndNameItsSource() throws IOException {
        write("reader.yaml", document("reader", "", "source").replace("path: .v}\n", "path: .nothing}\n"));
        write("source.yaml", document("source", "", null));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out())
                .startsWith("reader.yaml:8:5: SubstitutionSourceDataNotFound: [t/A/v1, global, reader] "
                        + ".metadata.substitutions[0].src finds nothing, or null, at .nothing of [t/A/v1, source]");
    }

    @Test
    void shouldPointAtTheActionThatFails() throws IOException {
        write(
                "parent.yaml",
                document("parent", "", null).replace("  storagePolicy", "  labels: {is: parent}\n  storagePolicy"));
        write(
                "child.yaml",
                document("child", ", parentSelector: {is: parent}, actions: [{method: delete, path: .w}]", null)
                        .replace("layer: global", "layer: site"));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out())
                .startsWith("child.yaml:6:77: MissingDocumentKey: [t/A/v1, site, child] "
                        + ".metadata.layeringDefinition.actions[0] cannot delete .w: ");
    }

    @Test
    void shouldPointAtAValueOfTheDocumentThatBreaksASchema() throws IOException {
        write("schema.yaml", """
                schema: deckhand/DataSchema/v1
                metadata: {schema: metadata/Control/v1, name: t/A/v1}
                data:
                  properties:
                    v: {type: integer}
                    w: {type: integer}
                """);
        write("a.yaml", document("a", "", null).replace("{v: 1}", "\n  v: text"));
        String parent = document("parent", ", abstract: true", null).replace("{v: 1}", "{w: text}");
        write("parent.yaml", parent.replace("  storagePolicy", "  labels: {is: parent}\n  storagePolicy"));
        write(
                "child.yaml",
                document("child", ", parentSelector: {is: parent}, actions: [{method: merge, path: .}]", null)
                        .replace("layer: global", "layer: site"));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out().lines())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("a.yaml:8:3: InvalidDocumentFormat: ")
                                .contains(".data.v "),
                        line -> assertThat(line)
                                .startsWith("child.yaml:1:1: InvalidDocumentFormat: ")
                                .contains(".data.w "));
    }

    @Test
    void shouldShowThePathOfACycleOnce() throws IOException {
        write(
                "cycle.yaml",
                document("a", "", "d") + "---\n" + document("g", "", "a") + "---\n" + document("d", "", "g"));
        write("reader.yaml", document("reader", "", "g"));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out().lines().filter(line -> line.contains("in a cycle of 3 documents")))
                .containsExactly(
                        "cycle.yaml:8:5: SubstitutionDependencyCycle: [t/A/v1, global, a] .metadata.substitutions[0].src "
                                + "is in a cycle of 3 documents: [t/A/v1, global, a] substitutes from "
                                + "[t/A/v1, global, d] → substitutes from [t/A/v1, global, g] → substitutes from "
                                + "[t/A/v1, global, a] (remove one of the references)");
        assertThat(out()).contains("[t/A/v1, global, reader] depends on [t/A/v1, global, g], which cannot be rendered");
    }

    @Test
    void shouldNameTheKindOfEachEdgeOfACycleAndPointAtOneReference() throws IOException {
        // b has no reference of the cycle itself: operations change it, and they substitute from its child.
        write(
                "b.yaml",
                document("b", "", null)
                        .replace("t/A/v1", "t/B/v1")
                        .replace("  storage", "  labels: {is: b}\n  storage"));
        write("ops.yaml", OPERATIONS.replace("\ndata:\n", "\n" + """
                  substitutions:
                  - src: {schema: t/B/v1, name: c, path: .v}
                    dest: {path: '.operations[0].value'}
                data:
                """.indent(0)));
        write(
                "c.yaml",
                document("c", ", parentSelector: {is: b}, actions: [{method: merge, path: .}]", null)
                        .replace("t/A/v1", "t/B/v1")
                        .replace("layer: global", "layer: site"));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out().lines().filter(line -> line.contains("in a cycle of 3 documents")))
                .singleElement()
                .asString()
                .contains("[strake/Operations/v1, site, ops] substitutes from [t/B/v1, site, c] → layers on "
                        + "[t/B/v1, global, b] → is operated on by [strake/Operations/v1, site, ops] (");
    }

    @Test
    void shouldPointAtTheOperationThatFails() throws IOException {
        write("b.yaml", document("b", "", null).replace("t/A/v1", "t/B/v1"));
        write("ops.yaml", OPERATIONS);

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out())
                .startsWith(
                        "ops.yaml:11:5: OperationFailed: [t/B/v1, global, b] cannot be changed by [strake/Operations/v1, site, ops]: "
                                + "operation [1]");
    }

    @Test
    void shouldPointAtTheOperationWhoseResultIsTooLarge() throws IOException {
        String text = "x".repeat(500_000);
        String head = OPERATIONS.substring(0, OPERATIONS.indexOf("  - {type"));
        for (int i = 0; i < 18; i++) {
            write(
                    "ops" + i + ".yaml",
                    head.replace("ops", "part" + i) + "  - {type: replace, path: '/t" + i + "?', value: " + text
                            + "}\n");
        }
        write("b.yaml", document("b", "", null).replace("t/A/v1", "t/B/v1"));

        validate(ExitCode.RENDER_PROBLEMS);

        assertThat(out())
                .containsPattern(
                        "^ops[0-9]+.yaml:10:5: LimitExceeded: \\[t/B/v1, global, b] cannot be changed by \\[strake/Operations/v1, site, "
                                + "part[0-9]+]: operation \\[0]");
    }

    @Test
    void shouldRecognizeAKubernetesObject() throws IOException {
        Path file =
                Files.writeString(folder.resolve("k.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n");

        terminal.run(ExitCode.DIFFERENT_OR_INVALID, "validate", file.toString());

        assertThat(out()).startsWith("k.yaml:1:1: InvalidDocumentFormat: document 1: this is a Kubernetes object");
        assertThat(out().lines()).hasSize(1);
    }

    @Test
    void shouldNameTheFilesThatItSkippedInAFolder() throws IOException {
        write("chart/values.yaml", "replicas: 3\n");
        write("k/config.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n");
        write("ignored/broken.yaml", "{{ template }}\n");
        write(".strakeignore", "ignored/\n");

        validate(ExitCode.FINE);

        assertThat(terminal.err())
                .contains(
                        "skipped 2 files without documents, nothing in them has a schema: ",
                        "chart/values.yaml",
                        "k/config.yaml (a Kubernetes object)",
                        "1 document, 0 problems");
    }

    @Test
    void shouldNotSkipAFileThatIsAlsoNamedByItself() throws IOException {
        Path config = folder.resolve("k.yaml");
        Files.writeString(config, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n");

        terminal.run(ExitCode.DIFFERENT_OR_INVALID, "validate", folder.toString(), config.toString());

        assertThat(out()).contains("k.yaml:1:1: InvalidDocumentFormat: document 1: this is a Kubernetes object");
    }

    @Test
    void shouldNotSkipADocumentWithAMistake() throws IOException {
        write("a.yaml", document("a", "", null).replace("schema: t/A/v1", "shema: t/A/v1"));

        validate(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(out()).contains("a.yaml:1:1: InvalidDocumentFormat", ".shema is an unknown key");
    }
}
