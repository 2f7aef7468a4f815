package dev.strake.service.metrics;

import dev.strake.service.metrics.StreamsFigures.Figures;
import dev.strake.service.pipeline.PipelineObserver;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The metrics of this process, in Prometheus's form: Strake's own, and of those that Kafka's clients and the JVM have what
 * {@link OthersMetrics} lets through.
 */
public final class Metrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry;
    private final MetricsObserver observer;
    private final OthersMetrics others;
    private volatile StreamsFigures ofStreams;
    private KafkaStreamsMetrics binder;

    public Metrics() {
        CurrentTrace trace = new CurrentTrace();
        java.time.Clock clock = java.time.Clock.systemUTC();
        registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, trace);
        others = OthersMetrics.bindTo(registry);
        WorkspacesHeld workspaces = new WorkspacesHeld();
        Staleness staleness = new Staleness();
        FanOuts fanOuts = new FanOuts();
        RestoreProgress restores = new RestoreProgress(clock);
        observer =
                new MetricsObserver(new ChangeMeters(registry, trace), workspaces, staleness, fanOuts, restores, clock);
        registry.getPrometheusRegistry()
                .register(new StateGauges(
                        workspaces, observer.transactions(), staleness, fanOuts, restores, this::figures, clock));
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
     */
    public void watch(KafkaStreams streams, String changes) {
        ofStreams = new StreamsFigures(streams, changes);
        binder = new KafkaStreamsMetrics(streams);
        binder.bindTo(registry);
    }

    private Figures figures() {
        StreamsFigures streams = ofStreams;
        return streams == null ? new Figures(Map.of(), Map.of(), Map.of()) : streams.read();
    }

    @Override
    public void close() {
        if (binder != null) {
            binder.close();
        }
        others.close();
        registry.close();
    }
}
