package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output of commands on a terminal of 80 columns, compared with their output into a pipe. */
class NarrowTerminalTest {

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {name: policy}
            data: {layerOrder: [site]}
            ---
            schema: example/Thing/v1
            metadata: {name: thing, layeringDefinition: {layer: site}}
            data: {said: "%s", told: ["%s"]}
            """;

    private static final String DEPENDENT = """
            ---
            schema: example/Thing/v1
            metadata:
              name: dependent
              layeringDefinition: {layer: site}
              substitutions:
              - {src: {schema: example/Secret/v1, name: nobody, path: .}, dest: {path: .secret}}
            data: {}
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void writeFiles() throws IOException {
        String before = "one two three ".repeat(9).strip();
        String after = "one two four ".repeat(9).strip();
        Files.writeString(folder.resolve("old.yaml"), SITE.formatted(before, before));
        Files.writeString(folder.resolve("new.yaml"), SITE.formatted(after, after));
        Files.writeString(folder.resolve("bad.yaml"), SITE.formatted(after, before) + DEPENDENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "validate bad.yaml",
                "render bad.yaml",
                "plan --base old.yaml bad.yaml",
                "plan --base old.yaml new.yaml",
                "plan --base old.yaml bad.yaml -o table",
                "plan --base old.yaml old.yaml --hold-document --rollback 3",
                "explain bad.yaml --document example/Thing/v1/dependent",
                "problem SubstitutionSourceNotFound",
                "publish -w site-a --bootstrap-servers nowhere:1 --delete missing.yaml",
            })
    void shouldBreakLinesAtSpacesOnATerminalOnly(String command) {
        CapturedTerminal screen = CapturedTerminal.screen(Map.of("COLUMNS", "80", "NO_COLOR", "1"));
        CapturedTerminal pipe = CapturedTerminal.pipe();
        assertThat(run(screen, command)).isEqualTo(run(pipe, command));
        String printed = screen.out() + screen.err();
        assertThat(printed.lines().filter(line -> line.strip().contains(" "))).allMatch(line -> line.length() <= 80);
        assertThat(BLANKS.split(printed.strip())).isEqualTo(BLANKS.split((pipe.out() + pipe.err()).strip()));
    }

    @Test
    void shouldPrintEachCommandOnALineOfItsOwn() {
        Path site = folder.resolve("a-site-that-is-kept-in-a-folder-with-a-name-of-more-than-forty-characters");
        CapturedTerminal screen = CapturedTerminal.screen(Map.of("COLUMNS", "80", "NO_COLOR", "1"));
        run(screen, "init " + site);
        assertThat(screen.err().lines())
                .containsExactly(
                        "Now try:",
                        "  strake render " + site,
                        "  strake explain " + site + " --document example/Server/v1/web");
    }

    @Test
    void shouldCutLongValuesOnATerminalOnly() {
        String value = "one two three ".repeat(9).strip();
        CapturedTerminal pipe = CapturedTerminal.pipe();
        run(pipe, "explain old.yaml --document example/Thing/v1/thing --path .said");
        assertThat(pipe.out()).contains(".said: \"" + value + "\"\n").doesNotContain("…");

        CapturedTerminal screen = CapturedTerminal.screen(Map.of("COLUMNS", "80", "NO_COLOR", "1"));
        run(screen, "explain old.yaml --document example/Thing/v1/thing --path .said");
        assertThat(screen.out()).doesNotContain(value).contains("…");
    }

    private int run(CapturedTerminal terminal, String command) {
        return Strake.run(
                terminal.terminal(),
                Stream.of(command.split(" "))
                        .map(word ->
                                word.endsWith(".yaml") ? folder.resolve(word).toString() : word)
                        .toArray(String[]::new));
    }
}
