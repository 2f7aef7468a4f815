package dev.strake.server.metrics;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.observe.ProcessedChange;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Counts and times changes once they are committed, so that each of them counts once, however often it was begun. */
final class ChangeMeters {

    private static final Duration[] LATENCIES =
            durations(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000);
    /* Much of the work takes less than a millisecond. */
    private static final Duration[] STAGES =
            durations(0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000);
    private static final double[] DOCUMENTS = {1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000};

    private final CurrentTrace trace;
    private final Map<OutcomeStatus, Timer> latencies = new EnumMap<>(OutcomeStatus.class);
    private final Map<OutcomeStatus, Counter> changes = new EnumMap<>(OutcomeStatus.class);
    private final Timer queue;
    private final Timer decode;
    private final Timer revision;
    private final Timer render;
    private final Timer commit;
    private final DistributionSummary affected;
    private final DistributionSummary evaluated;
    private final DistributionSummary cutOff;
    private final DistributionSummary emitted;
    private final DistributionSummary removed;
    private final DistributionSummary derivations;
    private final Counter deadLetters;
    private final Counter pruned;

    /**
     * Registers all of them, so that each is there, at 0, before the first change.
     *
     * @param trace what the registry takes exemplars from
     */
    ChangeMeters(MeterRegistry registry, CurrentTrace trace) {
        this.trace = trace;
        for (OutcomeStatus status : OutcomeStatus.values()) {
            latencies.put(status, timer(registry, OwnMetric.RENDER_LATENCY, status.text(), LATENCIES));
            changes.put(status, counter(registry, OwnMetric.CHANGES, status.text()));
        }
        queue = timer(registry, OwnMetric.STAGE, "queue", STAGES);
        decode = timer(registry, OwnMetric.STAGE, "decode", STAGES);
        revision = timer(registry, OwnMetric.STAGE, "commit-revision", STAGES);
        render = timer(registry, OwnMetric.STAGE, "render", STAGES);
        commit = timer(registry, OwnMetric.STAGE, "commit", STAGES);
        affected = documents(registry, "affected");
        evaluated = documents(registry, "evaluated");
        cutOff = documents(registry, "cut-off");
        emitted = documents(registry, "emitted");
        removed = documents(registry, "removed");
        derivations = documents(registry, "derivations");
        deadLetters = counter(registry, OwnMetric.DEAD_LETTERS);
        pruned = counter(registry, OwnMetric.PRUNED);
    }

    private static Duration[] durations(double... millis) {
        return DoubleStream.of(millis)
                .mapToObj(each -> Duration.ofNanos((long) (each * 1e6)))
                .toArray(Duration[]::new);
    }

    private static Timer timer(MeterRegistry registry, OwnMetric metric, String label, Duration[] buckets) {
        return Timer.builder(metric.text())
                .description(metric.help())
                .tags(tags(metric, label))
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    private static Counter counter(MeterRegistry registry, OwnMetric metric, String... labels) {
        return Counter.builder(metric.text())
                .description(metric.help())
                .tags(tags(metric, labels))
                .register(registry);
    }

    private static DistributionSummary documents(MeterRegistry registry, String result) {
        return DistributionSummary.builder(OwnMetric.CHANGE_DOCUMENTS.text())
                .description(OwnMetric.CHANGE_DOCUMENTS.help())
                .tags(tags(OwnMetric.CHANGE_DOCUMENTS, result))
                .serviceLevelObjectives(DOCUMENTS)
                .register(registry);
    }

    private static String[] tags(OwnMetric metric, String... values) {
        return values.length == 0
                ? new String[0]
                : Stream.of(metric.labels().get(0), values[0]).toArray(String[]::new);
    }

    /**
     * A transaction was committed.
     *
     * @param millis when, since 1970
     * @param nanos when, as {@link System#nanoTime} has it
     */
    void committed(OpenTransaction.Content content, long millis, long nanos) {
        for (ProcessedChange change : content.changes()) {
            record(change, millis, nanos);
        }
        if (content.deadLetters() > 0) {
            deadLetters.increment(content.deadLetters());
        }
        if (content.pruned() > 0) {
            pruned.increment(content.pruned());
        }
    }

    private void record(ProcessedChange change, long millis, long nanos) {
        Outcome outcome = change.outcome();
        changes.get(outcome.status()).increment();
        if (change.recordTime() > 0) {
            trace.enter(outcome.change().carried().traceparent());
            // The clock of whoever published may be ahead of ours.
            latencies.get(outcome.status()).record(Math.max(0, millis - change.recordTime()), MILLISECONDS);
            trace.leave();
            queue.record(Math.max(0, change.takenUp() - change.recordTime()), MILLISECONDS);
            decode.record(change.decodeNanos(), NANOSECONDS);
            commit.record(nanos - change.processed(), NANOSECONDS);
        }
        if (change.revisionNanos() > 0) {
            revision.record(change.revisionNanos(), NANOSECONDS);
        }
        if (change.renderNanos() > 0) {
            render.record(change.renderNanos(), NANOSECONDS);
        }
        if (change.madeRevision()) {
            affected.record(outcome.work().affected());
            evaluated.record(outcome.work().evaluated());
            cutOff.record(outcome.work().affected() - outcome.work().evaluated());
            emitted.record(outcome.work().emitted());
            removed.record(outcome.work().removed());
            derivations.record(change.derivations());
        }
    }
}
