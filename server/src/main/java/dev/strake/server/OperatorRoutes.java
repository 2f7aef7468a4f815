package dev.strake.server;

import dev.strake.server.http.Bulkhead;
import dev.strake.server.http.Request;
import dev.strake.server.http.Response;
import dev.strake.server.http.Route;
import dev.strake.server.metrics.Metrics;
import dev.strake.server.pipeline.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The routes that monitoring and orchestrators poll: {@code /metrics} and {@code /health/*}. */
public final class OperatorRoutes {

    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /** Queued requests of a kind: responses are small, and many queue up only if something is wrong. */
    private static final int QUEUED = 64;

    private OperatorRoutes() {}

    /**
     * Returns separate bulkheads, so that a slow scrape does not delay the probes of an orchestrator.
     *
     * @param versions of the running software, by their names in the readiness response
     */
    public static List<Bulkhead> bulkheads(
            PrometheusMeterRegistry metrics,
            Health.Probes probes,
            Supplier<Metrics.Details> details,
            SortedMap<String, String> versions) {
        List<Route> health = List.of(
                Route.get("/health/started", request -> answer(probes.started().get())),
                Route.get("/health/live", request -> answer(probes.live().get())));
        // Reads metrics of the Kafka clients, which may block.
        List<Route> ready = List.of(
                Route.get("/health/ready", request -> ready(probes.ready().get(), details.get(), versions)));
        return List.of(new Bulkhead(2, QUEUED, health), new Bulkhead(1, QUEUED, ready), metrics(metrics));
    }

    public static Bulkhead metrics(PrometheusMeterRegistry metrics) {
        return new Bulkhead(1, QUEUED, List.of(Route.get("/metrics", request -> prometheus(metrics, request))));
    }

    private static Response answer(Health health) {
        return Response.json(health.fine() ? 200 : 503, content(health, health.reason()));
    }

    private static Response ready(Health health, Metrics.Details details, SortedMap<String, String> versions) {
        String reason = details.recordsToRestore() == 0
                ? health.reason()
                : "restoring, %,d records are left".formatted(details.recordsToRestore());
        Map<String, Object> content = content(health, reason);
        content.put("problems", details.problems());
        content.put("stalenessSeconds", details.stalenessSeconds());
        content.putAll(versions);
        return Response.json(health.fine() ? 200 : 503, content);
    }

    private static Map<String, Object> content(Health health, String reason) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("status", health.fine() ? "UP" : "DOWN");
        content.put("state", health.state());
        if (!health.fine()) {
            content.put("reason", reason);
        }
        return content;
    }

    private static Response prometheus(PrometheusMeterRegistry metrics, Request request) {
        boolean newer = request.header("Accept").orElse("").contains("application/openmetrics-text");
        String type = newer ? OPEN_METRICS : PROMETHEUS_TEXT;
        return Response.of(200, type, metrics.scrape(type).getBytes(StandardCharsets.UTF_8));
    }
}
