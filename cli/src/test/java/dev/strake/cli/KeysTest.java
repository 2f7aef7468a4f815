package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.keyset.PublishingKey;
import dev.strake.serdes.secret.Purpose;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysTest {

    private CapturedTerminal terminal = CapturedTerminal.pipe();

    @TempDir
    Path directory;

    private String file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("keyset").toString();
        assertThat(run("create", file)).isEqualTo(ExitCode.FINE);
    }

    @Test
    void shouldCreateAKeysetAndNeverOverwriteOne() throws Exception {
        byte[] before = Files.readAllBytes(Path.of(file));

        assertThat(run("create", file)).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("keys in it may be in use");
        assertThat(Files.readAllBytes(Path.of(file))).isEqualTo(before);
    }

    @Test
    void shouldListKeysWithoutTheirSecrets() {
        assertThat(run("list", file)).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()
                        .lines()
                        .map(line -> line.replaceAll("  +", "|").strip()))
                .hasSize(5)
                .allMatch(line ->
                        line.matches("(PURPOSE.*|(storage|publishing|output|hashes)\\|[0-9a-f]{8}\\|primary\\|.*)"));
    }

    @Test
    void shouldPrepareRotateAndRemoveKeys() throws Exception {
        String first = idOf("storage");

        assertThat(run("rotate", file, "--prepare")).isEqualTo(ExitCode.FINE);
        assertThat(states()).containsExactly("primary", "prepared");
        assertThat(run("rotate", file)).isEqualTo(ExitCode.FINE);
        assertThat(states()).containsExactly("old", "primary");
        assertThat(run("remove", file, idOf("storage", "primary"))).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("is the primary one: rotate first.");
        assertThat(run("remove", file, first)).isEqualTo(ExitCode.FINE);
        assertThat(states()).containsExactly("primary");
    }

    @Test
    void shouldRotateForPublishersAndConsumersByName() throws Exception {
        assertThat(run("rotate", file, "--purpose", "output")).isEqualTo(ExitCode.FINE);
        assertThat(run("rotate", file, "--purpose", "publishing")).isEqualTo(ExitCode.FINE);
        assertThat(KeysetFile.read(Path.of(file)).keyset().keys()).hasSize(6);
        assertThat(run("rotate", file, "--purpose", "hashes")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldPrintTheKeyForPublishers() throws Exception {
        assertThat(run("public", file)).isEqualTo(ExitCode.FINE);

        byte[] sealed = PublishingKey.read(terminal.out().getBytes(StandardCharsets.UTF_8))
                .seal(new byte[] {1}, new byte[] {2});
        assertThat(KeysetFile.read(Path.of(file)).keyset().open(Purpose.PUBLISHING, sealed, new byte[] {2}))
                .containsExactly(1);
    }

    @Test
    void shouldSayWhyAFileIsNotAKeyset() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "hunter2");

        assertThat(run("list", other.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("'strake keys create' makes one").doesNotContain("hunter2");
        assertThat(run("list", directory.resolve("absent").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("There is no file");
        assertThat(run("rewrap", file, "--kms", "nokms://x")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("no key management service here knows nokms://x");
        assertThat(run("rewrap", file, "--clear")).isEqualTo(ExitCode.FINE);
    }

    private List<String> states() throws Exception {
        return KeysetFile.read(Path.of(file)).keyset().keys().stream()
                .filter(key -> key.purpose().text().equals("storage"))
                .map(key -> key.state().name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private String idOf(String purpose) throws Exception {
        return idOf(purpose, "primary");
    }

    private String idOf(String purpose, String state) throws Exception {
        return KeysetFile.read(Path.of(file)).keyset().keys().stream()
                .filter(key -> key.purpose().text().equals(purpose)
                        && key.state().name().equalsIgnoreCase(state))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private int run(String... arguments) {
        terminal = CapturedTerminal.pipe();
        String[] all = new String[arguments.length + 1];
        all[0] = "keys";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Strake.run(terminal.terminal(), all);
    }
}
