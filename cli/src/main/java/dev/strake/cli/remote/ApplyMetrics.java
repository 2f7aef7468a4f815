package dev.strake.cli.remote;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.Applier;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.server.metrics.Meters;
import dev.strake.server.metrics.Meters.Sample;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what an applier does. */
public final class ApplyMetrics implements Applier.Listener, DocumentResult.Listener {

    private final String workspace;
    private final Applier.Listener steps;
    private final Meters meters;
    private final Clock clock;
    private final Map<DocumentKey, DocumentResult.Status> documents = new ConcurrentHashMap<>();
    private volatile long revision;

    /** When the target ceased to have all of the workspace; null if it has all. */
    private volatile Instant behind;

    /**
     * @param steps hears of each step, too
     */
    public ApplyMetrics(String workspace, Applier.Listener steps, PrometheusMeterRegistry registry, Clock clock) {
        this.workspace = workspace;
        this.steps = steps;
        this.meters = new Meters(registry);
        this.clock = clock;
        this.behind = clock.instant();
        meters.gauges(
                List.of(RemoteMetrics.APPLY_REVISION, RemoteMetrics.APPLY_BEHIND, RemoteMetrics.APPLY_DOCUMENTS),
                this::readings);
    }

    @Override
    public void applied(Applied applied) {
        boolean isHeld = applied.status() == Applied.Status.HELD;
        meters.counter(RemoteMetrics.APPLY_STEPS, isHeld ? "held" : "applied").increment();
        applied.changes()
                .forEach(change -> meters.counter(
                                RemoteMetrics.APPLY_CHANGES,
                                change.kind().name().toLowerCase(Locale.ROOT))
                        .increment());
        if (!isHeld) {
            revision = applied.revision();
        }
        setBehind(isHeld
                || documents.containsValue(DocumentResult.Status.FAILED)
                || documents.containsValue(DocumentResult.Status.HELD));
        steps.applied(applied);
    }

    @Override
    public void failed(Exception reason, Duration pause) {
        meters.counter(RemoteMetrics.APPLY_STEPS, "failed").increment();
        setBehind(true);
        steps.failed(reason, pause);
    }

    private void setBehind(boolean isBehind) {
        if (!isBehind) {
            behind = null;
        } else if (behind == null) {
            behind = clock.instant();
        }
    }

    @Override
    public void became(DocumentResult result) {
        documents.put(result.document(), result.status());
    }

    @Override
    public void gone(DocumentKey document) {
        documents.remove(document);
    }

    /**
     * Both hear what becomes of documents.
     *
     * @param other null if there is none
     */
    public DocumentResult.Listener and(DocumentResult.Listener other) {
        if (other == null) {
            return this;
        }
        return new DocumentResult.Listener() {
            @Override
            public void became(DocumentResult result) {
                ApplyMetrics.this.became(result);
                other.became(result);
            }

            @Override
            public void gone(DocumentKey document) {
                ApplyMetrics.this.gone(document);
                other.gone(document);
            }
        };
    }

    /** A request to an API server is over. */
    public void answered(String method, int code) {
        meters.counter(RemoteMetrics.APPLY_REQUESTS, method, code == 0 ? "none" : Integer.toString(code))
                .increment();
    }

    private List<Sample> readings() {
        List<Sample> readings = new ArrayList<>();
        readings.add(new Sample(RemoteMetrics.APPLY_REVISION, revision, workspace));
        Instant since = behind;
        double seconds =
                since == null ? 0 : Duration.between(since, clock.instant()).toMillis() / 1e3;
        readings.add(new Sample(RemoteMetrics.APPLY_BEHIND, seconds, workspace));
        for (DocumentResult.Status status : DocumentResult.Status.values()) {
            long count =
                    documents.values().stream().filter(each -> each == status).count();
            readings.add(new Sample(RemoteMetrics.APPLY_DOCUMENTS, count, status.text()));
        }
        return readings;
    }
}
