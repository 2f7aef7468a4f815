package dev.strake.checks.bench.stream;

import dev.strake.checks.bench.Figures;
import java.util.Arrays;
import java.util.List;

/** Times from the intended sending of records to their arrival, in nanoseconds. */
final class Latencies {

    private final long[] sorted;
    private final double cpuMicros;

    /** @param cpuMicros of the topology's threads for each record; higher than at full load, because caches are cold */
    Latencies(long[] nanos, double cpuMicros) {
        this.sorted = nanos.clone();
        this.cpuMicros = cpuMicros;
        Arrays.sort(sorted);
    }

    /** Merges the latencies of several loads. */
    static Latencies together(List<Latencies> parts) {
        return new Latencies(
                parts.stream().flatMapToLong(part -> Arrays.stream(part.sorted)).toArray(),
                parts.stream().mapToDouble(part -> part.cpuMicros).average().orElseThrow());
    }

    /** Returns a quantile in milliseconds; the share is between 0 and 1. */
    double millis(double share) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(sorted.length * share))] / 1e6;
    }

    void addTo(Figures figures, String what) {
        figures.add(what + ", p50", millis(0.5), "ms");
        figures.add(what + ", p90", millis(0.9), "ms");
        figures.add(what + ", p99", millis(0.99), "ms");
        figures.add(what + ", max", millis(1), "ms");
        figures.add("… CPU of the stream threads for each", cpuMicros, "µs");
    }
}
