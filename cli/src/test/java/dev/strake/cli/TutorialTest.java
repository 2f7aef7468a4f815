package dev.strake.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/tutorial.md as a reader would: writes its files, types its commands in a shell, and compares what they print.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the commands of the tutorial are those of a POSIX shell")
class TutorialTest {

    private static final Path PAGE = Path.of("../docs/tutorial.md");

    /** A file with its name before it, or commands with what they print. */
    private static final Pattern STEP = Pattern.compile(
            "^`(?<name>[a-z/.-]+)`\n\n```yaml\n(?<content>.*?)^```|^```console\n(?<commands>.*?)^```",
            Pattern.DOTALL | Pattern.MULTILINE);

    @TempDir
    Path folder;

    @Test
    void shouldPrintWhatTheTutorialSays() throws Exception {
        Path strake = program();
        Matcher step = STEP.matcher(Files.readString(PAGE));
        StringBuilder expected = new StringBuilder();
        StringBuilder actual = new StringBuilder();
        int commands = 0;
        while (step.find()) {
            if (step.group("name") != null) {
                Path file = folder.resolve(step.group("name"));
                Files.createDirectories(file.getParent());
                Files.writeString(file, step.group("content"));
                continue;
            }
            expected.append(step.group("commands"));
            for (String line : step.group("commands").lines().toList()) {
                if (line.startsWith("$ ")) {
                    commands++;
                    actual.append(line).append('\n').append(type(strake, line.substring(2)));
                }
            }
        }
        assertThat(commands).isGreaterThan(8);
        assertThat(actual.toString()).isEqualTo(expected.toString());
    }

    /* As the launcher would start it, without building. */
    private Path program() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        Path strake = bin.resolve("strake");
        Files.writeString(strake, """
                #!/bin/sh
                exec "%s" -Xmx256m -XX:TieredStopAtLevel=1 -cp "%s" dev.strake.cli.Strake "$@"
                """.formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path")));
        assertThat(strake.toFile().setExecutable(true)).isTrue();
        return bin;
    }

    private String type(Path bin, String command) throws Exception {
        ProcessBuilder shell = new ProcessBuilder(List.of("/bin/sh", "-c", command))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        shell.environment().put("PATH", bin + ":" + System.getenv("PATH"));
        Process process = shell.start();
        String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return printed.lines().filter(line -> !line.startsWith("SLF4J")).reduce("", (all, line) -> all + line + "\n");
    }
}
