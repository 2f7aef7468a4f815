package dev.strake.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.remote.fetch.FetchListener;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FetchMetricsTest {

    private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final List<String> heard = new ArrayList<>();
    private Instant now = BEGIN;
    private final FetchMetrics metrics = new FetchMetrics(
            new FetchListener() {
                @Override
                public void attempted(String workspace, MapValue status) {
                    heard.add("attempted " + workspace);
                }

                @Override
                public void released(String workspace, String name) {
                    heard.add("released " + name);
                }

                @Override
                public void failed(Exception reason, Duration pause) {
                    heard.add("failed");
                }
            },
            registry,
            ((InstantSource) () -> now).withZone(ZoneOffset.UTC));

    @Test
    void shouldCountAttemptsByResult() {
        attempt("a", "ok", "", "");
        attempt("a", "ok", "", "");
        attempt("b", "failed", "SourceAnswer", "");
        assertThat(registry.scrape().lines())
                .contains(
                        "strake_fetch_attempts_total{code=\"none\",state=\"ok\"} 2.0",
                        "strake_fetch_attempts_total{code=\"SourceAnswer\",state=\"failed\"} 1.0",
                        "strake_fetch_resources{state=\"ok\"} 1.0",
                        "strake_fetch_resources{state=\"held\"} 0.0",
                        "strake_fetch_resources{state=\"failed\"} 1.0");
        assertThat(heard).containsExactly("attempted site", "attempted site", "attempted site");
    }

    @Test
    void shouldShowCountersBeforeTheirFirstEvent() {
        assertThat(registry.scrape().lines())
                .contains(
                        "strake_fetch_attempts_total{code=\"none\",state=\"ok\"} 0.0",
                        "strake_fetch_attempts_total{code=\"Held\",state=\"held\"} 0.0",
                        "strake_fetch_attempts_total{code=\"SourceUnreachable\",state=\"failed\"} 0.0");
    }

    @Test
    void shouldShowSinceWhenAResourceIsInTrouble() {
        attempt(
                "failed-before",
                "failed",
                "SourceAnswer",
                BEGIN.minusSeconds(100).toString());
        attempt("held", "held", "Held", BEGIN.toString());
        attempt("mended", "failed", "SourceAnswer", "");
        now = BEGIN.plusSeconds(60);
        attempt("held", "held", "Held", now.toString());
        attempt("mended", "ok", "", now.toString());
        assertThat(trouble())
                .containsExactly(
                        "strake_fetch_trouble_seconds{resource=\"failed-before\",state=\"failed\",workspace=\"site\"} 160.0",
                        "strake_fetch_trouble_seconds{resource=\"held\",state=\"held\",workspace=\"site\"} 60.0");
        metrics.released("site", "held");
        assertThat(trouble()).hasSize(1);
        metrics.failed(new IllegalStateException(), Duration.ZERO);
        assertThat(trouble()).isEmpty();
        assertThat(heard).contains("released held", "failed");
    }

    @Test
    void shouldForgetTheResourcesOfAnotherFetcher() {
        attempt("a", "failed", "SourceAnswer", "");
        now = BEGIN.plusSeconds(60).plus(FetchMetrics.OVERDUE);
        assertThat(trouble()).hasSize(1);
        now = now.plusSeconds(1);
        assertThat(trouble()).isEmpty();
        assertThat(registry.scrape()).contains("strake_fetch_resources{state=\"failed\"} 0.0");
    }

    @Test
    void shouldShowAFewOfManyResourcesInTrouble() {
        for (int i = 0; i < 100; i++) {
            now = BEGIN.plusSeconds(i);
            attempt("r" + i, "failed", "SourceAnswer", "");
        }
        assertThat(trouble()).hasSize(FetchMetrics.MOST_RESOURCES).anyMatch(line -> line.contains("\"r0\""));
        assertThat(registry.scrape()).contains("strake_fetch_resources{state=\"failed\"} 100.0");
    }

    private List<String> trouble() {
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(RemoteMetrics.FETCH_TROUBLE.name() + "{"))
                .toList();
    }

    private void attempt(String name, String state, String code, String success) {
        MapValue.Builder data = MapValue.builder()
                .put("state", new Text(state))
                .put("nextAttempt", new Text(now.plusSeconds(60).toString()));
        if (!success.isEmpty()) {
            data.put("lastSuccess", new Text(success));
        }
        if (!code.isEmpty()) {
            data.put("problem", MapValue.of("code", new Text(code)));
        }
        metrics.attempted(
                "site",
                MapValue.builder()
                        .put("metadata", MapValue.of("name", new Text(name)))
                        .put("data", data.build())
                        .build());
    }
}
