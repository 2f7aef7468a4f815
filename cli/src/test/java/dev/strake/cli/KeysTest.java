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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysTest {

    private CapturedTerminal terminal;

    @TempDir
    Path directory;

    private String file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("keyset").toString();
        run(ExitCode.FINE, "create", file);
    }

    @Test
    void shouldCreateAKeysetAndNeverOverwriteOne() throws Exception {
        byte[] before = Files.readAllBytes(Path.of(file));

        run(ExitCode.USAGE, "create", file);
        assertThat(terminal.err()).contains("its keys may be in use");
        assertThat(Files.readAllBytes(Path.of(file))).isEqualTo(before);
    }

    @Test
    void shouldListKeysWithoutTheirSecrets() {
        run(ExitCode.FINE, "list", file);
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

        run(ExitCode.FINE, "rotate", file, "--prepare");
        assertThat(states()).containsExactly("primary", "prepared");
        run(ExitCode.FINE, "rotate", file);
        assertThat(states()).containsExactly("old", "primary");
        run(ExitCode.USAGE, "remove", file, idOf("storage", "primary"));
        assertThat(terminal.err()).contains("is the primary key: rotate first.");
        run(ExitCode.FINE, "remove", file, first);
        assertThat(states()).containsExactly("primary");
    }

    @Test
    void shouldRotateForPublishersAndConsumersByName() throws Exception {
        run(ExitCode.FINE, "rotate", file, "--purpose", "output");
        run(ExitCode.FINE, "rotate", file, "--purpose", "publishing");
        assertThat(KeysetFile.read(Path.of(file)).keyset().keys()).hasSize(6);
        run(ExitCode.USAGE, "rotate", file, "--purpose", "hashes");
    }

    @Test
    void shouldPrintTheKeyForPublishers() throws Exception {
        run(ExitCode.FINE, "public", file);

        byte[] sealed = PublishingKey.read(terminal.out().getBytes(StandardCharsets.UTF_8))
                .seal(new byte[] {1}, new byte[] {2});
        assertThat(KeysetFile.read(Path.of(file)).keyset().open(Purpose.PUBLISHING, sealed, new byte[] {2}))
                .containsExactly(1);
    }

    @Test
    void shouldSayWhyAFileIsNotAKeyset() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "hunter2");

        run(ExitCode.USAGE, "list", other.toString());
        assertThat(terminal.err())
                .contains("create one with 'strake keys create'")
                .doesNotContain("hunter2");
        run(ExitCode.USAGE, "list", directory.resolve("absent").toString());
        assertThat(terminal.err()).contains("There is no file");
        run(ExitCode.USAGE, "rewrap", file, "--kms", "nokms://x");
        assertThat(terminal.err()).contains("no key management service supports nokms://x");
        run(ExitCode.FINE, "rewrap", file, "--clear");
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

    private void run(int code, String... arguments) {
        String[] all = Stream.concat(Stream.of("keys"), Stream.of(arguments)).toArray(String[]::new);
        terminal = CapturedTerminal.pipe().run(code, all);
    }
}
