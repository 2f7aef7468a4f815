package dev.strake.checks.bench.stream;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.Figures;
import dev.strake.checks.bench.stream.IdentityTopology.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * Changes the parent of many children, which changes all of them in one revision. For comparison, sends the same number
 * of records of the same size through an identity topology with a store.
 *
 * <p>A round takes a third of a second, but the speed of a machine may drop by a third within minutes. So both run all
 * the time, and their rounds alternate.
 */
final class FanOut {

    /** Enough rounds that periodic work of the broker, for example compaction, affects all subjects alike. */
    private static final int ROUNDS = 25;

    private final Figures figures;
    private final long settleNanos;
    private final int size;
    private final Workspaces family;

    /** One round: the records per second from the first send to the last arrival. */
    private interface Round {
        double perSecond() throws InterruptedException;
    }

    /**
     * Creates an unpublished family.
     *
     * @param settle seconds of rounds before the first that counts
     */
    FanOut(Figures figures, int settle, int size) {
        this.figures = figures;
        this.settleNanos = settle * 1_000_000_000L;
        this.size = size;
        this.family = new Workspaces("fan-" + size, 1, DocumentSets.family(11, size));
    }

    /** Publishes the family to Strake. */
    void load(String bootstrapServers) {
        figures.add(
                "first load of %,d children of one parent".formatted(size), family.load(bootstrapServers) / 1e9, "s");
    }

    private double strake(Load load, Subject subject) throws InterruptedException {
        return size / (load.until(subject, List.of(family.parent()), size) / 1e9);
    }

    /** Measures Strake and identity with a store in turns, while both are running. */
    void byTurns(Load load, int partitions) throws InterruptedException {
        Subject subject = family.oneDocument();
        Subject identity = family.identity(Kind.STORE, partitions);
        double[] medians = settledMedians(
                () -> strake(load, subject), () -> load.atOnce(identity, size).perSecond());
        String what = "%,d children in one revision, median of %d".formatted(size, ROUNDS);
        figures.add(what, size / medians[0], "s");
        figures.add("… records out", medians[0], "records/s");
        figures.add("%s, by turns, the same %,d records".formatted(identity.name(), size), medians[1], "records/s");
        figures.addRatio("Strake, fan-out / %s, by turns".formatted(identity.name()), medians[0], medians[1]);
    }

    /* Returns the median of each kind of round, after a warm-up of all. */
    private double[] settledMedians(Round... kinds) throws InterruptedException {
        long settled = System.nanoTime() + kinds.length * settleNanos;
        do {
            for (Round kind : kinds) {
                kind.perSecond();
            }
        } while (System.nanoTime() < settled);
        double[][] rounds = new double[kinds.length][ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            for (int kind = 0; kind < kinds.length; kind++) {
                rounds[kind][i] = kinds[kind].perSecond();
            }
        }
        return Arrays.stream(rounds)
                .mapToDouble(figures -> Arrays.stream(figures)
                        .sorted()
                        .skip(ROUNDS / 2)
                        .findFirst()
                        .orElseThrow())
                .toArray();
    }
}
