package dev.strake.server.metrics;

import java.util.List;

/**
 * A metric of Strake's own, under the name that Prometheus sees. The help text in {@code /metrics} and in
 * {@code docs/metrics.md} is generated from it.
 *
 * @param labels the names of the labels, in the order of their values
 */
public record Metric(String name, String help, List<String> labels) {

    public static Metric of(String name, String help, String... labels) {
        return new Metric(name, help, List.of(labels));
    }
}
