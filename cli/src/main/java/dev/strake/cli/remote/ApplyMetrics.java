package dev.strake.cli.remote;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.remote.apply.Applied;
import dev.strake.remote.apply.Applier;
import dev.strake.remote.apply.DocumentResult;
import dev.strake.remote.apply.TargetChange;
import dev.strake.server.metrics.Meters;
import dev.strake.server.metrics.Meters.Sample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The metrics of an applier. */
public final class ApplyMetrics implements Applier.Listener, DocumentResult.Listener {

    private static final String APPLIED = "applied";
    private static final String HELD = "held";
    private static final String FAILED = "failed";

    private final String workspace;
    private final Applier.Listener steps;
    private final Meters meters;
    private final Clock clock;
    private final Map<DocumentKey, DocumentResult.Status> documents = new ConcurrentHashMap<>();
    private volatile long revision;

    /** Since when changes are pending that the applier makes by itself; null if there are none. */
    private volatile Instant behind;

    /** Since when something waits for an operator; null if nothing does. */
    private volatile Instant held;

    /** @param steps receives each step, too */
    public ApplyMetrics(String workspace, Applier.Listener steps, PrometheusMeterRegistry registry, Clock clock) {
        this.workspace = workspace;
        this.steps = steps;
        this.meters = new Meters(registry);
        this.clock = clock;
        this.behind = clock.instant();
        // Creates counters early: Prometheus sees no increase if a counter first appears with its first event.
        List.of(APPLIED, HELD, FAILED).forEach(this::steps);
        List.of(TargetChange.Kind.values()).forEach(this::changes);
        meters.gauges(
                List.of(
                        RemoteMetrics.APPLY_REVISION,
                        RemoteMetrics.APPLY_BEHIND,
                        RemoteMetrics.APPLY_HELD,
                        RemoteMetrics.APPLY_DOCUMENTS),
                this::readings);
    }

    private Counter steps(String result) {
        return meters.counter(RemoteMetrics.APPLY_STEPS, result);
    }

    private Counter changes(TargetChange.Kind kind) {
        return meters.counter(RemoteMetrics.APPLY_CHANGES, kind.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public void applied(Applied applied) {
        boolean isHeld = applied.status() == Applied.Status.HELD;
        steps(isHeld ? HELD : APPLIED).increment();
        applied.changes().forEach(change -> changes(change.kind()).increment());
        if (!isHeld) {
            revision = applied.revision();
        }
        behind = since(behind, documents.containsValue(DocumentResult.Status.FAILED));
        held = since(held, isHeld || documents.containsValue(DocumentResult.Status.HELD));
        steps.applied(applied);
    }

    @Override
    public void failed(Exception reason, Duration pause) {
        steps(FAILED).increment();
        behind = since(behind, true);
        steps.failed(reason, pause);
    }

    private Instant since(Instant before, boolean isSo) {
        return !isSo ? null : before == null ? clock.instant() : before;
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
     * Returns a listener that informs this one and another.
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

    /** Counts a completed request to an API server. */
    public void answered(String method, int code) {
        meters.counter(RemoteMetrics.APPLY_REQUESTS, method, code == 0 ? "none" : Integer.toString(code))
                .increment();
    }

    private List<Sample> readings() {
        List<Sample> readings = new ArrayList<>();
        readings.add(new Sample(RemoteMetrics.APPLY_REVISION, revision, workspace));
        readings.add(new Sample(RemoteMetrics.APPLY_BEHIND, seconds(behind), workspace));
        readings.add(new Sample(RemoteMetrics.APPLY_HELD, seconds(held), workspace));
        for (DocumentResult.Status status : DocumentResult.Status.values()) {
            long count =
                    documents.values().stream().filter(each -> each == status).count();
            readings.add(new Sample(RemoteMetrics.APPLY_DOCUMENTS, count, status.text()));
        }
        return readings;
    }

    private double seconds(Instant since) {
        return since == null ? 0 : Duration.between(since, clock.instant()).toMillis() / 1e3;
    }
}
