package dev.strake.checks.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A real Prometheus that scrapes one Strake every second. */
final class Prometheus implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process process;
    private final URI base;

    /**
     * Starts Prometheus.
     *
     * @param target host and port of Strake
     * @param rules alerts to evaluate every second
     */
    Prometheus(Path directory, String target, String rules) throws IOException {
        Tool prometheus = Tool.named("prometheus");
        Files.writeString(directory.resolve("rules.yml"), rules);
        Path config = Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: [rules.yml]
                scrape_configs:
                  - job_name: strake
                    static_configs: [{targets: ["%s"]}]
                """.formatted(target));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        base = URI.create("http://127.0.0.1:" + port);
        process = new ProcessBuilder(
                        prometheus.program().toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + directory.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("prometheus.log").toFile())
                .start();
    }

    boolean isReady() throws InterruptedException {
        assertThat(process.isAlive()).as("Prometheus runs").isTrue();
        try {
            return http.send(request("/-/ready"), BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // not listening yet
        }
    }

    /** The error of the last scrape; empty if it succeeded. */
    String lastError() throws IOException, InterruptedException {
        return ask("/api/v1/targets").at("/activeTargets/0/lastError").asText();
    }

    /** Evaluates an expression at the current time. */
    JsonNode query(String expression) throws IOException, InterruptedException {
        return ask("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8))
                .get("result");
    }

    /** Sends a request to its API, which must succeed. */
    JsonNode ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request(path), BodyHandlers.ofString());
        JsonNode answer = JSON.readTree(response.body());
        assertThat(answer.path("status").asText())
                .as(() -> path + ": " + answer)
                .isEqualTo("success");
        return answer.get("data");
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).build();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
