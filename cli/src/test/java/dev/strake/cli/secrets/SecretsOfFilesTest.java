package dev.strake.cli.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.testing.Planted;
import dev.strake.testing.SecretSite;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands that read files never show a secret, even if the files are invalid. {@code -Dstrake.seeds=100} tests more
 * sites, starting with {@code -Dstrake.seed=1}.
 */
class SecretsOfFilesTest {

    private static final Pattern NAME =
            Pattern.compile("schema: (\\S+)\\nmetadata:\\s+\\{schema: metadata/Document/v1, name: ([\\w.-]+)");

    private static final List<String> FORMATS = List.of("text", "json", "sarif", "junit");

    @TempDir
    Path folder;

    static LongStream seeds() {
        long first = Long.getLong("strake.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("strake.seeds", 1));
    }

    /** Collects secrets in the output of commands, each with its command line. */
    private static final class Shown {

        private final Planted planted;
        private final TreeSet<String> found = new TreeSet<>();
        private int commands;

        Shown(Planted planted) {
            this.planted = planted;
        }

        CapturedTerminal by(String... arguments) {
            return by(CapturedTerminal.pipe(), arguments);
        }

        CapturedTerminal by(CapturedTerminal terminal, String... arguments) {
            int code = Strake.run(terminal.terminal(), arguments);
            commands++;
            planted.foundIn(terminal.out() + "\n" + terminal.err())
                    .forEach(each -> found.add(String.join(" ", arguments) + " shows " + each));
            assertThat(code).as(terminal.err()).isNotEqualTo(ExitCode.BUG);
            return terminal;
        }
    }

    private String write(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    @Test
    void shouldWarnThatSealedDataIsUnknownToCommandsOnFiles() throws IOException {
        String sealed = write("sealed.yaml", """
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: policy}
                data: {layerOrder: [site]}
                ---
                schema: example/Password/v1
                metadata: {schema: metadata/Document/v1, name: p, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data: {$sealed: AAAA}
                """);
        for (String command : List.of("validate", "render")) {
            CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.FINE, command, sealed);
            assertThat(terminal.out() + terminal.err())
                    .contains("SecretKeyNotFound", "is sealed", "strake plan --url")
                    .doesNotContain("NotEncrypted");
        }
    }

    /** Rendering needs the layering policy, but no validation policy. */
    @Test
    void shouldSayThatASealedLayeringPolicyTellsNoLayers() throws IOException {
        String policy = "metadata: {name: policy, storagePolicy: encrypted}\ndata: {$sealed: AAAA}\n---\n";
        String layers = "schema: deckhand/LayeringPolicy/v1\n" + policy;
        String validations = "schema: deckhand/ValidationPolicy/v1\n" + policy;
        for (String command : List.of("validate", "render")) {
            assertThat(warned(command, write("validations.yaml", validations + SEALED))
                            .err())
                    .contains("3 documents are sealed");
            CapturedTerminal terminal = CapturedTerminal.pipe();
            assertThat(Strake.run(terminal.terminal(), command, write("layers.yaml", layers)))
                    .isNotEqualTo(ExitCode.FINE);
            assertThat(terminal.out() + terminal.err())
                    .contains("nothing renders without known layers", "'strake plan --url URL'")
                    .doesNotContain("unknown key", "AAAA");
        }
    }

    private static final String SEALED = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: deckhand/Passphrase/v1
            metadata: {name: p, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: {$sealed: AAAA}
            ---
            schema: example/Login/v1
            metadata: {name: parent, labels: {a: b}, storagePolicy: encrypted, layeringDefinition: {layer: global}}
            data: {$sealed: BBBB}
            ---
            schema: example/Login/v1
            metadata:
              name: login
              storagePolicy: encrypted
              layeringDefinition:
                layer: site
                parentSelector: {a: b}
                actions: [{method: merge, path: .own}, {method: delete, path: .old}]
              substitutions:
              - {src: {schema: deckhand/Passphrase/v1, name: p, path: .}, dest: {path: .password}}
            data: {own: 1}
            ---
            schema: deckhand/DataSchema/v1
            metadata: {name: example/Shop/v1}
            data: {properties: {user: {type: integer}, database: {pattern: "^postgres://[a-z]+$"}}}
            ---
            schema: example/Shop/v1
            metadata:
              name: shop
              layeringDefinition: {layer: site}
              substitutions:
              - {src: {schema: deckhand/Passphrase/v1, name: p, path: ., pattern: "x(.)"}, dest: {path: .database, pattern: PASSWORD}}
              - {src: {schema: example/Login/v1, name: login, path: .user.name}, dest: {path: .user}}
            data: {database: "postgres://PASSWORD", replicas: 1}
            """;

    @Test
    void shouldAcceptSealedDataForAnyValue() throws IOException {
        String sealed = write("sealed.yaml", SEALED);
        String young = write("young.yaml", SEALED.replace("replicas: 1", "replicas: 2"));

        assertThat(warned("validate", sealed).out()).isEmpty();
        assertThat(warned("render", sealed, "--document", "shop").out())
                .containsPattern("database: \"\\*{6} [0-9a-f]{16}\"")
                .containsPattern("user: \"\\*{6} [0-9a-f]{16}\"")
                .contains("replicas: 1")
                .doesNotContain("AAAA", "BBBB", "postgres");
        assertThat(warned("explain", sealed, "--document", "example/Shop/v1/shop")
                        .out())
                .contains(".database: \"******");
        assertThat(warned("affected", sealed, "--document", "deckhand/Passphrase/v1/p")
                        .out())
                .contains("shop");
        assertThat(warned(ExitCode.DIFFERENT_OR_INVALID, "plan", "--base", sealed, young)
                        .out())
                .startsWith("1 of ")
                .contains("- 1\n+ 2")
                .doesNotContain("would be left");
    }

    private static CapturedTerminal warned(String... command) {
        return warned(ExitCode.FINE, command);
    }

    private static CapturedTerminal warned(int code, String... command) {
        CapturedTerminal terminal = CapturedTerminal.pipe().run(code, command);
        assertThat(terminal.err().split("SecretKeyNotFound", -1))
                .as(terminal.err())
                .hasSize(2);
        return terminal;
    }

    @Test
    void shouldNameTheProblemsThatStayInAPlanOfFiles() throws IOException {
        String old = write("old.yaml", SEALED.replace("name: login, path", "name: nobody, path"));
        String young = write(
                "young.yaml",
                SEALED.replace("name: login, path", "name: nobody, path").replace("replicas: 1", "replicas: 2"));
        assertThat(warned(ExitCode.RENDER_PROBLEMS, "plan", "--base", old, young)
                        .err())
                .contains("nobody");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowNoSecretOfRenderedDocuments(long seed) throws IOException {
        Planted planted = new Planted(seed);
        SecretSite site = new SecretSite(seed, planted);
        String documents = site.documents();
        String old = write("old.yaml", documents);
        String young = write("young.yaml", site.documents());
        String clear = write("clear.yaml", documents.replace("storagePolicy: encrypted", "storagePolicy: cleartext"));
        Shown shown = new Shown(planted);

        assertThat(shown.by("render", old).err().lines())
                .as("all render")
                .allMatch(line -> line.startsWith("warning: NotEncrypted"));
        shown.by("render", old, "-o", "json");
        for (String query : List.of("$..*", "$.data", "$..[?(@.own == 1)]", "$.data.text")) {
            shown.by("render", old, "--query", query);
        }
        for (String format : FORMATS) {
            shown.by("validate", old, "-o", format);
            shown.by("validate", old, "--strict", "-o", format);
        }
        for (String format : List.of("table", "diff", "json", "yaml", "markdown", "sarif")) {
            shown.by("plan", "--base", old, young, "-o", format);
            shown.by("plan", "--base", old, clear, "-o", format);
            shown.by("plan", "--base", clear, young, "-o", format);
        }
        List<String> names = new ArrayList<>(NAME.matcher(documents)
                .results()
                .map(SecretsOfFilesTest::name)
                .distinct()
                .toList());
        names.addAll(List.of(
                "a/Reader/v1/reader",
                "a/Reader/v1/second",
                "a/All/v1/list",
                "a/All/v1/map",
                "heat/ParameterSchema/v1/template"));
        for (String name : names) {
            for (String format : List.of("table", "json", "yaml")) {
                shown.by("explain", old, "--document", name, "-o", format);
            }
            shown.by("affected", old, "--document", name);
            shown.by("affected", old, "--document", name, "--path", ".text", "-o", "json");
        }
        assertThat(shown.found).isEmpty();
        assertThat(shown.commands).isGreaterThan(100);
        // Checks that the search finds secrets in clear text.
        assertThat(planted.foundIn(shown(old))).hasSizeGreaterThan(20);
    }

    private static String name(MatchResult match) {
        return match.group(1) + "/" + match.group(2);
    }

    private static String shown(String files) {
        CapturedTerminal terminal = CapturedTerminal.pipe().run(ExitCode.FINE, "render", files, "--cleartext-secrets");
        return terminal.out();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowNoSecretOfDocumentsInTrouble(long seed) throws IOException {
        Planted planted = new Planted(seed);
        SecretSite site = new SecretSite(seed, planted);
        String documents = site.documents();
        String sound = write("sound.yaml", documents);
        Shown shown = new Shown(planted);
        int problems = 0;
        for (Map.Entry<String, String> each : site.troubled().entrySet()) {
            String files = write("troubled.yaml", documents + "---\n" + each.getValue());
            CapturedTerminal said = shown.by("validate", files, "-o", FORMATS.get(shown.commands % FORMATS.size()));
            problems += said.out().isEmpty() && !said.err().contains("warning:") ? 0 : 1;
            shown.by("render", "--hold-document", files);
            shown.by("plan", "--base", sound, files, "-o", shown.commands % 2 == 0 ? "json" : "sarif");
        }
        assertThat(shown.found).isEmpty();
        assertThat(problems)
                .as("most are troubled indeed")
                .isGreaterThan(site.troubled().size() * 3 / 4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldShowNoSecretOfUnreadableFiles(long seed) throws IOException {
        Planted planted = new Planted(seed);
        SecretSite site = new SecretSite(seed, planted);
        String sound = write("sound.yaml", site.documents());
        Shown shown = new Shown(planted);
        for (Map.Entry<String, String> each : site.unreadable().entrySet()) {
            String files = write("unreadable.yaml", each.getValue());
            for (String command : List.of("render", "validate")) {
                shown.by(command, files);
                shown.by(CapturedTerminal.reading(each.getValue()), command, "-");
            }
            shown.by("validate", files, "-o", "sarif");
            shown.by("plan", "--base", sound, files);
            shown.by("explain", files, "--document", "a/Base/v1/n");
        }
        assertThat(shown.found).isEmpty();
    }

    @Test
    void shouldDetectEveryFormOfALeakedSecret() {
        Planted planted = new Planted(7);
        String word = planted.word("here");
        byte[] bytes = word.getBytes(UTF_8);
        Base64.Encoder base64 = Base64.getEncoder();
        assertThat(planted.foundIn(word)).isNotEmpty();
        assertThat(planted.foundIn(word.substring(3))).as("a part").isNotEmpty();
        assertThat(planted.foundIn(HexFormat.of().formatHex(bytes))).isNotEmpty();
        for (String before : List.of("", "a", "ab", "abc")) {
            byte[] text = (before + word + before).getBytes(UTF_8);
            assertThat(planted.foundIn(base64.encodeToString(text))).isNotEmpty();
        }
        String unicode = planted.unicode("there");
        assertThat(planted.foundIn(URLEncoder.encode(unicode, UTF_8))).isNotEmpty();
        assertThat(planted.foundIn("nothing of it 0123456789")).isEmpty();
    }
}
