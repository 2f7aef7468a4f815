package dev.strake.server.metrics;

import java.util.List;

/**
 * A metric of Strake's own, by the name that Prometheus sees. The one place where it is described: what {@code /metrics} says
 * of it and what {@code docs/metrics.md} says is made of this.
 *
 * @param labels their names, in the order in which values are given
 */
public record Metric(String name, String help, List<String> labels) {

    public static Metric of(String name, String help, String... labels) {
        return new Metric(name, help, List.of(labels));
    }
}
