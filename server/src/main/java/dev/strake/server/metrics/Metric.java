package dev.strake.server.metrics;

import java.util.List;

/**
 * A metric of Strake's own, by the name that Prometheus sees. The one place where it is described: what {@code /metrics} says
 * of it and what {@code docs/metrics.md} says is made of this.
 *
 * @param labels their names, in the order in which values are given
 */
public record Metric(String name, Kind kind, String help, List<String> labels) {

    /** How a metric behaves. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    public static Metric counter(String name, String help, String... labels) {
        return new Metric(name, Kind.COUNTER, help, List.of(labels));
    }

    public static Metric gauge(String name, String help, String... labels) {
        return new Metric(name, Kind.GAUGE, help, List.of(labels));
    }

    public static Metric histogram(String name, String help, String... labels) {
        return new Metric(name, Kind.HISTOGRAM, help, List.of(labels));
    }
}
