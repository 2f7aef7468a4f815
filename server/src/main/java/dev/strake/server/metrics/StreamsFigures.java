package dev.strake.server.metrics;

import dev.strake.topology.RenderTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/** What Kafka Streams measures itself and Strake shows in a form of its own: sizes of stores, and what is not read yet. */
final class StreamsFigures {

    private static final String OF_STATE = "stream-state-metrics";
    private static final String OF_FETCHING = "consumer-fetch-manager-metrics";

    private final KafkaStreams streams;
    private final String changes;

    /**
     * @param changes the topic that is read
     */
    StreamsFigures(KafkaStreams streams, String changes) {
        this.streams = streams;
        this.changes = changes;
    }

    /**
     * Figures of one moment.
     *
     * @param bytes of each store in all partitions
     * @param entries the same
     */
    record Figures(Map<String, Double> bytes, Map<String, Double> entries) {

        static final Figures NONE = new Figures(Map.of(), Map.of());
    }

    /** Those of the stores. */
    Figures read() {
        Figures figures = new Figures(new TreeMap<>(), new TreeMap<>());
        RenderTopology.STORES.forEach(store -> {
            figures.bytes().put(store, 0.0);
            figures.entries().put(store, 0.0);
        });
        for (Metric metric : streams.metrics().values()) {
            switch (metric.metricName().name()) {
                case "total-sst-files-size", "cur-size-all-mem-tables" -> add(figures.bytes(), metric);
                case "estimate-num-keys" -> add(figures.entries(), metric);
                default -> {} // of some thousand those are all
            }
        }
        return figures;
    }

    /** Records of each partition that are there and were not fetched, if there are any. No store is asked. */
    Map<Integer, Double> lags() {
        Map<Integer, Double> lags = new HashMap<>();
        for (Metric metric : streams.metrics().values()) {
            if (metric.metricName().name().equals("records-lag")) {
                lag(lags, metric);
            }
        }
        return lags;
    }

    /** All that Kafka Streams and its clients measure, for whoever binds it. */
    Map<MetricName, ? extends Metric> all() {
        return streams.metrics();
    }

    private static void add(Map<String, Double> sums, Metric metric) {
        if (metric.metricName().group().equals(OF_STATE)) {
            sums.merge(metric.metricName().tags().get("rocksdb-state-id"), value(metric), Double::sum);
        }
    }

    private void lag(Map<Integer, Double> lags, Metric metric) {
        Map<String, String> tags = metric.metricName().tags();
        if (metric.metricName().group().equals(OF_FETCHING) && changes.equals(tags.get("topic")) && value(metric) > 0) {
            lags.put(Integer.valueOf(tags.get("partition")), value(metric));
        }
    }

    private static double value(Metric metric) {
        double value = ((Number) metric.metricValue()).doubleValue();
        return Double.isNaN(value) ? 0 : value;
    }
}
