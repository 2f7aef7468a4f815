package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files with odd names or of odd kinds, and documents of unusual size. */
@DisabledOnOs(OS.WINDOWS)
class StrangeFilesTest {

    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [site]}
            ---
            schema: example/Kind/v1
            metadata: {schema: metadata/Document/v1, name: a, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {text: %s}
            """;

    /* Java decodes a name in a foreign encoding to a string like this, and cannot encode it as a path again. */
    private static final String UNREADABLE = "\ud800.yaml";

    @TempDir
    Path folder;

    private CapturedTerminal terminal;

    @BeforeEach
    void writeASite() throws Exception {
        Files.writeString(folder.resolve("site.yaml"), SITE.formatted("x"));
    }

    private void run(int code, String... arguments) {
        terminal = CapturedTerminal.pipe().run(code, arguments);
    }

    private static void pipe(Path path) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pipe.yaml", "deep/pipe.json", ".strakeignore"})
    void shouldRefuseAPipeInAFolderByItsName(String name) throws Exception {
        Path pipe = folder.resolve(name);
        Files.createDirectories(pipe.getParent());
        pipe(pipe);
        String site = folder.toString();
        String[][] commands = {
            {"render", site},
            {"validate", site},
            {"plan", "--base", site, site},
            {"plan", "-w", "ws", site},
            {"explain", site, "--document", "example/Kind/v1/a"},
            {"affected", site, "--document", "example/Kind/v1/a"},
            {"publish", "-w", "ws", site},
            {"publish", "-w", "ws", "--delete", site},
            {"diff", "-w", "ws", "--files", site},
        };
        for (String[] command : commands) {
            run(ExitCode.USAGE, command);
            assertThat(terminal.err()).contains(name, "neither a file nor a folder");
        }
    }

    @Test
    void shouldSkipPipesThatAreNotNamedLikeDocuments() throws Exception {
        pipe(folder.resolve("pipe"));
        pipe(folder.resolve(".pipe.yaml"));
        run(ExitCode.FINE, "validate", folder.toString());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldNameTheUnreadableFile() throws Exception {
        String unreadable = "/proc/self/mem"; // simulates a broken disk
        for (String[] command : new String[][] {{"render"}, {"validate"}, {"interpolate"}}) {
            run(ExitCode.USAGE, command[0], unreadable);
            assertThat(terminal.err()).contains(unreadable, "reading it failed").doesNotContain("bug in Strake");
        }
    }

    @Test
    void shouldNameASettingThatNamesAFolder() {
        run(ExitCode.USAGE, "serve", "--access-tokens", folder.toString());
        assertThat(terminal.err())
                .startsWith("strake: strake.access.tokens, file " + folder)
                .contains("it is a folder");
    }

    @Test
    void shouldReadAPipeThatIsNamedItself() throws Exception {
        Path pipe = folder.resolve("pipe.yaml");
        pipe(pipe);
        Process writer = new ProcessBuilder("sh", "-c", "cat site.yaml > pipe.yaml")
                .directory(folder.toFile())
                .start();
        run(ExitCode.FINE, "render", pipe.toString());
        assertThat(terminal.out()).contains("text: x");
        assertThat(writer.waitFor()).isZero();
    }

    @Test
    void shouldShowNamesInOneLine() throws Exception {
        Files.delete(folder.resolve("site.yaml"));
        Path file = Files.writeString(folder.resolve("a\nb\u001b[31m\u0085\u2028.yaml"), "schema: 1\n");
        run(ExitCode.DIFFERENT_OR_INVALID, "validate", folder.toString());
        assertThat(terminal.out()).contains("a\\nb\\u001b[31m\\u0085\\u2028.yaml:1");
        assertThat(terminal.out().lines()).allMatch(line -> line.contains(".yaml:1"));
        Files.writeString(file, "a: 1\n");
        run(ExitCode.DIFFERENT_OR_INVALID, "validate", folder.toString());
        assertThat(terminal.err()).contains("skipped 1 file", "a\\nb\\u001b").doesNotContain("\u001b");
        run(ExitCode.USAGE, "validate", folder.resolve("no\nne").toString());
        assertThat(terminal.err()).contains("no\\nne");
        run(ExitCode.FINE, "init", folder.resolve("x\ny").toString());
        assertThat(terminal.out()).contains("x\\ny");
    }

    @Test
    void shouldReportANameThatThisLocaleCannotEncode() {
        String[][] commands = {
            {"render", UNREADABLE},
            {"validate", UNREADABLE},
            {"validate", "--config", UNREADABLE, "x"},
            {"plan", "--base", UNREADABLE, UNREADABLE},
            {"explain", UNREADABLE, "--document", "example/Kind/v1/a"},
            {"affected", UNREADABLE, "--document", "example/Kind/v1/a"},
            {"publish", "-w", "ws", UNREADABLE},
            {"seal", "--public-key", UNREADABLE, "x"},
            {"init", UNREADABLE},
            {"interpolate", UNREADABLE},
            {"interpolate", folder.resolve("site.yaml").toString(), "-o", UNREADABLE},
            {"interpolate", folder.resolve("site.yaml").toString(), "-l", UNREADABLE},
            {"interpolate", folder.resolve("site.yaml").toString(), "--var-file", "a=" + UNREADABLE},
            {"template-validate", "-t", UNREADABLE},
            {"template-validate", "-t", folder.resolve("site.yaml").toString(), "-e", UNREADABLE},
            {"template-validate", "--requests", UNREADABLE},
            {"merge", UNREADABLE},
            {"merge", "--requests", UNREADABLE},
            {"keys", "list", UNREADABLE},
            {"get", "documents", "-w", "ws", "--token-file", UNREADABLE},
            {"serve", "--kafka-config", UNREADABLE},
        };
        for (String[] command : commands) {
            run(ExitCode.USAGE, command);
            assertThat(terminal.err())
                    .as(String.join(" ", command))
                    .contains("LC_ALL=C.UTF-8")
                    .doesNotContain("Exception", "bug in Strake");
        }
    }

    @Test
    void shouldApplyTheLimitsOfTheSettingsInEveryCommandOnFiles() throws Exception {
        Path large = Files.writeString(folder.resolve("site.yaml"), SITE.formatted("x".repeat(1_100_000)));
        String site = large.toString();
        String[][] commands = {
            {"render", site},
            {"validate", site},
            {"plan", "--base", site, site},
            {"explain", site, "--document", "example/Kind/v1/a"},
            {"affected", site, "--document", "example/Kind/v1/a"},
        };
        Path config = Files.writeString(folder.resolve("few.conf"), "strake.limits.document-bytes=1000000\n");
        for (String[] command : commands) {
            run(ExitCode.FINE, command);
            for (String[] given :
                    new String[][] {{"--set", "strake.limits.document-bytes=1000000"}, {"--config", config.toString()}
                    }) {
                String[] limited = java.util.stream.Stream.of(command, given)
                        .flatMap(java.util.stream.Stream::of)
                        .toArray(String[]::new);
                terminal = CapturedTerminal.pipe();
                assertThat(Strake.run(terminal.terminal(), limited))
                        .as(String.join(" ", limited))
                        .isNotIn(ExitCode.FINE, ExitCode.USAGE);
                assertThat(terminal.out() + terminal.err()).contains("LimitExceeded", "1000000 bytes");
            }
        }
        run(ExitCode.RENDER_PROBLEMS, "render", site, "--set", "strake.limits.rendered-bytes=1000000");
        run(ExitCode.USAGE, "render", site, "--set", "strake.limits.document-byte=1");
        assertThat(terminal.err()).contains("There is no setting strake.limits.document-byte ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config show --config FOLDER",
                "get outcomes -w w --kafka-config FOLDER",
                "up --config FOLDER",
                "get revisions -w w --url https://localhost:1 --ca-file FOLDER",
                "seal -w w --public-key FOLDER FOLDER",
                "get rendered -w w --token-file FOLDER",
                "keys list FOLDER",
                "keys rewrap FOLDER",
                "token x reader@w --file FOLDER",
                "merge --requests FOLDER",
                "template-validate --requests FOLDER",
                "import --values FOLDER -e a=b.yaml --to out",
            })
    void shouldNameAFolderInThePlaceOfAFile(String command) {
        run(ExitCode.USAGE, command.replace("FOLDER", folder.toString()).split(" "));
        assertThat(terminal.err()).contains("folder " + folder + " cannot be used: it has to be a file.");
    }
}
