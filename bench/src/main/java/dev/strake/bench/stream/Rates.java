package dev.strake.bench.stream;

import dev.strake.bench.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * Latency of changes that come at fixed rates, of Strake and of an identity topology.
 *
 * <p>They have turns of some seconds, and both are there all the while: minutes later the machine may be a fifth slower,
 * and that is more than the ratio that is asked for. At these rates the machine has time to spare, and the one that idles
 * only asks its broker whether there is something new.
 */
final class Rates {

    private static final int TURNS = 10;

    private final Figures figures;
    private final int settle;
    private final int changes;

    /**
     * @param settle seconds of the load before the first change that counts, for either
     * @param changes that count, of either at each rate
     */
    Rates(Figures figures, int settle, int changes) {
        this.figures = figures;
        this.settle = settle;
        this.changes = changes;
    }

    /**
     * Measures at one rate.
     *
     * @param what Strake is given, for the table
     */
    void measure(Load load, int rate, Subject strake, String what, Subject identity) throws InterruptedException {
        List<Latencies> ours = new ArrayList<>();
        List<Latencies> theirs = new ArrayList<>();
        load.atRate(strake, rate, 0, rate * settle);
        load.atRate(identity, rate, 0, rate * settle);
        int each = (changes + TURNS - 1) / TURNS;
        for (int turn = 0; turn < TURNS; turn++) {
            ours.add(load.atRate(strake, rate, Math.min(rate, each), each));
            theirs.add(load.atRate(identity, rate, Math.min(rate, each), each));
        }
        Latencies strakes = Latencies.together(ours);
        Latencies identitys = Latencies.together(theirs);
        strakes.addTo(figures, "%s at %,d/s".formatted(what, rate));
        identitys.addTo(figures, "%s at %,d/s".formatted(identity.name(), rate));
        figures.addRatio("Strake / %s, p50".formatted(identity.name()), strakes.millis(0.5), identitys.millis(0.5));
        figures.addRatio("Strake / %s, p99".formatted(identity.name()), strakes.millis(0.99), identitys.millis(0.99));
    }
}
