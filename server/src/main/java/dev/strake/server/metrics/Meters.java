package dev.strake.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A registry for metrics of Strake's own. */
public record Meters(PrometheusMeterRegistry registry) {

    /** A value of a gauge; the labels have the order of the metric. */
    public record Sample(Metric metric, double value, List<String> labels) {

        public Sample(Metric metric, double value, String... labels) {
            this(metric, value, List.of(labels));
        }
    }

    /** Registers a counter with the initial value 0. */
    public Counter counter(Metric metric, String... labels) {
        return Counter.builder(metric.name())
                .description(metric.help())
                .tags(tags(metric, labels))
                .register(registry);
    }

    Timer timer(Metric metric, Duration[] buckets, String... labels) {
        return Timer.builder(metric.name())
                .description(metric.help())
                .tags(tags(metric, labels))
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    DistributionSummary summary(Metric metric, double[] buckets, String... labels) {
        return DistributionSummary.builder(metric.name())
                .description(metric.help())
                .tags(tags(metric, labels))
                .serviceLevelObjectives(buckets)
                .register(registry);
    }

    private static List<Tag> tags(Metric metric, String... labels) {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < labels.length; i++) {
            tags.add(Tag.of(metric.labels().get(i), labels[i]));
        }
        return tags;
    }

    /**
     * Registers gauges that are computed on request, all in one call, so that their values are consistent.
     *
     * @param metrics all gauges, including those without a value
     */
    public void gauges(List<Metric> metrics, Supplier<List<Sample>> samples) {
        registry.getPrometheusRegistry().register((MultiCollector) () -> snapshots(metrics, samples.get()));
    }

    private static MetricSnapshots snapshots(List<Metric> metrics, List<Sample> samples) {
        List<MetricSnapshot> snapshots = new ArrayList<>();
        for (Metric metric : metrics) {
            GaugeSnapshot.Builder gauge =
                    GaugeSnapshot.builder().name(metric.name()).help(metric.help());
            samples.stream()
                    .filter(sample -> sample.metric().equals(metric))
                    .map(sample -> GaugeDataPointSnapshot.builder()
                            .labels(Labels.of(metric.labels(), sample.labels()))
                            .value(sample.value())
                            .build())
                    .forEach(gauge::dataPoint);
            snapshots.add(gauge.build());
        }
        return new MetricSnapshots(snapshots);
    }
}
