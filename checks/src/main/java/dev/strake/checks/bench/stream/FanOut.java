package dev.strake.checks.bench.stream;

import dev.strake.checks.bench.DocumentSets;
import dev.strake.checks.bench.Figures;
import dev.strake.checks.bench.stream.IdentityTopology.Kind;
import java.util.Arrays;
import java.util.List;

/**
 * A parent of many children that changes, and all of them with it in one revision; and as many records of the same size
 * through an identity topology with a store.
 *
 * <p>A round takes a third of a second, and the machine may be a third slower some minutes later. So the two have their
 * rounds by turns, and both are there all the while.
 */
final class FanOut {

    /** So many that what a broker does from time to time, as compacting a topic, falls into all subjects' rounds. */
    private static final int ROUNDS = 25;

    private final Figures figures;
    private final long settleNanos;
    private final int size;
    private final Workspaces family;

    /** One round: how many records a second arrived, from the sending of the first to the arrival of the last. */
    private interface Round {
        double perSecond() throws InterruptedException;
    }

    /**
     * A family of which nothing is published yet.
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

    /** Strake and identity with a store, both running, by turns. */
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

    /* Of each kind of round, when all have gone for a while. */
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
