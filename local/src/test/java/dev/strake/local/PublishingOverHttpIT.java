package dev.strake.local;

import static dev.strake.local.StrakeCommand.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that write, told by --url not to use Kafka. */
class PublishingOverHttpIT {

    private static final String POLICY = """
        schema: deckhand/LayeringPolicy/v1
        metadata: {schema: metadata/Control/v1, name: policy}
        data: {layerOrder: [site]}
        """;
    private static final String WEB = """
        ---
        schema: example/Server/v1
        metadata: {schema: metadata/Document/v1, name: web, storagePolicy: cleartext, layeringDefinition: {layer: site}}
        data: {value: 1}
        """;

    @TempDir
    static Path directory;

    private static LocalServer server;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(directory.resolve("data"), 1);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /* Kafka is where nobody listens. */
    private static String strake(int code, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "-w",
                "site-a",
                "--wait",
                "--bootstrap-servers",
                "127.0.0.1:1",
                "--url",
                "http://127.0.0.1:" + server.server().httpPort()));
        return run(code, all.toArray(String[]::new));
    }

    @Test
    void shouldWriteWithoutKafka() throws Exception {
        String both =
                Files.writeString(directory.resolve("both.yaml"), POLICY + WEB).toString();
        String web = Files.writeString(directory.resolve("web.yaml"), WEB.substring(4))
                .toString();
        assertThat(strake(ExitCode.FINE, "publish", "--author", "Ada", "--message", "why", both))
                .contains("rendered");
        assertThat(strake(ExitCode.FINE, "publish", "--delete", web)).contains("rendered");
        assertThat(strake(ExitCode.FINE, "publish", "--add", web)).contains("rendered");
        assertThat(strake(ExitCode.FINE, "tag", "1", "good", "--data", "ticket=OPS-7"))
                .contains("unchanged");
        assertThat(strake(ExitCode.FINE, "rollback", "good")).contains("unchanged");
        assertThat(strake(ExitCode.FINE, "untag", "1", "good")).contains("unchanged");
        assertThat(strake(ExitCode.DIFFERENT_OR_INVALID, "publish", "--expect-revision", "1", both))
                .contains("rejected");
        assertThat(strake(ExitCode.DIFFERENT_OR_INVALID, "rollback", "99")).contains("rejected");
        assertThat(strake(ExitCode.FINE, "delete", "--yes")).contains("rendered");
    }
}
