package dev.strake.server.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/** A registry in Prometheus's form, with what {@link OthersMetrics} lets through of the JVM. Others add theirs. */
public final class ProcessMetrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OthersMetrics others = OthersMetrics.bindTo(registry);

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        others.close();
        registry.close();
    }
}
