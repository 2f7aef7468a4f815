package dev.strake.cli;

import static dev.strake.testing.Site.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code explain}, {@code affected} and {@code plan} on a site small enough to check by hand. */
class QuestionsOfFilesTest {

    private static final String COMMON = """
            schema: example/Common/v1
            metadata:
              schema: metadata/Document/v1
              name: common
              storagePolicy: cleartext
              layeringDefinition: {layer: global}
            data:
              dns: {ip: 10.0.0.1, name: dns.example}
              ntp: ntp.example
            """;

    private static final String PARENT = """
            schema: example/Server/v1
            metadata:
              schema: metadata/Document/v1
              name: web-global
              storagePolicy: cleartext
              labels: {name: web}
              layeringDefinition: {abstract: true, layer: global}
            data:
              replicas: 2
              debug: false
              url: http://IP/
              old: {a: 1}
            """;

    private static final String CHILD = """
            schema: example/Server/v1
            metadata:
              schema: metadata/Document/v1
              name: web
              storagePolicy: cleartext
              layeringDefinition:
                layer: site
                parentSelector: {name: web}
                actions:
                - {method: delete, path: .old}
                - {method: merge, path: .}
              substitutions:
              - src: {schema: example/Common/v1, name: common, path: .dns.ip}
                dest: {path: .url, pattern: IP}
              - src: {schema: example/Common/v1, name: common, path: .dns}
                dest: {path: .dns}
            data:
              replicas: 3
              debug: false
            """;

    private static final String OPERATIONS = """
            schema: strake/Operations/v1
            metadata:
              schema: metadata/Document/v1
              name: scale-up
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data:
              target: {schema: example/Server/v1, name: web}
              operations:
              - {type: replace, path: /replicas, value: 5}
            """;

    private static final String COLLECTION = """
            schema: strake/Collection/v1
            metadata:
              schema: metadata/Document/v1
              name: gather
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data:
              schema: example/Server/v1
              path: .replicas
              as: map
              into: {schema: example/Sizes/v1, name: sizes}
            """;

    @TempDir
    Path folder;

    private CapturedTerminal terminal;

    @BeforeEach
    void writeASite() throws IOException {
        write("policy.yaml", POLICY);
        write("global/common.yaml", COMMON);
        write("global/web.yaml", PARENT);
        write("site/web.yaml", CHILD);
    }

    @Test
    void shouldNameTheWinnerAndTheLosersOfAValue() {
        explain(ExitCode.FINE, ".replicas");
        assertThat(lines()).isEqualTo("""
                .replicas: 3
                  won   3  action 1, merge .  example/Server/v1/web in site           site/web.yaml:18:3
                  lost  2  own data           example/Server/v1/web-global in global  global/web.yaml:9:3
                """);
    }

    @Test
    void shouldFollowASubstitutionToItsSource() {
        explain(ExitCode.FINE, ".dns.name");
        assertThat(lines())
                .startsWith(".dns.name: \"dns.example\"\n")
                .containsPattern("won +\"dns.example\" +substitution 1, example/Common/v1/common .dns +"
                        + "example/Server/v1/web in site +site/web.yaml:1[56]")
                .containsPattern(
                        "from +\"dns.example\" +own data +example/Common/v1/common in global +global/common.yaml:8");
    }

    @Test
    void shouldQuoteKeysWithDotsInEveryPathOfData() throws IOException {
        write("global/web.yaml", PARENT + "  flags: {example.org/port: 80}\n");
        write("site/web.yaml", CHILD + "  flags: {example.org/port: 81}\n");
        run(
                ExitCode.FINE,
                ("explain " + folder + " --document example/Server/v1/web --path .flags.'example.org/port' -o json")
                        .split(" "));
        String quoted = ".flags['example.org/port']\"";
        assertThat(terminal.out())
                .contains("\"path\":\"" + quoted) // in the explanation
                .contains("\"path\":\".data" + quoted) // in the parent's own data
                .contains("\"dataPath\":\".data" + quoted, "global/web.yaml:13:11\"", "site/web.yaml:20:11\"");
    }

    @Test
    void shouldReportAMissingDocument() {
        run(ExitCode.DIFFERENT_OR_INVALID, "explain", folder.toString(), "--document", "example/Server/v1/nothing");
        assertThat(terminal.err()).contains("these files have no document example/Server/v1/nothing");
    }

    @Test
    void shouldReportAMissingPath() throws IOException {
        explain(ExitCode.DIFFERENT_OR_INVALID, ".replicaz");
        assertThat(terminal.err()).contains("strake: example/Server/v1/web has no value at .replicaz");
        assertThat(terminal.out()).isEmpty();

        write("site/sizes.yaml", COLLECTION);
        run(
                ExitCode.DIFFERENT_OR_INVALID,
                ("explain " + folder + " --document example/Sizes/v1/sizes --path .wep").split(" "));
        assertThat(terminal.err()).contains("strake: example/Sizes/v1/sizes has no value at .wep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"..replicas", ".*", ".[-1]", ".a["})
    void shouldRequireExactlyOnePath(String path) {
        explain(ExitCode.USAGE, path);
        assertThat(terminal.err()).contains("--path");
    }

    @Test
    void shouldRequireADocument() {
        run(ExitCode.USAGE, "explain", "example/Server/v1/web");
        assertThat(terminal.err()).contains("Give a workspace and SCHEMA/NAME, or files and --document.");
    }

    @Test
    void shouldListAffectedDocumentsNearestFirst() throws IOException {
        write("site/scale.yaml", OPERATIONS);
        run(ExitCode.FINE, "affected", folder.toString(), "--document", "example/Common/v1/common");
        assertThat(lines()).isEqualTo("""
                DEPTH  DOCUMENT               LAYER  BECAUSE IT
                1      example/Server/v1/web  site   substitutes .dns.ip from example/Common/v1/common
                """);
    }

    @Test
    void shouldListDocumentsAffectedByAReplacedDocumentOfANamedLayer() throws IOException {
        write("global/parent.yaml", PARENT.replace("abstract: true, ", "").replace("web-global", "web"));
        Files.delete(folder.resolve("global/web.yaml"));
        write("site/web.yaml", CHILD.replace("  storagePolicy:", "  replacement: true\n  storagePolicy:"));
        String[] web = {"affected", folder.toString(), "--document", "example/Server/v1/web", "--layer"};
        run(ExitCode.FINE, web[0], web[1], web[2], web[3], web[4], "global");
        assertThat(lines()).contains("example/Server/v1/web  site", "layers on example/Server/v1/web");
        run(ExitCode.FINE, web[0], web[1], web[2], web[3], web[4], "site");
        assertThat(lines()).isEmpty();
        run(ExitCode.DIFFERENT_OR_INVALID, web[0], web[1], web[2], web[3], web[4], "type");
        assertThat(terminal.err()).contains("no document example/Server/v1/web in a layer type");
    }

    @Test
    void shouldOmitDocumentsThatDoNotUseAPath() {
        run(ExitCode.FINE, "affected", folder.toString(), "--document", "example/Common/v1/common", "--path", ".ntp");
        assertThat(lines()).isEmpty();
        assertThat(terminal.err())
                .isEqualToNormalizingNewlines("Nothing depends on that place of example/Common/v1/common in global.\n");
    }

    @Test
    void shouldFailOverABlastRadius() {
        run(
                ExitCode.DIFFERENT_OR_INVALID,
                ("affected " + folder + " --document example/Common/v1/common --fail-over 0").split(" "));
        assertThat(terminal.err()).contains("1 document is affected, more than 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dot", "mermaid"})
    void shouldDrawAffectedDocuments(String format) {
        run(ExitCode.FINE, "affected", folder.toString(), "--document", "example/Common/v1/common", "-o", format);
        assertThat(terminal.out()).contains("example/Common/v1").containsPattern("d0 --?>.*is substituted into.*");
    }

    @Test
    void shouldPlanAChange() throws IOException {
        Path changed = folder.resolve("changed");
        copyTo(changed);
        Files.writeString(changed.resolve("global/common.yaml"), COMMON.replace("10.0.0.1", "10.0.0.2"));
        Path base = folder.resolve("base");
        copyTo(base);
        run(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", base.toString(), changed.toString(), "-o", "table");
        assertThat(terminal.out().lines().map(line -> line.split(" ", 2)[0]))
                .containsExactly("2", "DIFFERENCE", "modified", "modified");
        run(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", base.toString(), changed.toString());
        assertThat(terminal.out())
                .contains(
                        "modified example/Server/v1/web\n@ .data.url\n- http://10.0.0.1/\n+ http://10.0.0.2/\n",
                        "modified example/Common/v1/common")
                .startsWith("2 of 3 rendered documents would change; 2 affected, 2 evaluated, 0 cut off\n");
    }

    @Test
    void shouldSayThatFilesHaveNoRevisions() {
        for (String command : List.of("explain", "affected")) {
            run(
                    ExitCode.USAGE,
                    (command + " " + folder + " --document example/Server/v1/web --revision published").split(" "));
            assertThat(terminal.err()).contains("Files have no revisions");
        }
    }

    @Test
    void shouldCountRemovedDocuments() throws IOException {
        Path base = folder.resolve("base");
        copyTo(base);
        Path nothing = Files.createFile(folder.resolve("nothing.yaml"));
        run(ExitCode.RENDER_PROBLEMS, "plan", "--base", base.toString(), nothing.toString());
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).contains("hold no documents", "--allow-empty");
        run(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", base.toString(), nothing.toString(), "--allow-empty");
        assertThat(terminal.out()).startsWith("3 of 3 rendered documents would change");
    }

    @Test
    void shouldReportACauseOnceWithTheDocumentsThatWaitForIt() throws IOException {
        Path base = folder.resolve("base");
        Path changed = folder.resolve("changed");
        copyTo(base);
        copyTo(changed);
        for (int i = 0; i < 3; i++) {
            Files.writeString(changed.resolve("policy.yaml"), dependent(i), StandardOpenOption.APPEND);
        }
        Files.delete(changed.resolve("global/common.yaml"));
        for (String format : List.of("diff", "table", "markdown")) {
            run(ExitCode.RENDER_PROBLEMS, "plan", "--base", base.toString(), changed.toString(), "-o", format);
            assertThat(terminal.out())
                    .containsOnlyOnce("SubstitutionSourceNotFound: ")
                    .contains("and 3 documents wait for it: [example/Reader/v1, site, r0]")
                    .doesNotContain("which cannot be rendered");
        }
        for (List<String> command : List.of(
                List.of("validate", changed.toString()),
                List.of("render", changed.toString()),
                List.of("plan", "--base", changed.toString(), changed.toString()))) {
            run(ExitCode.RENDER_PROBLEMS, command.toArray(String[]::new));
            assertThat(terminal.out() + terminal.err())
                    .containsPattern("SubstitutionSourceNotFound: .*\n  and 3 documents wait for it: ")
                    .doesNotContain("which cannot be rendered");
        }
    }

    private static String dependent(int number) {
        return """
                ---
                schema: example/Reader/v1
                metadata:
                  schema: metadata/Document/v1
                  name: r%d
                  layeringDefinition: {layer: site}
                  substitutions:
                  - src: {schema: example/Server/v1, name: web, path: .url}
                    dest: {path: .url}
                data: {}
                """.formatted(number);
    }

    /* A running service would keep the last valid rendering of the document. */
    @Test
    void shouldNameTheCauseOfADocumentThatWaits() throws IOException {
        Files.writeString(folder.resolve("policy.yaml"), dependent(0), StandardOpenOption.APPEND);
        Files.delete(folder.resolve("global/common.yaml"));
        run(ExitCode.RENDER_PROBLEMS, "explain", folder.toString(), "--document", "example/Reader/v1/r0");
        assertThat(terminal.err()).containsPattern("\nIt waits for this: .*SubstitutionSourceNotFound: ");
    }

    @Test
    void shouldListWaitingDocumentsOfARevisionThatWouldFail() throws IOException {
        Path base = folder.resolve("base");
        Path changed = folder.resolve("changed");
        copyTo(base);
        copyTo(changed);
        Files.delete(changed.resolve("global/common.yaml"));
        run(ExitCode.RENDER_PROBLEMS, "plan", "--base", base.toString(), changed.toString(), "-o", "markdown");
        assertThat(terminal.out())
                .contains(
                        ":x: ",
                        "SubstitutionSourceNotFound",
                        "0 of 3 rendered documents would change",
                        "the revision would fail, and consumers keep what they have",
                        "1 rendered document would change, but waits until all documents render:")
                .containsOnlyOnce("<details><summary>deleted");
        String[] plan = {"plan", "--base", base.toString(), changed.toString(), "-o", "markdown", "--hold-document"};
        run(ExitCode.RENDER_PROBLEMS, plan);
        assertThat(terminal.out()).contains(":x: ", "SubstitutionSourceNotFound", "<details><summary>deleted");
        run(ExitCode.USAGE, "plan", "-w", "w", "--hold-document", changed.toString());
        assertThat(terminal.err()).contains("--hold-document works only with --base");
    }

    @Test
    void shouldFitIntoACommentEvenForLargeChanges() throws IOException {
        Path base = folder.resolve("base");
        Path changed = folder.resolve("changed");
        copyTo(base);
        copyTo(changed);
        Path policy = base.resolve("policy.yaml");
        for (int i = 0; i < 1_000; i++) {
            Files.writeString(policy, many(i, "1"), StandardOpenOption.APPEND);
        }
        Files.writeString(changed.resolve("policy.yaml"), POLICY);
        for (int i = 0; i < 1_000; i++) {
            Files.writeString(changed.resolve("policy.yaml"), many(i, "2"), StandardOpenOption.APPEND);
        }
        run(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", base.toString(), changed.toString(), "-o", "markdown");
        assertThat(terminal.out())
                .hasSizeBetween(50_000, 65_536)
                .contains("<code>example/Many/v1/many-&lt;b>-&amp;-0</code>")
                .containsPattern("… and [0-9]+ more documents, which do not fit into a comment");
        String broken = Files.readString(changed.resolve("policy.yaml")).replace("path: .ntp", "path: .no");
        Files.writeString(changed.resolve("policy.yaml"), broken);
        Files.writeString(changed.resolve("site/web.yaml"), CHILD.replace("replicas: 3", "replicas: 4"));
        String[] plan = {"plan", "--base", base.toString(), changed.toString(), "-o", "markdown", "--hold-document"};
        run(ExitCode.RENDER_PROBLEMS, plan);
        assertThat(terminal.out())
                .hasSizeBetween(25_000, 65_536)
                .contains("SubstitutionSourceDataNotFound", "<details><summary>modified")
                .containsPattern("… and [0-9]+ more problems, which do not fit into a comment");
    }

    private static String many(int number, String value) {
        return """
                ---
                schema: example/Many/v1
                metadata:
                  schema: metadata/Document/v1
                  name: many-<b>-&-%d
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                  substitutions:
                  - src: {schema: example/Common/v1, name: common, path: .ntp}
                    dest: {path: .ntp}
                data: {value: "%s"}
                """.formatted(number, value);
    }

    @Test
    void shouldRenderADerivedDocumentAndExplainItsValues() throws IOException {
        write("site/sizes.yaml", COLLECTION);

        run(ExitCode.FINE, "render", folder.toString(), "-o", "json");
        assertThat(terminal.out())
                .contains("\"schema\":\"example/Sizes/v1\"", "\"data\":{\"web\":3}")
                .doesNotContain("strake/Collection/v1");
        run(ExitCode.FINE, "explain", folder.toString(), "--document", "example/Sizes/v1/sizes");
        assertThat(lines())
                .startsWith(".web: 3\n")
                .containsPattern("won +3 +derivation +strake/Collection/v1/gather in site +site/sizes.yaml")
                .containsPattern("from +3 +action 1, merge . +example/Server/v1/web in site +site/web.yaml:18");
    }

    private void copyTo(Path target) throws IOException {
        for (String each : new String[] {"policy.yaml", "global/common.yaml", "global/web.yaml", "site/web.yaml"}) {
            Files.createDirectories(target.resolve(each).getParent());
            Files.copy(folder.resolve(each), target.resolve(each));
        }
    }

    private void explain(int code, String path) {
        run(code, "explain", folder.toString(), "--document", "example/Server/v1/web", "--path", path);
    }

    /* Returns the output with paths relative to the folder. */
    private String lines() {
        return terminal.out().replace(folder + "/", "");
    }

    private void run(int code, String... arguments) {
        terminal = CapturedTerminal.pipe().run(code, arguments);
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
