package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.cli.Strake;
import dev.strake.cli.command.ExitCode;
import dev.strake.client.MisconfiguredException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code strake up} and {@code strake demo} consist of. */
class LocalServerIT {

    @TempDir
    Path directory;

    @Test
    void shouldKeepEverythingAcrossARestart() throws Exception {
        Path policy = Files.writeString(directory.resolve("policy.yaml"), """
                schema: deckhand/LayeringPolicy/v1
                metadata: {schema: metadata/Control/v1, name: layering-policy}
                data: {layerOrder: [global, site]}
                """);
        try (LocalServer first = start()) {
            assertThat(run(
                                    "publish",
                                    "-w",
                                    "a",
                                    "--wait",
                                    "--bootstrap-servers",
                                    first.bootstrapServers(),
                                    policy.toString())
                            .out())
                    .contains("rendered");
            assertThatThrownBy(this::start)
                    .isInstanceOf(MisconfiguredException.class)
                    .hasMessageContaining("in use");
        }
        try (LocalServer second = start()) {
            assertThat(run("get", "revisions", "-w", "a", "--url", second.url()).out())
                    .hasLineCount(2)
                    .contains("rendered");
            assertThat(run(
                                    "publish",
                                    "-w",
                                    "a",
                                    "--wait",
                                    "--bootstrap-servers",
                                    second.bootstrapServers(),
                                    policy.toString())
                            .out())
                    .contains("unchanged");
            String kafka = second.bootstrapServers();
            run("tag", "-w", "a", "1", "released", "--data", "ticket=7", "--wait", "--bootstrap-servers", kafka);
            assertThat(run("get", "revisions", "-w", "a", "-o", "json", "--url", second.url())
                            .out())
                    .contains("\"tags\":{\"released\":{\"ticket\":\"7\"}}");
            run("untag", "-w", "a", "1", "released", "--wait", "--bootstrap-servers", kafka);
            assertThat(run("rollback", "-w", "a", "0", "--wait", "--bootstrap-servers", kafka)
                            .out())
                    .contains("rendered");
            assertThat(run("get", "revisions", "-w", "a", "--url", second.url()).out())
                    .hasLineCount(3)
                    .doesNotContain("released");
        }
    }

    @Test
    void shouldRunTheDemoToItsEnd() {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), "demo"))
                .as(() -> terminal.err())
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .contains("427 documents of a real telecom cloud in, 381 rendered documents out")
                .contains("6 of 381 rendered documents came out different")
                .contains("armada/Chart/v1  ucp-ceph-provisioners");
    }

    private LocalServer start() throws Exception {
        return TestServer.start(directory.resolve("data"), 2);
    }

    private static CapturedTerminal run(String... args) {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), args))
                .as(() -> terminal.err())
                .isEqualTo(ExitCode.FINE);
        return terminal;
    }
}
