package dev.strake.server.writing;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static dev.strake.server.Installation.document;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.server.Installation;
import dev.strake.server.access.Grant;
import dev.strake.server.access.Token;
import dev.strake.server.settings.Catalogue;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The principal of a change over HTTP is verified. A producer with write access to the topic can only claim one. */
class ProvenPrincipalIT {

    private static final Token TOKEN = Token.create();

    @TempDir
    static Path directory;

    @AutoClose
    private static Installation strake;

    @BeforeAll
    static void start() throws Exception {
        Path tokens = Files.writeString(
                directory.resolve("tokens"), TOKEN.line("ci-site", List.of(Grant.parse("publisher@*"))) + "\n");
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        strake = new Installation("proven", directory.resolve("data"), 1)
                .with(Catalogue.SECRETS_KEYSET, keyset)
                .with(Catalogue.ACCESS_TOKENS, tokens);
        strake.startServer();
    }

    private HttpResponse<String> ask(String method, String path, String body) throws Exception {
        return strake.send(TOKEN, method, path, body);
    }

    private String put(String workspace, String body) throws Exception {
        HttpResponse<String> answer = ask("PUT", "/workspaces/" + workspace + "/buckets/b?author=somebody", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private String revisions(String workspace) throws Exception {
        return ask("GET", "/workspaces/" + workspace + "/revisions", "").body();
    }

    @Test
    void shouldCarryThePrincipalToOutcomeRevisionAndRecords() throws Exception {
        assertThat(put("carried", POLICY + document("web", "1")))
                .contains("\"principal\":\"ci-site\"", "\"author\":\"somebody\"", "\"status\":\"rendered\"");
        assertThat(revisions("carried")).contains("\"principal\":\"ci-site\"");
        assertThat(ask("GET", "/workspaces", "").body()).contains("\"principal\":\"ci-site\"");
        List<ConsumerRecord<byte[], byte[]>> rendered = records("rendered-documents", "carried", 1);
        assertThat(rendered)
                .allSatisfy(message -> assertThat(
                                RenderedHeaders.read(message.headers()).cause().principal())
                        .isEqualTo("ci-site"));
        // The outcome names the principal, although there is no new revision.
        assertThat(put("carried", POLICY + document("web", "1")))
                .contains("\"principal\":\"ci-site\"", "\"status\":\"unchanged\"");
    }

    @Test
    void shouldProveAChangeInSeveralPartsAsAWhole() throws Exception {
        StringBuilder body = new StringBuilder(POLICY);
        for (int i = 0; i < 20; i++) {
            body.append(document("large-" + i, "x".repeat(500_000)));
        }
        assertThat(put("parts", body.toString())).contains("\"principal\":\"ci-site\"", "\"status\":\"rendered\"");
        assertThat(records("document-changes", "parts", 2)).as("it was cut").hasSizeGreaterThan(1);
    }

    @Test
    void shouldNotTrustPrincipalHeadersOfOtherProducers() throws Exception {
        put("genuine", POLICY + document("web", "1"));
        ConsumerRecord<byte[], byte[]> genuine =
                records("document-changes", "genuine", 1).get(0);
        // A mere claim; a genuine change's headers with another body; the genuine change for another workspace.
        strake.publish("claimed", POLICY, HeaderNames.PRINCIPAL, "root");
        Headers headers = genuine.headers();
        strake.publish(new ProducerRecord<>(
                genuine.topic(), 0, "copied".getBytes(UTF_8), (POLICY + document("x", "2")).getBytes(UTF_8), headers));
        strake.publish(new ProducerRecord<>(genuine.topic(), 0, "moved".getBytes(UTF_8), genuine.value(), headers));
        for (String workspace : List.of("claimed", "copied", "moved")) {
            await().atMost(TIMEOUT).until(() -> revisions(workspace).contains("\"status\":\"rendered\""));
            assertThat(revisions(workspace)).as(workspace).doesNotContain("principal");
        }
        // Publishes the genuine record again: its id is known, so it changes nothing.
        strake.publish(new ProducerRecord<>(genuine.topic(), 0, genuine.key(), genuine.value(), headers));
        List<ConsumerRecord<byte[], byte[]>> outcomes = records("outcomes", "genuine", 2);
        assertThat(new String(outcomes.get(1).value(), UTF_8)).contains("\"status\":\"duplicate\"");
    }

    /* Waits for a number of records of a workspace. Their keys are its name, or begin with it. */
    private static List<ConsumerRecord<byte[], byte[]>> records(String topic, String workspace, int least) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = strake.reader(topic)) {
            await().atMost(TIMEOUT).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(message -> {
                    if (new String(message.key(), UTF_8).startsWith(workspace)) {
                        found.add(message);
                    }
                });
                return found.size() >= least;
            });
        }
        return found;
    }
}
