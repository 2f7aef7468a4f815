package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole Strake in a process of its own, told by the environment alone where its spans go. */
class TracingIT {

    @TempDir
    Path directory;

    @Test
    void shouldSendSpansOfChangesToWhereTheEnvironmentSays() throws Exception {
        Queue<String> received = new ConcurrentLinkedQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/traces", exchange -> {
            // Protocol buffers hold text as it is: enough to see which spans there are.
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        try {
            String endpoint = "http://127.0.0.1:" + collector.getAddress().getPort();
            Process demo =
                    demo(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint, "OTEL_EXPORTER_OTLP_COMPRESSION", "none"));
            try {
                assertThat(demo.waitFor(10, TimeUnit.MINUTES)).isTrue();
                assertThat(demo.exitValue()).isZero();
            } finally {
                demo.destroyForcibly();
            }
        } finally {
            collector.stop(0);
        }
        assertThat(String.join("", received))
                .contains("apply change", "commit-revision", "strake.workspace", "strake.status", "rendered")
                .doesNotContain("layerOrder"); // nothing of what a document holds
    }

    private Process demo(Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Packaged.line(List.of("-Xmx512m"), List.of("demo")))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("demo.log").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }
}
