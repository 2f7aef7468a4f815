package dev.strake.cli.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.strake.testing.kubernetes.TestCluster;
import dev.strake.testing.kubernetes.TestCluster.Received;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code strake apply --kubernetes} with a real pipeline, in a separate process, against an API server over HTTP. */
class ApplyKubernetesIT {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String WORKSPACE = "apply-kubernetes";
    private static final String SECRET = "cGxhbnRlZC1zZWNyZXQ=";
    private static final int DOCUMENTS = 50;

    @TempDir
    Path directory;

    private TestStrake strake;
    private TestCluster api;
    private Path log;
    private boolean removeLast;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        strake = TestStrake.shared();
        api = TestCluster.start();
        log = directory.resolve("applier.log");
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
        api.close();
    }

    @Test
    void shouldSendOneRequestPerChangedDocumentAndSurviveAKill() throws Exception {
        publish(7, 0);
        Process applier = follow();
        await().atMost(PATIENCE).until(() -> results().size() == DOCUMENTS + 1);
        api.requests();

        publish(7, 1);
        await().atMost(PATIENCE).until(() -> "1".equals(replicas(7)));
        await().atMost(PATIENCE).until(() -> Files.readString(log).contains("1 replaced"));
        assertThat(api.objectRequests()).extracting(Received::toString).containsExactly("PATCH " + api.maps() + "m7");

        // killed after the cluster has applied a write, before the applier receives the response
        api.before(each -> each.method().equals("PATCH"), () -> {
            applier.destroyForcibly();
        });
        publish(7, 2);
        applier.waitFor();
        publish(8, 3);
        removeLast = true;
        publish(8, 3);
        follow();
        await().atMost(PATIENCE).until(() -> "3".equals(replicas(8)) && "0".equals(replicas(7)));
        String gone = WORKSPACE + "|here|kubernetes/Object/v1|ConfigMap/m" + (DOCUMENTS - 1);
        await().atMost(PATIENCE).until(() -> {
            Map<String, JsonNode> results = results();
            return results.get(gone) == null
                    && results.entrySet().stream()
                            .allMatch(each -> each.getKey().equals(gone)
                                    || each.getValue().path("status").asText().equals("applied"));
        });
        assertThat(api.objects().keySet().stream().filter(path -> path.startsWith(api.maps() + "m")))
                .hasSize(DOCUMENTS - 1);

        String everything = Files.readString(log) + results();
        assertThat(everything).doesNotContain(SECRET, "planted-token");
    }

    @Test
    void shouldReportAnUnreachableCluster() throws Exception {
        publish(7, 0);
        Path kubeconfig = api.kubeconfig(directory);
        Files.writeString(kubeconfig, Files.readString(kubeconfig).replaceAll("127.0.0.1:[0-9]+", "127.0.0.1:1"));
        Process process = strake.program(
                log, "apply", "-w", WORKSPACE, "--kubernetes", "--kubeconfig", "" + kubeconfig, "--once");
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(log).content().contains("strake: The target cannot be used: http://127.0.0.1:");
    }

    private String replicas(int number) {
        JsonNode object = api.object(api.maps() + "m" + number);
        return object == null ? null : object.path("data").path("replicas").asText();
    }

    private void publish(int number, int replicas) {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < DOCUMENTS - (removeLast ? 1 : 0); i++) {
            yaml.append(document("ConfigMap", "m" + i, "replicas: '%d'".formatted(i == number ? replicas : 0)));
        }
        yaml.append(document("Secret", "s", "password: " + SECRET));
        strake.publish(WORKSPACE, yaml.toString());
    }

    private static String document(String kind, String name, String data) {
        return """
            ---
            schema: kubernetes/Object/v1
            metadata:
              schema: metadata/Document/v1
              name: %s/%s
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data: {apiVersion: v1, kind: %s, metadata: {name: %s}, data: {%s}}
            """.formatted(kind, name, kind, name, data);
    }

    private Process follow() throws Exception {
        Process process = strake.program(
                log,
                "apply",
                "-w",
                WORKSPACE,
                "--kubernetes",
                "--kubeconfig",
                api.kubeconfig(directory).toString(),
                "--results",
                "--name",
                "here");
        started.add(process);
        return process;
    }

    /** The latest result of each document. Checks each against the AsyncAPI document. */
    private Map<String, JsonNode> results() throws Exception {
        Map<String, JsonNode> last = new TreeMap<>();
        AsyncApi api = AsyncApi.read();
        for (ConsumerRecord<byte[], byte[]> record : strake.read("strake.apply-results")) {
            assertThat(api.violations(api.messageOf(record), record)).isEmpty();
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (key.startsWith(WORKSPACE + "|")) {
                last.put(key, record.value() == null ? null : TestCluster.JSON.readTree(record.value()));
            }
        }
        return last;
    }
}
