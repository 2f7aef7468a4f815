package dev.strake.server.metrics;

import dev.strake.server.health.Details;
import dev.strake.server.metrics.StreamsFigures.Figures;
import dev.strake.server.pipeline.PipelineObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The metrics of this process, in Prometheus's form: Strake's own, and of those that Kafka's clients and the JVM have what
 * {@link OthersMetrics} lets through.
 */
public final class Metrics implements AutoCloseable {

    /** Threads and tasks come and go, and their meters with them; the binder's own minute is long for a first look. */
    private static final Duration REFRESHED_EVERY = Duration.ofSeconds(10);

    private final ProcessMetrics process;
    private final PrometheusMeterRegistry registry;
    private final java.time.Clock clock = java.time.Clock.systemUTC();
    private final WorkspacesHeld workspaces = new WorkspacesHeld();
    private final Staleness staleness = new Staleness();
    private final RestoreProgress restores;
    private final MetricsObserver observer;
    private volatile StreamsFigures ofStreams;
    private final ScheduledExecutorService refreshing = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "metrics");
        thread.setDaemon(true);
        return thread;
    });
    private KafkaClientMetrics binder;

    public Metrics() {
        CurrentTrace trace = new CurrentTrace();
        process = new ProcessMetrics(trace);
        registry = process.registry();
        FanOuts fanOuts = new FanOuts();
        restores = new RestoreProgress(clock);
        observer =
                new MetricsObserver(new ChangeMeters(registry, trace), workspaces, staleness, fanOuts, restores, clock);
        registry.getPrometheusRegistry()
                .register(new StateGauges(
                        workspaces,
                        observer.transactions(),
                        staleness,
                        fanOuts,
                        restores,
                        this::figures,
                        this::lags,
                        clock));
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** What a pipeline has to tell, so that it can be shown. */
    public PipelineObserver observer() {
        return observer;
    }

    /**
     * Shows what a pipeline measures itself, too, until this is closed.
     *
     * @param changes the topic that it reads
     * @param data the directory that holds its stores, by which the disk is found that they fill
     */
    public void watch(KafkaStreams streams, String changes, Path data) {
        new DiskSpaceMetrics(data.toFile()).bindTo(registry);
        StreamsFigures figures = new StreamsFigures(streams, changes);
        ofStreams = figures;
        binder = new KafkaClientMetrics(clientOf(figures), List.of(), refreshing, REFRESHED_EVERY);
        binder.bindTo(registry);
    }

    /** Shows of each of these files whether what is in force is older than what is there. */
    public void watchFiles(Map<String, BooleanSupplier> outdated) {
        outdated.forEach((files, isOutdated) -> Gauge.builder(
                        OwnMetric.FILES_OUTDATED.text(), () -> isOutdated.getAsBoolean() ? 1 : 0)
                .description(OwnMetric.FILES_OUTDATED.help())
                .tags(OwnMetric.FILES_OUTDATED.labels().get(0), files)
                .register(registry));
    }

    /** Shows when a certificate expires; empty where there is none. */
    public void watchCertificate(Supplier<Optional<Instant>> expiry) {
        Gauge.builder(
                        OwnMetric.CERTIFICATE_EXPIRY.text(),
                        () -> expiry.get()
                                .map(at -> (double) at.getEpochSecond())
                                .orElse(Double.NaN))
                .description(OwnMetric.CERTIFICATE_EXPIRY.help())
                .register(registry);
    }

    /** The few figures that go with the answer to whether this instance is ready. */
    public Details details() {
        AtomicLong problems = new AtomicLong();
        workspaces.forEach(status -> problems.addAndGet(status.problems().size()));
        Staleness.Found stale = staleness.find(workspaces, observer.transactions(), lags(), clock.millis());
        return new Details(restores.words(), problems.get(), Math.max(stale.behind(), stale.held()) / 1e3);
    }

    private Figures figures() {
        StreamsFigures streams = ofStreams;
        return streams == null ? Figures.NONE : streams.read();
    }

    private Map<Integer, Double> lags() {
        StreamsFigures streams = ofStreams;
        return streams == null ? Map.of() : streams.lags();
    }

    /* The binder for Kafka Streams reads every metric whenever tasks come or go. Of a client it wants metrics() alone. */
    private static Consumer<?, ?> clientOf(StreamsFigures figures) {
        return (Consumer<?, ?>) Proxy.newProxyInstance(
                Metrics.class.getClassLoader(), new Class<?>[] {Consumer.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("metrics")) {
                        return figures.all();
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
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
