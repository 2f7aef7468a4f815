package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that read files do not show secrets. */
class ShownSecretsTest {

    private static final String MASK = "\\*{6} [0-9a-f]{16}";

    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: deckhand/Passphrase/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: POLICY, layeringDefinition: {layer: global}}
            data: swordfish
            ---
            schema: example/Url/v1
            metadata: {schema: metadata/Document/v1, name: host, storagePolicy: cleartext, layeringDefinition: {layer: global}}
            data: {url: "https://db.example:5432/"}
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: database
              storagePolicy: cleartext
              labels: {is: database}
              layeringDefinition: {layer: global}
              substitutions:
              - src: {schema: deckhand/Passphrase/v1, name: password, path: .}
                dest: {path: .url, pattern: PASSWORD}
              - src: {schema: example/Url/v1, name: host, path: .url, pattern: "[a-z]+\\\\.example"}
                dest: {path: .host}
            data: {url: "db://admin:PASSWORD@db", port: 5432, options: {}}
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: copy
              storagePolicy: cleartext
              layeringDefinition: {layer: site, parentSelector: {is: database}, actions: [{method: merge, path: .}]}
            data: {note: here}
            """;

    @TempDir
    Path folder;

    private CapturedTerminal terminal = CapturedTerminal.pipe();
    private String old;
    private String young;

    @BeforeEach
    void writeTwoSites() throws IOException {
        old = write("old.yaml", SITE.replace("POLICY", "encrypted"));
        young = write("new.yaml", SITE.replace("POLICY", "encrypted").replace("swordfish", "marlin"));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private String run(int code, String... arguments) {
        terminal = CapturedTerminal.pipe().run(code, arguments);
        return terminal.out();
    }

    @Test
    void shouldMaskOnlySecretsInRenderedDocuments() {
        assertThat(run(ExitCode.FINE, "render", old))
                .containsPattern("""
                  name: copy
                  storagePolicy: encrypted
                  layeringDefinition:
                    layer: site
                    parentSelector:
                      is: database
                    actions:
                    - method: merge
                      path: "."
                data:
                  url: "MASK"
                  port: 5432
                  options: \\{}
                  host: db.example
                  note: here
                """.replace("MASK", MASK))
                .contains("https://db.example:5432/")
                .doesNotContain("swordfish");
        assertThat(run(ExitCode.FINE, "render", old, "--cleartext-secrets"))
                .contains("db://admin:swordfish@db", "storagePolicy: cleartext");
    }

    @Test
    void shouldEvaluateQueriesOnTheShownValues() {
        String guess = "$..[?(@.url == 'db://admin:swordfish@db')]";
        assertThat(run(ExitCode.FINE, "render", old, "--query", guess)).isEqualTo("");
        assertThat(run(ExitCode.FINE, "render", old, "--query", guess, "--cleartext-secrets"))
                .contains("port: 5432");
        assertThat(run(ExitCode.FINE, "render", old, "--query", "$.data.url")).containsPattern(MASK);
        assertThat(run(ExitCode.FINE, "render", old, "--query", "$.data.port")).contains("5432");
    }

    @Test
    void shouldShowEqualMasksForEqualValuesOfARun() {
        List<String> urls = masks(run(ExitCode.FINE, "render", old, "--query", "$.data.url"));
        assertThat(urls).hasSize(2);
        assertThat(urls.get(0)).isEqualTo(urls.get(1));
        assertThat(masks(run(ExitCode.FINE, "render", old, "--query", "$.data.url")))
                .doesNotContainAnyElementsOf(urls);
    }

    private static List<String> masks(String text) {
        return Pattern.compile(MASK)
                .matcher(text)
                .results()
                .map(java.util.regex.MatchResult::group)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "diff", "json", "yaml", "markdown", "sarif"})
    void shouldPlanWithoutSecretsInEveryFormat(String format) {
        String plan = run(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", old, young, "-o", format);
        assertThat(plan).doesNotContain("swordfish", "marlin");
        if (!format.equals("table") && !format.equals("sarif")) {
            assertThat(plan).containsPattern(MASK).contains(".data.url").doesNotContain(".data.port");
        }
        assertThat(run(
                        ExitCode.DIFFERENT_OR_INVALID,
                        ("plan --base " + old + " " + young + " -o json --cleartext-secrets").split(" ")))
                .contains("swordfish", "marlin");
    }

    @Test
    void shouldRedactBothSidesOfAValueThatBecomesSecret() throws IOException {
        String clear = write("clear.yaml", SITE.replace("POLICY", "cleartext"));
        for (String[] sides : new String[][] {{clear, young}, {young, clear}}) {
            assertThat(run(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", sides[0], sides[1], "-o", "diff"))
                    .containsPattern("- \"?" + MASK)
                    .containsPattern("\\+ \"?" + MASK)
                    .doesNotContain("swordfish", "marlin");
        }
    }

    @Test
    void shouldExplainWithAMaskForEachSecret() {
        String database = run(ExitCode.FINE, "explain", old, "--document", "example/Database/v1/copy", "-o", "json");
        assertThat(database).doesNotContain("swordfish");
        // The pattern comes from the author of a cleartext document, so it is no secret.
        assertThat(database)
                .contains("\"picked\":\"db.example\"", "\"value\":\"db://admin:PASSWORD@db\"", "\"value\":\"here\"");
        Matcher picked =
                Pattern.compile("\"name\":\"password\"},\"sourcePath\":\"\\.\"").matcher(database);
        assertThat(picked.find()).isTrue();
        assertThat(run(ExitCode.FINE, "explain", old, "--document", "example/Database/v1/copy"))
                .containsPattern("\\.url: \"" + MASK)
                .doesNotContain("swordfish");
        assertThat(run(ExitCode.FINE, "explain", old, "--document", "example/Database/v1/copy", "--cleartext-secrets"))
                .contains("swordfish");
    }

    @Test
    void shouldRedactThePartOfASecretThatAPatternPicked() throws IOException {
        String picking = write(
                "picking.yaml",
                SITE.replace("POLICY", "encrypted")
                        .replace("name: password, path: .", "name: password, path: ., pattern: rdf.s"));
        assertThat(run(ExitCode.FINE, "explain", picking, "--document", "example/Database/v1/database", "-o", "json"))
                .containsPattern("\"picked\":\"" + MASK)
                .doesNotContain("rdfis");
    }

    @Test
    void shouldRedactDerivedDocumentsOfSecretOnes() throws IOException {
        String collecting = write("collecting.yaml", SITE.replace("POLICY", "encrypted") + """
                ---
                schema: strake/Collection/v1
                metadata: {schema: metadata/Document/v1, name: all, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: {schema: deckhand/Passphrase/v1, as: map, into: {schema: example/All/v1, name: all}}
                """);
        assertThat(run(ExitCode.FINE, "render", collecting, "--query", "$.data.password"))
                .containsPattern(MASK)
                .doesNotContain("swordfish");
        assertThat(run(ExitCode.FINE, "explain", collecting, "--document", "example/All/v1/all", "-o", "json"))
                .containsPattern(MASK)
                .doesNotContain("swordfish");
    }
}
