package dev.strake.bench.stream;

import dev.strake.bench.DocumentSets;
import dev.strake.bench.Figures;
import dev.strake.bench.stream.IdentityTopology.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A parent of many children that changes, and all of them with it in one revision; and as many records of the same size
 * through identity topologies.
 *
 * <p>A round takes a third of a second, and the machine may be a third slower some minutes later. So Strake and identity
 * with a store, whose ratio is the target, have their rounds by turns, and both are there all the while. That slows either
 * of them a little, by what the other left its broker and its stores to do. So identity with a store is measured once
 * more when Strake is closed, as all others are.
 */
final class FanOut {

    /** So many that what a broker does from time to time, as compacting a topic, falls into all subjects' rounds. */
    private static final int ROUNDS = 25;

    private final Figures figures;
    private final long settleNanos;
    private final int size;
    private final Workspaces family;
    private List<ConsumerRecord<byte[], byte[]>> records;
    private double perSecond;

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
    void load(Load load, String bootstrapServers) throws InterruptedException {
        figures.add(
                "first load of %,d children of one parent".formatted(size), family.load(bootstrapServers) / 1e9, "s");
        Replay replay = new Replay(bootstrapServers);
        strake(load, family.oneDocument());
        records = replay.records(size);
    }

    private double strake(Load load, Subject subject) throws InterruptedException {
        return size / (load.until(subject, family.parent(), size) / 1e9);
    }

    /** Strake and identity with a store, both running, by turns. */
    void byTurns(Load load) throws InterruptedException {
        Subject subject = family.oneDocument();
        Subject identity = Workspaces.identity(Kind.STORE, records);
        double[] medians = settledMedians(
                () -> strake(load, subject), () -> load.atOnce(identity, size).perSecond());
        perSecond = medians[0];
        String what = "%,d children in one revision, median of %d".formatted(size, ROUNDS);
        figures.add(what, size / perSecond, "s");
        figures.add("… records out", perSecond, "records/s");
        add(identity.name() + ", by turns", medians[1]);
    }

    /** A topology that runs without Strake beside it. */
    void compare(Load load, Kind kind) throws InterruptedException {
        Subject identity = Workspaces.identity(kind, records);
        Round round = kind == Kind.FAMILY
                ? allAtOnce(load, identity)
                : () -> load.atOnce(identity, size).perSecond();
        add(identity.name(), settledMedians(round)[0]);
    }

    private void add(String name, double identityPerSecond) {
        figures.add("%s, the same %,d records".formatted(name, size), identityPerSecond, "records/s");
        figures.addRatio("Strake, fan-out / " + name, perSecond, identityPerSecond);
    }

    /* It gets to know the records first. Then one record makes it publish them, as one change makes Strake. */
    private Round allAtOnce(Load load, Subject identity) {
        int partition = records.get(0).partition();
        load.send(Workspaces.order(partition, IdentityTopology.BEGIN));
        IntFunction<ProducerRecord<byte[], byte[]>> members = identity.records(size);
        for (int i = 0; i < size; i++) {
            load.send(members.apply(i));
        }
        return () -> size / (load.until(identity, Workspaces.order(partition, IdentityTopology.PUBLISH), size) / 1e9);
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
