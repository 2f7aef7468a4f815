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
        assertThat(Strake.run(
                        terminal.terminal(),
                        "publish",
                        "-w",
                        "w",
                        "--bootstrap-servers",
                        nowhere,
                        "--timeout",
                        "1",
                        "--allow-empty",
                        "-"))
                .isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
        assertThat(terminal.err()).startsWith("strake: Kafka at " + nowhere).contains("--bootstrap-servers");
        assertThat(terminal.out()).isEmpty();
    }

    /* The case of "kustomize build . | strake publish -w w -" when kustomize fails. */
    @Test
    void shouldNotEmptyABucketByMistake() throws IOException {
        assertThat(Strake.run(terminal.terminal(), "publish", "-w", "w", "-b", "charts", "-"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err())
                .contains("bucket charts would be emptied")
                .contains("Nothing was published")
                .contains("--allow-empty");
        assertThat(terminal.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"add", "delete"})
    void shouldNotPublishAnEmptyPipe(String kind) {
        assertThat(Strake.run(terminal.terminal(), "publish", "-w", "w", "--" + kind, "-"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err())
                .contains("Nothing was published: the input holds no documents, so nothing would be "
                        + kind.replaceFirst("e$", "") + "ed")
                .contains("--allow-empty");
        assertThat(terminal.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "127.0.0.1:8080", "ftp://127.0.0.1", "http:///x", "http://a b"})
    void shouldExplainHowToWriteAnAddress(String address) {
        assertThat(Strake.run(terminal.terminal(), "get", "workspaces", "--url", address))
                .isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err())
                .startsWith("strake: Invalid value for option '--url': '" + address + "' is not an address")
                .contains("http://HOST:PORT")
                .doesNotContain("Exception");
    }

    @Test
    void shouldReportThatNoStrakeAnswers() throws IOException {
        String nowhere = "http://127.0.0.1:" + freePort();
        assertThat(Strake.run(terminal.terminal(), "get", "revisions", "-w", "w", "--url", nowhere))
                .isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
        assertThat(terminal.err()).startsWith("strake: No Strake answers at " + nowhere);
        assertThat(Strake.run(terminal.terminal(), "rollback", "-w", "w", "a-tag", "--url", nowhere))
                .isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "watch -w w",
                "publish -w w --allow-empty -",
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
        assertThat(Strake.run(terminal.terminal(), "watch", "-w", "site|a")).isEqualTo(ExitCode.USAGE);
        assertThat(Strake.run(terminal.terminal(), "publish", "-w", "w", "-b", "a b", "-"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(Strake.run(terminal.terminal(), "publish", "-w", "w")).isEqualTo(ExitCode.USAGE);
        assertThat(Strake.run(terminal.terminal(), "publish", "-w", "w", "--id", "", "-"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err())
                .contains(
                        "'site|a' is not a workspace name",
                        "'a b' is not a bucket name",
                        "PATH",
                        "--id has to have 1 to 256 characters.");
    }

    @Test
    void shouldDeleteNothingWithoutConfirmation() {
        assertThat(Strake.run(terminal.terminal(), "delete", "-w", "site-a")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("--yes");
        CapturedTerminal person = CapturedTerminal.typing("site-b\n");
        assertThat(Strake.run(person.terminal(), "delete", "-w", "site-a")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(person.err()).contains("site-a").contains("Nothing was deleted");
    }

    @Test
    void shouldContinueAConfirmedDeletion() throws IOException {
        String nowhere = "127.0.0.1:" + freePort();
        CapturedTerminal person = CapturedTerminal.typing("site-a\n");
        assertThat(Strake.run(
                        person.terminal(), "delete", "-w", "site-a", "--bootstrap-servers", nowhere, "--timeout", "1"))
                .isEqualTo(ExitCode.KAFKA_UNAVAILABLE);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
