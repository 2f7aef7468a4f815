package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands without a reachable service or broker. */
@Execution(ExecutionMode.CONCURRENT)
class UnreachableTest {

    private final CapturedTerminal terminal = CapturedTerminal.reading("");

    @Test
    void shouldReportThatKafkaDoesNotAnswer() throws IOException {
        String nowhere = "127.0.0.1:" + freePort();
        terminal.runLine(
                ExitCode.KAFKA_UNAVAILABLE,
                "publish -w w --bootstrap-servers " + nowhere + " --timeout 1 --allow-empty -");
        assertThat(terminal.err()).startsWith("strake: Kafka at " + nowhere).contains("--bootstrap-servers");
        assertThat(terminal.out()).isEmpty();
    }

    /* The case of "kustomize build . | strake publish -w w -" when kustomize fails. */
    @Test
    void shouldNotEmptyABucketByMistake() throws IOException {
        terminal.run(ExitCode.DIFFERENT_OR_INVALID, "publish", "-w", "w", "-b", "charts", "-");
        assertThat(terminal.err()).contains("bucket charts would be emptied", "Nothing was published", "--allow-empty");
        assertThat(terminal.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "delete"})
    void shouldNotPublishAnEmptyPipe(String kind) {
        terminal.run(ExitCode.DIFFERENT_OR_INVALID, "publish", "-w", "w", "--" + kind, "-");
        assertThat(terminal.err())
                .contains(
                        "Nothing was published: the input holds no documents, so nothing would be "
                                + kind.replaceFirst("e$", "") + "ed",
                        "--allow-empty");
        assertThat(terminal.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "127.0.0.1:8080", "ftp://127.0.0.1", "http:///x", "http://a b"})
    void shouldExplainHowToWriteAnAddress(String address) {
        terminal.run(ExitCode.USAGE, "get", "workspaces", "--url", address);
        assertThat(terminal.err())
                .startsWith("strake: Invalid value for option '--url': '" + address + "' is not an address")
                .contains("http://HOST:PORT")
                .doesNotContain("Exception");
    }

    @Test
    void shouldReportThatNoStrakeAnswers() throws IOException {
        String nowhere = "http://127.0.0.1:" + freePort();
        terminal.run(ExitCode.KAFKA_UNAVAILABLE, "get", "revisions", "-w", "w", "--url", nowhere);
        assertThat(terminal.err()).startsWith("strake: No Strake answers at " + nowhere);
        terminal.run(ExitCode.KAFKA_UNAVAILABLE, "rollback", "-w", "w", "a-tag", "--url", nowhere);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "watch -w w",
                "publish -w w --allow-empty -",
                "get outcomes -w w",
                "verify -w w",
                "dead-letters",
            })
    void shouldReportEarlyThatKafkaDoesNotAnswer(String command) throws IOException, InterruptedException {
        String kafka = "127.0.0.1:" + freePort();
        String[] args = (command + " --bootstrap-servers " + kafka).split(" ", -1);
        Thread waiting = new Thread(() -> Strake.run(terminal.terminal(), args));
        waiting.start();
        try {
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> !waiting.isAlive() || !terminal.err().isEmpty());
            assertThat(terminal.err()).startsWith("strake: Kafka at " + kafka + " does not answer; still trying.");
        } finally {
            waiting.interrupt();
            waiting.join();
        }
    }

    @Test
    void shouldExplainHowToWriteAName() {
        terminal.run(ExitCode.USAGE, "watch", "-w", "site|a");
        terminal.run(ExitCode.USAGE, "publish", "-w", "w", "-b", "a b", "-");
        terminal.run(ExitCode.USAGE, "publish", "-w", "w");
        terminal.run(ExitCode.USAGE, "publish", "-w", "w", "--id", "", "-");
        assertThat(terminal.err())
                .contains(
                        "'site|a' is not a workspace name",
                        "'a b' is not a bucket name",
                        "PATH",
                        "--id has to have 1 to 256 characters.");
    }

    @Test
    void shouldDeleteNothingWithoutConfirmation() {
        terminal.run(ExitCode.USAGE, "delete", "-w", "site-a");
        assertThat(terminal.err()).contains("--yes");
        CapturedTerminal person =
                CapturedTerminal.typing("site-b\n").run(ExitCode.DIFFERENT_OR_INVALID, "delete", "-w", "site-a");
        assertThat(person.err()).contains("site-a", "Nothing was deleted");
    }

    @Test
    void shouldContinueAConfirmedDeletion() throws IOException {
        String nowhere = "127.0.0.1:" + freePort();
        CapturedTerminal.typing("site-a\n")
                .runLine(
                        ExitCode.KAFKA_UNAVAILABLE, "delete -w site-a --bootstrap-servers " + nowhere + " --timeout 1");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
