package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpCommandTest {

    /* A file blocks the data directory, so nothing can start before the first message. */
    @Test
    void shouldAnnounceTheStartOfTheBroker(@TempDir Path directory) throws IOException {
        Path data = Files.createFile(directory.resolve("data"));
        CapturedTerminal terminal = CapturedTerminal.pipe()
                .run(
                        ExitCode.USAGE,
                        "up",
                        "--data",
                        data.toString(),
                        "--access-tokens=tokens",
                        "--secrets-keyset=keyset");

        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err().lines())
                .hasSizeGreaterThan(1)
                .first()
                .isEqualTo("Starting a Kafka broker, the pipeline and HTTP in this process. Data is kept in " + data
                        + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536"})
    void shouldRefuseAPortThatCannotBe(String port, @TempDir Path directory) {
        CapturedTerminal terminal = CapturedTerminal.pipe()
                .run(ExitCode.USAGE, "up", "--kafka-port=" + port, "--data=" + directory.resolve("data"));
        assertThat(terminal.err()).startsWith("strake: --kafka-port has to be 0 to 65535.");
    }
}
