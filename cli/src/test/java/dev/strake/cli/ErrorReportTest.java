package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ErrorReportTest {

    private final CapturedTerminal terminal = CapturedTerminal.pipe();

    @Test
    void shouldAnswerUnreachableKafkaWithItsOwnExitCode() {
        assertThat(failingWith(new KafkaUnavailableException("Kafka at x:9092 did not answer in time.")))
                .isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
        assertThat(terminal.err()).isEqualToIgnoringNewLines("strake: Kafka at x:9092 did not answer in time.");
        assertThat(failingWith(new TimeoutException("too late"))).isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
    }

    @Test
    void shouldDistinguishMisconfigurationFromPassingFailures() {
        assertThat(failingWith(new MisconfiguredException("Topics are wrong."))).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).isEqualToIgnoringNewLines("strake: Topics are wrong.");
    }

    @Test
    void shouldNameTheFileThatCannotBeRead() {
        assertThat(failingWith(new NoSuchFileException("a.yaml"))).isEqualTo(ExitCode.USAGE);
        assertThat(failingWith(new UncheckedIOException(new AccessDeniedException("b.yaml"))))
                .isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("There is no file a.yaml.", "b.yaml cannot be used: no permission");
    }

    @Test
    void shouldSayThatTheFolderOfAFileIsMissing() {
        assertThat(failingWith(new NoSuchFileException("/etc/nowhere/tokens"))).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err())
                .isEqualToIgnoringNewLines("strake: There is no file /etc/nowhere/tokens, and no folder /etc/nowhere.");
    }

    @Test
    void shouldEndQuietlyWhenInterrupted() {
        assertThat(failingWith(new InterruptedException())).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(failingWith(new InterruptException("poll"))).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldNotQuoteAnUnforeseenException() {
        assertThat(failingWith(new IllegalStateException("password=secret"))).isEqualTo(ExitCode.BUG);
        assertThat(terminal.err())
                .contains("IllegalStateException", "STRAKE_DEBUG")
                .doesNotContain("secret");
    }

    @Test
    void shouldShowAStackTraceOnlyOnRequest() {
        IOException failure = new NoSuchFileException("a.yaml");
        failingWith(failure);
        assertThat(terminal.err()).doesNotContain("\tat ");
        commandLine(failure, true).execute();
        assertThat(terminal.err()).contains("\tat dev.strake.cli.ErrorReportTest");
    }

    private int failingWith(Exception failure) {
        return commandLine(failure, false).execute();
    }

    private CommandLine commandLine(Exception failure, boolean stackTraces) {
        return new CommandLine(new Failing(failure))
                .setExecutionExceptionHandler(new ErrorReport(terminal.terminal(), stackTraces));
    }

    @Command(name = "failing")
    private record Failing(Exception failure) implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            throw failure;
        }
    }
}
