package dev.strake.server.metrics;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.observe.ProcessedChange;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/** Counts and times changes at their commit, so that each counts once, even if its processing was repeated. */
final class ChangeMeters {

    private static final Duration[] LATENCIES =
            durations(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000);
    /* Many changes take less than a millisecond. */
    private static final Duration[] STAGES =
            durations(0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 60_000);
    private static final List<String> STAGES_OF_WORK = List.of("decode", "commit-revision", "render");
    private static final double[] DOCUMENTS = {1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000};

    private final Map<OutcomeStatus, Timer> latencies = new EnumMap<>(OutcomeStatus.class);
    private final Map<OutcomeStatus, Counter> changes = new EnumMap<>(OutcomeStatus.class);
    private final Map<String, Timer> stages = new HashMap<>();
    private final Map<String, DistributionSummary> documents = new HashMap<>();
    private final Map<String, Counter> slow = new HashMap<>();
    private final SlowChanges slowChanges;
    private final Latencies past;
    private final Counter deadLetters;

    /** Registers all meters, so that each exists, with the value 0, before the first change. */
    ChangeMeters(Meters meters, SlowChanges slowChanges, Latencies past) {
        this.slowChanges = slowChanges;
        this.past = past;
        for (OutcomeStatus status : OutcomeStatus.values()) {
            latencies.put(status, meters.timer(OwnMetrics.RENDER_LATENCY, LATENCIES, status.text()));
            changes.put(status, meters.counter(OwnMetrics.CHANGES, status.text()));
        }
        for (String stage : List.of("queue", "decode", "commit-revision", "render", "commit")) {
            stages.put(stage, meters.timer(OwnMetrics.STAGE, STAGES, stage));
        }
        for (String result : List.of("affected", "evaluated", "cut-off", "emitted", "removed", "derivations")) {
            documents.put(result, meters.summary(OwnMetrics.CHANGE_DOCUMENTS, DOCUMENTS, result));
        }
        for (String stage : STAGES_OF_WORK) {
            slow.put(stage, meters.counter(OwnMetrics.SLOW_CHANGES, stage));
        }
        deadLetters = meters.counter(OwnMetrics.DEAD_LETTERS);
    }

    private static Duration[] durations(double... millis) {
        return DoubleStream.of(millis)
                .mapToObj(each -> Duration.ofNanos((long) (each * 1e6)))
                .toArray(Duration[]::new);
    }

    /**
     * Records the content of a committed transaction.
     *
     * @param millis the time of the commit, since 1970
     * @param nanos the time of the commit, by {@link System#nanoTime}
     */
    void committed(OpenTransaction.Committed content, long millis, long nanos) {
        for (ProcessedChange change : content.changes()) {
            record(change, millis, nanos);
        }
        if (content.deadLetters() > 0) {
            deadLetters.increment(content.deadLetters());
        }
    }

    private void record(ProcessedChange change, long millis, long nanos) {
        Outcome outcome = change.outcome();
        changes.get(outcome.status()).increment();
        past.committed(outcome, millis);
        if (change.times().record() > 0) {
            // The publisher's clock may be ahead.
            latencies
                    .get(outcome.status())
                    .record(Math.max(0, millis - change.times().record()), MILLISECONDS);
        }
        Map<String, Long> stages = stages(change, nanos);
        stages.forEach((stage, time) -> this.stages.get(stage).record(time, NANOSECONDS));
        if (slowChanges.committed(change, stages)) {
            String longest =
                    Collections.max(STAGES_OF_WORK, Comparator.comparing(each -> stages.getOrDefault(each, 0L)));
            slow.get(longest).increment();
        }
        if (change.madeRevision()) {
            documents.get("affected").record(outcome.work().affected());
            documents.get("evaluated").record(outcome.work().evaluated());
            documents.get("cut-off").record(change.work().cutOff());
            documents.get("emitted").record(outcome.work().emitted());
            documents.get("removed").record(outcome.work().removed());
            documents.get("derivations").record(change.work().derivations());
        }
    }

    /* The stages that the change reached, in order. */
    private static Map<String, Long> stages(ProcessedChange change, long nanos) {
        ProcessedChange.Times times = change.times();
        boolean timed = times.record() > 0;
        Map<String, Long> stages = new LinkedHashMap<>();
        if (timed) {
            stages.put("queue", MILLISECONDS.toNanos(Math.max(0, times.begun() - times.record())));
            stages.put("decode", times.decodeNanos());
        }
        if (times.revisionNanos() > 0) {
            stages.put("commit-revision", times.revisionNanos());
        }
        if (times.renderNanos() > 0) {
            stages.put("render", times.renderNanos());
        }
        if (timed) {
            stages.put("commit", nanos - times.done());
        }
        return stages;
    }
}
