package dev.strake.server.metrics;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;

/** What Kafka Streams says of records that are not read yet. */
record Lags(KafkaStreams streams, String changes) {

    private static final String OF_FETCHING = "consumer-fetch-manager-metrics";

    /** Records of each partition that are there and were not fetched, if there are any. */
    Map<Integer, Double> read() {
        Map<Integer, Double> lags = new HashMap<>();
        for (Metric metric : streams.metrics().values()) {
            Map<String, String> tags = metric.metricName().tags();
            if (metric.metricName().name().equals("records-lag")
                    && metric.metricName().group().equals(OF_FETCHING)
                    && changes.equals(tags.get("topic"))
                    && ((Number) metric.metricValue()).doubleValue() > 0) {
                lags.put(Integer.valueOf(tags.get("partition")), ((Number) metric.metricValue()).doubleValue());
            }
        }
        return lags;
    }
}
