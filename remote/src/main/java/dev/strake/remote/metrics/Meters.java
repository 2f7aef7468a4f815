package dev.strake.remote.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A registry, spoken to in metrics of {@link RemoteMetric}. */
record Meters(PrometheusMeterRegistry registry) {

    /** One value of a gauge, with its labels in the order of the metric. */
    record Reading(RemoteMetric metric, double value, List<String> labels) {

        Reading(RemoteMetric metric, double value, String... labels) {
            this(metric, value, List.of(labels));
        }
    }

    void count(RemoteMetric metric, String... labels) {
        Tags tags = Tags.empty();
        for (int i = 0; i < labels.length; i++) {
            tags = tags.and(metric.labels().get(i), labels[i]);
        }
        Counter.builder(metric.text())
                .description(metric.help())
                .tags(tags)
                .register(registry)
                .increment();
    }

    /** Counts what is counted elsewhere. Whoever calls has to hold the reference. */
    void counted(RemoteMetric metric, AtomicReference<Supplier<Long>> total) {
        FunctionCounter.builder(
                        metric.text(), total, reference -> reference.get().get())
                .description(metric.help())
                .register(registry);
    }

    /**
     * Shows gauges that are worked out when somebody asks.
     *
     * @param metrics all that are shown, also those of which there is no value
     */
    void gauges(List<RemoteMetric> metrics, Supplier<List<Reading>> readings) {
        registry.getPrometheusRegistry().register(new Gauges(metrics, readings));
    }

    private record Gauges(List<RemoteMetric> metrics, Supplier<List<Reading>> readings) implements MultiCollector {

        @Override
        public MetricSnapshots collect() {
            List<Reading> all = readings.get();
            List<GaugeSnapshot> snapshots = new ArrayList<>();
            for (RemoteMetric metric : metrics) {
                GaugeSnapshot.Builder gauge =
                        GaugeSnapshot.builder().name(metric.text()).help(metric.help());
                all.stream()
                        .filter(reading -> reading.metric() == metric)
                        .map(reading -> GaugeDataPointSnapshot.builder()
                                .labels(Labels.of(metric.labels(), reading.labels()))
                                .value(reading.value())
                                .build())
                        .forEach(gauge::dataPoint);
                snapshots.add(gauge.build());
            }
            return new MetricSnapshots(snapshots.toArray(GaugeSnapshot[]::new));
        }
    }
}
