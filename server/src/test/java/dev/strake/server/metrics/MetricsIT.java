package dev.strake.server.metrics;

import static dev.strake.server.Installation.TIMEOUT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.awaitility.Awaitility.await;

import dev.strake.server.Installation;
import dev.strake.server.settings.Catalogue;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code /metrics} of a complete server after changes of every kind. */
class MetricsIT {

    private static final String GOOD = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {name: parent}
              layeringDefinition: {layer: global}
            data: {color: red, size: 1}
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition: {layer: site, parentSelector: {name: parent}, actions: [{method: merge, path: .}]}
              substitutions: []
            data: {color: blue}
            """;
    private static final String BAD = GOOD.replace(
            "substitutions: []",
            "substitutions: [{src: {schema: a/Absent/v1, name: absent, path: .}, dest: {path: .x}}]");

    @TempDir
    Path directory;

    @AutoClose
    private Installation strake;

    private void start(String name) throws Exception {
        strake = new Installation(name, directory, 2).with(Catalogue.HISTORY_REVISIONS, 2L);
        strake.startServer(Map.of("KAFKA_GROUP_INSTANCE_ID", name));
    }

    @Test
    void shouldShowChangesAndWorkspacesEvenRightAfterARestart() throws Exception {
        start("metrics");
        send("good", GOOD);
        send("good", GOOD.replace("red", "green")); // the child overrides it: only the parent's rendering changes
        send("good", GOOD.replace("red", "green"));
        send("good", "{");
        send("bad", GOOD);
        send("bad", BAD);
        strake.publish(new ProducerRecord<>(strake.topic("document-changes"), null, "no key".getBytes(UTF_8)));
        // A scrape may fall between the updates of one commit, and does not read all metrics at the same instant.
        await().atMost(TIMEOUT).untilAsserted(() -> assertThatAllSevenAreShown(scrape()));

        strake.close();
        start("metrics");
        Scrape scrape = scrape();
        assertThat(scrape.value("strake_changes_total{status=\"failed\"}")).isZero();
        assertThatBothWorkspacesAreShown(scrape);
    }

    private void assertThatAllSevenAreShown(Scrape scrape) {
        scrape.assertShows("""
                strake_changes_total{status="failed"} 1.0
                strake_changes_total{status="rejected"} 1.0
                strake_dead_letters_total 1.0
                strake_changes_total{status="rendered"} 3.0
                strake_changes_total{status="unchanged"} 1.0
                strake_render_latency_seconds_count{status="rendered"} 3.0
                strake_stage_seconds_count{stage="queue"} 6.0
                strake_stage_seconds_count{stage="decode"} 6.0
                # all but the one that cannot be read
                strake_stage_seconds_count{stage="commit-revision"} 5.0
                strake_stage_seconds_count{stage="render"} 4.0
                strake_stage_seconds_count{stage="commit"} 6.0
                """);
        assertThat(sum(scrape, "strake_render_latency_seconds_count")).isEqualTo(6);
        assertThat(scrape.value("strake_render_latency_seconds_sum{status=\"rendered\"}"))
                .isPositive();
        assertThat(sum(scrape, "strake_stage_seconds_sum"))
                .as("the stages are all that the latency is made of")
                .isCloseTo(sum(scrape, "strake_render_latency_seconds_sum"), offset(0.001 * 6 * 2));

        scrape.assertShows("""
                strake_change_documents_count{result="affected"} 4.0
                # 3 + 2 + 3 + 1
                strake_change_documents_sum{result="affected"} 9.0
                # 3 + 1 + 3
                strake_change_documents_sum{result="emitted"} 7.0
                # all but the one whose source is missing
                # 3 + 2 + 3
                strake_change_documents_sum{result="evaluated"} 8.0
                # the child that has a color of its own
                strake_change_documents_sum{result="cut-off"} 1.0
                strake_change_documents_sum{result="removed"} 0.0
                strake_restore_seconds 0.0
                """);
        assertThatBothWorkspacesAreShown(scrape);
    }

    @Test
    void shouldShowExactlyTheDocumentedMetricsAndCountKeptRevisions() throws Exception {
        start("listed");
        for (int i = 0; i < 5; i++) {
            send("good", GOOD.replace("red", "red" + i));
        }
        send("bad", GOOD);
        send("bad", BAD);
        System.gc(); // otherwise the first GC pause may come late
        Scrape complete = await().atMost(TIMEOUT)
                .until(this::scrape, seen -> MetricsPage.missing(seen).isEmpty());
        MetricsPage.writeOrCompare(complete);
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(scrape().value("strake_revisions")).isEqualTo(2 + 2));
    }

    private static void assertThatBothWorkspacesAreShown(Scrape scrape) {
        scrape.assertShows("""
                strake_workspaces{state="rendered"} 1.0
                strake_workspaces{state="failed"} 1.0
                strake_workspaces{state="partial"} 0.0
                strake_documents 6.0
                strake_rendered_documents 6.0
                strake_revisions 4.0
                strake_problems{code="SubstitutionSourceNotFound"} 1.0
                strake_problems{code="InvalidDocumentParent"} 0.0
                """);
        assertThat(scrape.labels("strake_problem_open_seconds"))
                .containsExactly(
                        "{code=\"SubstitutionSourceNotFound\",document=\"example/Thing/v1/site/child\",workspace=\"bad\"}");
        assertThat(scrape.value("strake_staleness_seconds{class=\"held\"}")).isPositive();
        assertThat(scrape.value("strake_staleness_seconds{class=\"behind\"}")).isLessThan(1);
    }

    private static double sum(Scrape scrape, String name) {
        return scrape.labels(name).stream()
                .mapToDouble(labels -> scrape.value(name + labels))
                .sum();
    }

    private Scrape scrape() {
        return Scrape.of(strake.url(""));
    }

    private void send(String workspace, String text) throws Exception {
        strake.publish(workspace, text);
    }
}
