package dev.strake.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.Applier;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.DocumentResult.Status;
import dev.strake.remote.apply.TargetChange;
import dev.strake.server.metrics.Metric;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplyMetricsTest {

    private static final DocumentKey DOCUMENT = new DocumentKey("example/Thing/v1", "a");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<String> heard = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-31T12:00:00Z");
    private final ApplyMetrics metrics = new ApplyMetrics(
            "site",
            new Applier.Listener() {
                @Override
                public void applied(Applied applied) {
                    heard.add("applied");
                }

                @Override
                public void failed(Exception reason, Duration pause) {
                    heard.add("failed");
                }
            },
            registry,
            ((InstantSource) () -> now).withZone(ZoneOffset.UTC));

    @Test
    void shouldBeBehindBeforeTheFirstStepAndDuringOutages() {
        later(5);
        assertThat(behind()).isEqualTo(5);
        step(3, Applied.Status.APPLIED);
        assertThat(behind()).isZero();
        metrics.failed(new IOException(), Duration.ZERO);
        later(7);
        metrics.failed(new IOException(), Duration.ZERO);
        later(1);
        assertThat(behind()).isEqualTo(8);
        step(4, Applied.Status.APPLIED);
        assertThat(behind()).isZero();
        assertThat(registry.scrape().lines())
                .contains(
                        "strake_apply_revision{workspace=\"site\"} 4.0",
                        "strake_apply_steps_total{result=\"applied\"} 2.0",
                        "strake_apply_steps_total{result=\"failed\"} 2.0");
        assertThat(heard).containsExactly("applied", "failed", "failed", "applied");
    }

    @Test
    void shouldBeBehindWhileADocumentFails() {
        become(Status.FAILED);
        step(1, Applied.Status.APPLIED);
        later(2);
        assertThat(behind()).isEqualTo(2);
        assertThat(registry.scrape()).contains("strake_apply_documents{status=\"failed\"} 1.0");
        become(Status.APPLIED);
        step(1, Applied.Status.APPLIED);
        assertThat(behind()).isZero();
        assertThat(registry.scrape()).contains("strake_apply_documents{status=\"applied\"} 1.0");
        metrics.gone(DOCUMENT);
        assertThat(registry.scrape()).contains("strake_apply_documents{status=\"applied\"} 0.0");
    }

    @Test
    void shouldDistinguishHeldFromBehind() {
        step(4, Applied.Status.HELD);
        later(3);
        assertThat(behind()).isZero();
        assertThat(held()).isEqualTo(3);
        become(Status.HELD);
        step(5, Applied.Status.APPLIED);
        later(1);
        assertThat(behind()).isZero();
        assertThat(held()).isEqualTo(4);
        become(Status.APPLIED);
        step(5, Applied.Status.APPLIED);
        assertThat(held()).isZero();
        assertThat(registry.scrape()).contains("strake_apply_steps_total{result=\"held\"} 1.0");
    }

    @Test
    void shouldShowCountersBeforeTheirFirstEvent() {
        assertThat(registry.scrape().lines())
                .contains(
                        "strake_apply_steps_total{result=\"applied\"} 0.0",
                        "strake_apply_steps_total{result=\"failed\"} 0.0",
                        "strake_apply_steps_total{result=\"held\"} 0.0",
                        "strake_apply_changes_total{kind=\"restore\"} 0.0",
                        "strake_apply_changes_total{kind=\"drifted\"} 0.0");
    }

    @Test
    void shouldCountChangesAndRequests() {
        step(1, Applied.Status.APPLIED, TargetChange.nothing("a", TargetChange.Kind.FOREIGN, ""));
        metrics.answered("PATCH", 409);
        metrics.answered("GET", 0);
        assertThat(registry.scrape().lines())
                .contains(
                        "strake_apply_changes_total{kind=\"foreign\"} 1.0",
                        "strake_apply_api_requests_total{code=\"409\",method=\"PATCH\"} 1.0",
                        "strake_apply_api_requests_total{code=\"none\",method=\"GET\"} 1.0");
    }

    private void later(int seconds) {
        now = now.plusSeconds(seconds);
    }

    private void become(Status status) {
        metrics.became(new DocumentResult(DOCUMENT, "example/Thing/v1/a.yaml", 1, status, ""));
    }

    private void step(long revision, Applied.Status status, TargetChange... changes) {
        metrics.applied(new Applied(revision, status, List.of(changes), 0, ""));
    }

    private double behind() {
        return seconds(RemoteMetrics.APPLY_BEHIND);
    }

    private double held() {
        return seconds(RemoteMetrics.APPLY_HELD);
    }

    private double seconds(Metric metric) {
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(metric.name() + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
