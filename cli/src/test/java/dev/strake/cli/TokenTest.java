package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.server.access.AccessControl;
import dev.strake.server.access.AccessControl.Allowed;
import dev.strake.server.access.AccessControl.Forbidden;
import dev.strake.server.access.AccessControl.Verdict;
import dev.strake.server.access.Permission;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Creating tokens, and authenticating with them. */
class TokenTest {

    private final CapturedTerminal terminal = CapturedTerminal.reading("");

    @TempDir
    Path directory;

    @Test
    void shouldCreateATokenAndItsLineForTheFile() throws IOException {
        terminal.run(ExitCode.FINE, "token", "ci", "reader@site-*", "admin@a");
        List<String> lines = terminal.out().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).matches("strake_[A-Za-z0-9_-]{43}");
        assertThat(lines.get(1)).matches("ci sha256:[0-9a-f]{64} reader@site-\\* admin@a");
        Path file = Files.writeString(directory.resolve("tokens"), lines.get(1));
        assertThat(judge(file, lines.get(0), "site-a")).isInstanceOf(Allowed.class);
        assertThat(judge(file, lines.get(0), "b")).isInstanceOf(Forbidden.class);
        assertThat(terminal.err()).doesNotContain(lines.get(0));
    }

    @Test
    void shouldAddLinesToAFile() throws IOException {
        Path file = directory.resolve("tokens");
        terminal.run(ExitCode.FINE, "token", "alice", "reader@*", "--file", file.toString());
        Files.writeString(file, Files.readString(file).strip());
        terminal.run(ExitCode.FINE, "token", "bob", "reader@*", "--file", file.toString());
        assertThat(Files.readAllLines(file))
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactly("alice", "bob");
        assertThat(terminal.out().lines())
                .hasSize(2)
                .allSatisfy(token -> assertThat(judge(file, token, "a")).isInstanceOf(Allowed.class));
    }

    @Test
    void shouldExplainAnInvalidNameOrGrant() {
        terminal.run(ExitCode.USAGE, "token", "c i", "reader@*");
        assertThat(terminal.err()).contains("The first word names the principal: 1 to 128 of");
        terminal.run(ExitCode.USAGE, "token", "ci", "writer@*");
        assertThat(terminal.err()).contains("its role is one of reader, publisher, secrets-reader, admin.");
        terminal.run(ExitCode.USAGE, "token", "ci");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void shouldSendTheGivenTokenAndShowTheErrorOfTheService() throws IOException {
        Queue<String> came = new ConcurrentLinkedQueue<>();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            came.add(exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] answer = "{\"code\":\"Forbidden\",\"message\":\"ci may not do this: it needs reader@w.\"}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(403, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
        try {
            String url = "http://127.0.0.1:" + service.getAddress().getPort();
            Path file = Files.writeString(directory.resolve("token"), "  strake_file\n");
            String[] ask = {"get", "revisions", "-w", "w", "--url", url};
            terminal.run(ExitCode.USAGE, with(ask, "--token", "strake_option"));
            terminal.run(ExitCode.USAGE, with(ask, "--token-file", file.toString()));
            assertThat(came).containsExactly("Bearer strake_option", "Bearer strake_file");
            assertThat(terminal.err())
                    .contains("strake: ci may not do this: it needs reader@w.")
                    .doesNotContain("strake_option", "strake_file");
        } finally {
            service.stop(0);
        }
    }

    @Test
    void shouldNotQuoteAnInvalidToken() throws IOException {
        Path file = Files.writeString(directory.resolve("token"), "strake_one\nstrake_two\n");
        terminal.run(ExitCode.USAGE, "get", "revisions", "-w", "w", "--token-file", file.toString());
        terminal.run(ExitCode.USAGE, "get", "revisions", "-w", "w", "--token", "strake_\u00e9");
        assertThat(terminal.err())
                .contains(file + " has no valid token", "--token has no valid token")
                .doesNotContain("strake_one", "strake_two", "strake_\u00e9");
        terminal.runLine(ExitCode.USAGE, "get revisions -w w --token-file " + directory.resolve("absent"));
        assertThat(terminal.err()).contains("There is no file " + directory.resolve("absent"));
    }

    @Test
    void shouldNotSendAPartOfATokenThatIsTooLong() throws IOException {
        Path file = Files.writeString(directory.resolve("token"), "x".repeat((16 << 10) + 1));
        terminal.run(ExitCode.USAGE, "get", "revisions", "-w", "w", "--token-file", file.toString());
        assertThat(terminal.err()).contains(file + " has no valid token");
    }

    @Test
    void shouldExplainAnInvalidFileOfAuthorities() throws IOException {
        Path file = Files.writeString(directory.resolve("ca.pem"), "swordfish");
        String[] ask = {"get", "revisions", "-w", "w", "--url", "https://127.0.0.1:1", "--ca-file"};
        terminal.run(ExitCode.USAGE, with(ask, file.toString()));
        assertThat(terminal.err())
                .contains("The file " + file + " cannot be used", "BEGIN CERTIFICATE")
                .doesNotContain("swordfish");
        terminal.run(ExitCode.USAGE, with(ask, directory.resolve("absent").toString()));
        assertThat(terminal.err()).contains("There is no file " + directory.resolve("absent"));
    }

    private static String[] with(String[] first, String... then) {
        return Stream.concat(Stream.of(first), Stream.of(then)).toArray(String[]::new);
    }

    private static Verdict judge(Path file, String token, String workspace) {
        try (AccessControl access = AccessControl.of(Settings.defaults().with(Catalogue.ACCESS_TOKENS, file))) {
            return access.judge(
                            Permission.of("GET", "/workspaces/{workspace}/documents"),
                            Map.of("Authorization", "Bearer " + token)::get,
                            workspace)
                    .join();
        }
    }
}
