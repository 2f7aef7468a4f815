package dev.strake.server;

import static dev.strake.server.Installation.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoppingIT {

    @TempDir
    private Path directory;

    /* The pipeline is closed, so this change gets no outcome. */
    @Test
    void shouldAcknowledgeTheChangeOfAWaitingClient() throws Exception {
        try (Installation strake = new Installation("stopping", directory, 1)) {
            Server server = strake.startServer();
            server.pipeline().close();
            HttpRequest request = HttpRequest.newBuilder(URI.create(strake.url("/workspaces/site-a/buckets/b")))
                    .header("Prefer", "wait=60")
                    .header("Idempotency-Key", "last")
                    .PUT(BodyPublishers.ofString("[]"))
                    .build();
            CompletableFuture<HttpResponse<String>> put =
                    HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofString());
            try (KafkaConsumer<byte[], byte[]> changes = strake.reader(TopicNames.CHANGES)) {
                await().atMost(TIMEOUT)
                        .until(() -> !changes.poll(Duration.ofMillis(100)).isEmpty());
            }
            assertThat(strake.send(null, "GET", "/workspaces/site-a/changes/last", "")
                            .body())
                    .contains("\"status\":\"pending\"");
            assertThat(put).isNotDone();

            server.close();

            HttpResponse<String> answer = put.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.body()).contains("\"changeId\":\"last\"", "\"status\":\"pending\"");
        }
    }
}
