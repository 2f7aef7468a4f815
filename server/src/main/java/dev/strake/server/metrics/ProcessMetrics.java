package dev.strake.server.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.Properties;

/** A registry in Prometheus's form, with what {@link OthersMetrics} lets through of the JVM. Others add theirs. */
public final class ProcessMetrics implements AutoCloseable {

    private final PrometheusMeterRegistry registry;
    private final OthersMetrics others;

    public ProcessMetrics() {
        this(null);
    }

    /**
     * @param trace of which histograms keep exemplars; null for none
     */
    ProcessMetrics(SpanContext trace) {
        registry = new PrometheusMeterRegistry(new ExemplarsOnBuckets(), new PrometheusRegistry(), Clock.SYSTEM, trace);
        others = OthersMetrics.bindTo(registry);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        others.close();
        registry.close();
    }

    /** Micrometer puts exemplars on sums and counts too, for which Prometheus before 2.43 refuses the whole scrape. */
    private static final class ExemplarsOnBuckets implements PrometheusConfig {

        @Override
        public String get(String key) {
            return null;
        }

        @Override
        public Properties prometheusProperties() {
            Properties properties = new Properties();
            properties.setProperty("io.prometheus.exporter.exemplarsOnAllMetricTypes", "false");
            return properties;
        }
    }
}
