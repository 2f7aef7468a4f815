package dev.strake.checks.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.strake.cli.local.TestStrake;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every query of the dashboard and of the alerts on a real Prometheus that scrapes a Strake with load and faults:
 * no result may be empty. Skipped, visibly, without Prometheus (Debian's package {@code prometheus}).
 */
class DashboardsIT {

    private static final Path DEPLOY = Path.of("../deploy");
    private static final Path RULES = DEPLOY.resolve("prometheus/rules/strake.yml");
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Pattern METRIC =
            Pattern.compile("\\b(strake|kafka|jvm|disk|process|system)_[a-z0-9_]+|\\bup\\b");

    private static final String SITE = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [site]}
            ---
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: db
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [%s]
            data: {size: %d}
            """;
    private static final String NOWHERE =
            "{src: {schema: example/Kind/v1, name: nowhere, path: .}, dest: {path: .password}}";

    @TempDir
    static Path directory;

    private static final ScheduledExecutorService LOAD = Executors.newSingleThreadScheduledExecutor();
    private static TestStrake strake;
    private static Prometheus prometheus;
    private static ScheduledFuture<?> publishing;
    private static KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    static void watchAStrakeUnderLoad() throws Exception {
        Tool.named("prometheus");
        strake = TestStrake.start(
                directory.resolve("data"),
                settings -> settings.with(Catalogue.PARTITIONS, 2).with(Catalogue.HISTORY_REVISIONS, 5));
        prometheus = new Prometheus(
                Files.createDirectory(directory.resolve("prometheus")),
                strake.url().replace("http://", ""),
                impatient(Files.readString(RULES)));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", strake.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        AtomicInteger count = new AtomicInteger();
        publishing = LOAD.scheduleWithFixedDelay(() -> publish(count.getAndIncrement()), 0, 50, TimeUnit.MILLISECONDS);
        await().atMost(TIMEOUT).until(prometheus::isReady);
        // A scrape may fail while the machine is busy. The next one is a second later.
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(hasNumbers(prometheus.query("strake_changes_total > 3")))
                        .as("numbers of changes; the last scrape failed with \"%s\"", prometheus.lastError())
                        .isTrue());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        boolean published = publishing != null && !publishing.isDone();
        LOAD.shutdown();
        assertThat(LOAD.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        if (producer != null) { // null if the tests were skipped
            producer.close();
            prometheus.close();
            strake.close();
            assertThat(published).as("changes were published to the end").isTrue();
        }
    }

    @Test
    void shouldFillEveryPanelOfTheDashboard() throws Exception {
        JsonNode dashboard = new ObjectMapper()
                .readTree(DEPLOY.resolve("grafana/dashboards/strake.json").toFile());
        List<String> queries = new ArrayList<>();
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                queries.add(target.get("expr").asText());
            }
        }
        assertThat(queries).hasSizeGreaterThan(40);
        for (String query : queries) {
            String asked =
                    query.replace("$job", ".+").replace("$instance", ".+").replace("$__rate_interval", "10s");
            await().alias(query)
                    .atMost(TIMEOUT)
                    .ignoreExceptionsInstanceOf(java.io.IOException.class)
                    .until(() -> prometheus.query(asked), DashboardsIT::hasNumbers);
        }
        for (JsonNode variable : dashboard.get("templating").get("list")) {
            if (variable.get("type").asText().equals("query")) {
                assertThat(variable.get("definition").asText()).startsWith("label_values(strake_documents");
            }
        }
        await().atMost(TIMEOUT)
                .until(() -> prometheus.query("count by (job, instance) (strake_documents)"), DashboardsIT::hasNumbers);
    }

    @Test
    void shouldUseOnlyExistingMetricsInAlerts() throws Exception {
        await().atMost(TIMEOUT).until(() -> prometheus.query("disk_total_bytes"), DashboardsIT::hasNumbers);
        Set<String> known = new TreeSet<>();
        prometheus.ask("/api/v1/label/__name__/values").forEach(name -> known.add(name.asText()));
        Set<String> asked = new TreeSet<>();
        for (JsonNode rule : rules()) {
            assertThat(rule.path("lastError").asText("")).isEmpty();
            Matcher metric = METRIC.matcher(rule.get("query").asText());
            while (metric.find()) {
                asked.add(metric.group());
            }
        }
        assertThat(asked).isNotEmpty().isSubsetOf(known);
    }

    @Test
    void shouldFireWithTheNameOfTheDocumentThatDoesNotRender() {
        await().atMost(TIMEOUT).untilAsserted(() -> {
            assertThat(prometheus.ask("/api/v1/alerts").get("alerts"))
                    .filteredOn(alert -> alert.get("state").asText().equals("firing"))
                    .extracting(alert -> alert.get("annotations").get("summary").asText())
                    .contains(
                            "example/Kind/v1/site/db of held does not render: SubstitutionSourceNotFound",
                            "Records arrive that belong to no workspace")
                    .doesNotContain("Changes wait, and none gets an outcome");
        });
    }

    private static List<JsonNode> rules() throws Exception {
        List<JsonNode> rules = new ArrayList<>();
        for (JsonNode group : prometheus.ask("/api/v1/rules").get("groups")) {
            group.get("rules").forEach(rules::add);
        }
        return rules;
    }

    /* The same alerts with shorter waiting times. */
    private static String impatient(String rules) {
        return rules.replaceAll("for: \\d+m", "for: 1s").replace("> 900", "> 0");
    }

    private static boolean hasNumbers(JsonNode result) {
        for (JsonNode sample : result) {
            String value = sample.get("value").get(1).asText();
            if (!value.equals("NaN") && !value.endsWith("Inf")) {
                return true;
            }
        }
        return false;
    }

    /* Publishes to a workspace without problems and to one that is held back, and a record without a workspace. */
    private static void publish(int count) {
        try {
            send("well", SITE.formatted("", count));
            send("held", SITE.formatted(count == 0 ? "" : NOWHERE, count));
            send(null, "nobody's");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(String workspace, String text) throws Exception {
        byte[] key = workspace == null ? null : workspace.getBytes(UTF_8);
        ProducerRecord<byte[], byte[]> change =
                new ProducerRecord<>("strake.document-changes", key, text.getBytes(UTF_8));
        producer.send(change).get();
    }
}
