package dev.strake.server.metrics;

import dev.strake.server.metrics.Meters.Sample;
import dev.strake.server.pipeline.PipelineObserver;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The metrics of this process in Prometheus format: Strake's own, and those metrics of the Kafka clients and the JVM
 * that {@link ProcessMetrics} exposes.
 */
public final class Metrics implements AutoCloseable {

    /** Meters of threads and tasks appear and disappear; the binder's default of a minute is too long after a start. */
    private static final Duration REFRESHED_EVERY = Duration.ofSeconds(10);

    private final ProcessMetrics process = new ProcessMetrics();
    private final PrometheusMeterRegistry registry = process.registry();
    private final Meters meters = new Meters(registry);
    private final Clock clock = Clock.systemUTC();
    private final WorkspacesHeld workspaces = new WorkspacesHeld(clock);
    private final Staleness staleness = new Staleness();
    private final RestoreProgress restores = new RestoreProgress(clock);
    private final SlowChanges slow;
    private final Latencies latencies = new Latencies();
    private final MetricsObserver observer;
    private volatile Supplier<Map<Integer, Double>> lags = Map::of;
    private final ScheduledExecutorService refreshing = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "metrics");
        thread.setDaemon(true);
        return thread;
    });
    private KafkaStreamsMetrics binder;

    /** @param slowChange changes that take longer are slow */
    public Metrics(Duration slowChange) {
        slow = new SlowChanges(slowChange);
        observer =
                new MetricsObserver(new ChangeMeters(meters, slow, latencies), workspaces, staleness, restores, clock);
        meters.gauges(WorkspacesHeld.METRICS, workspaces::samples);
        meters.gauges(Staleness.METRICS, () -> staleness().samples());
        meters.gauges(List.of(OwnMetrics.RESTORE), () -> List.of(new Sample(OwnMetrics.RESTORE, restores.seconds())));
    }

    private Staleness.Ages staleness() {
        return staleness.find(workspaces, observer.transactions(), lags.get(), clock.millis());
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    public SlowChanges slow() {
        return slow;
    }

    public Latencies latencies() {
        return latencies;
    }

    public PipelineObserver observer() {
        return observer;
    }

    /**
     * Also shows what a pipeline measures itself, until this is closed.
     *
     * @param changes the input topic
     * @param data the directory of the stores, whose disk is monitored
     */
    public void watch(KafkaStreams streams, String changes, Path data) {
        new DiskSpaceMetrics(data.toFile()).bindTo(registry);
        lags = () -> lags(streams, changes);
        binder = new KafkaStreamsMetrics(streams, List.of(), refreshing, REFRESHED_EVERY);
        binder.bindTo(registry);
        BrokerSilence silence = new BrokerSilence();
        var unused = refreshing.scheduleWithFixedDelay(
                () -> silence.check(streams, clock.millis()),
                REFRESHED_EVERY.toSeconds(),
                REFRESHED_EVERY.toSeconds(),
                TimeUnit.SECONDS);
    }

    /* The number of records in each partition that were not fetched yet; omits partitions without such records. */
    private static Map<Integer, Double> lags(KafkaStreams streams, String changes) {
        Map<Integer, Double> lags = new HashMap<>();
        streams.metrics().forEach((name, metric) -> {
            if (name.name().equals("records-lag")
                    && name.group().equals("consumer-fetch-manager-metrics")
                    && changes.equals(name.tags().get("topic"))
                    && ((Number) metric.metricValue()).doubleValue() > 0) {
                lags.put(Integer.valueOf(name.tags().get("partition")), ((Number) metric.metricValue()).doubleValue());
            }
        });
        return lags;
    }

    /** Shows for each group of files whether an outdated version is in use. */
    public void watchFiles(Map<String, BooleanSupplier> outdated) {
        meters.gauges(
                List.of(OwnMetrics.FILES_OUTDATED),
                () -> outdated.entrySet().stream()
                        .map(each -> new Sample(
                                OwnMetrics.FILES_OUTDATED, each.getValue().getAsBoolean() ? 1 : 0, each.getKey()))
                        .toList());
    }

    /** Shows when a certificate expires; empty without one. */
    public void watchCertificate(Supplier<Optional<Instant>> expiry) {
        meters.gauges(
                List.of(OwnMetrics.CERTIFICATE_EXPIRY),
                () -> List.of(new Sample(
                        OwnMetrics.CERTIFICATE_EXPIRY,
                        expiry.get().map(at -> (double) at.getEpochSecond()).orElse(Double.NaN))));
    }

    /**
     * The details in the readiness response.
     *
     * @param recordsToRestore the number of changelog records left to restore
     * @param problems the number of open problems
     * @param stalenessSeconds the age of the oldest change that consumers do not have
     */
    public record Details(long recordsToRestore, long problems, double stalenessSeconds) {}

    public Details details() {
        AtomicLong problems = new AtomicLong();
        workspaces.forEach(status -> problems.addAndGet(status.problems().size()));
        Staleness.Ages stale = staleness();
        return new Details(restores.recordsLeft(), problems.get(), Math.max(stale.behind(), stale.held()) / 1e3);
    }

    @Override
    public void close() {
        refreshing.shutdownNow();
        if (binder != null) {
            binder.close();
        }
        process.close();
    }
}
