package dev.strake.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoppingIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    /* Nobody works on changes any more, so this one has no outcome. */
    @Test
    void shouldTellWhoWaitsForAnOutcomeThatItHasTheChange() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0)) {
            Server server = Server.start(new PipelineSettings(
                    KafkaSettings.of(broker.bootstrapServers()),
                    Settings.defaults()
                            .with(Catalogue.DATA, directory)
                            .with(Catalogue.HTTP_PORT, 0)
                            .with(Catalogue.PARTITIONS, 1)
                            .with(Catalogue.REPLICATION_FACTOR, 1)
                            .with(Catalogue.THREADS, 1)));
            server.pipeline().awaitReady(TIMEOUT);
            server.pipeline().close();
            URI workspace = URI.create("http://127.0.0.1:" + server.httpPort() + "/workspaces/site-a/");
            CompletableFuture<HttpResponse<String>> put = client.sendAsync(
                    HttpRequest.newBuilder(workspace.resolve("buckets/b"))
                            .header("Prefer", "wait=60")
                            .header("Content-Type", "application/yaml")
                            .header("Idempotency-Key", "last")
                            .PUT(BodyPublishers.ofString("[]"))
                            .build(),
                    BodyHandlers.ofString());
            HttpRequest ask =
                    HttpRequest.newBuilder(workspace.resolve("changes/last")).build();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
                await().atMost(TIMEOUT).until(() -> isPublished(admin));
            }
            assertThat(client.send(ask, BodyHandlers.ofString()).body()).contains("\"status\":\"pending\"");
            assertThat(put).isNotDone();

            server.close();

            HttpResponse<String> answer = put.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(answer.statusCode()).isEqualTo(202);
            assertThat(answer.body()).contains("\"changeId\":\"last\"", "\"status\":\"pending\"");
        }
    }

    private static boolean isPublished(Admin admin) throws Exception {
        TopicPartition changes = new TopicPartition("strake.document-changes", 0);
        return admin.listOffsets(Map.of(changes, OffsetSpec.latest()))
                        .partitionResult(changes)
                        .get()
                        .offset()
                > 0;
    }
}
