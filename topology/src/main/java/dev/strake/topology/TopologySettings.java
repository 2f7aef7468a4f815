package dev.strake.topology;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.serdes.text.Limits;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How the topology works.
 *
 * @param prefix of all topic names, with its dot
 * @param partitions of every topic; decides which partition a workspace belongs to
 * @param holdDocuments what a problem holds back: the documents in trouble, or (false) the whole revision
 * @param limits of what comes in
 * @param renderLimits of what comes out
 * @param incompleteAfter how long a change may wait for its parts
 * @param forgetChangesAfter how long the id of a change is remembered
 * @param cacheBytes parsed documents kept on the heap by all tasks together, measured as JSON (a tree takes four to
 *     five times as much); never more than a sixteenth of the heap
 * @param idleAfter how long a workspace that nobody changes stays on the heap
 * @param retention which revisions are kept
 */
public record TopologySettings(
        String prefix,
        int partitions,
        boolean holdDocuments,
        Limits limits,
        RenderLimits renderLimits,
        Duration incompleteAfter,
        Duration forgetChangesAfter,
        long cacheBytes,
        Duration idleAfter,
        Retention retention) {

    /**
     * Which revisions of a workspace are kept beside the last one and the tagged ones.
     *
     * @param revisions how many of the newest; 0 for any number
     * @param age how long after a newer one took its place; zero for ever
     */
    public record Retention(long revisions, Duration age) {

        public static final Retention EVERYTHING = new Retention(0, Duration.ZERO);

        /**
         * @throws IllegalArgumentException if one of the two is negative
         */
        public Retention {
            if (revisions < 0 || age.isNegative()) {
                throw new IllegalArgumentException("neither revisions nor age can be negative");
            }
        }
    }

    /** The settings of the contract for topics with this many partitions. */
    public static TopologySettings of(int partitions) {
        return new TopologySettings(
                "strake.",
                partitions,
                false,
                Limits.DEFAULT,
                RenderLimits.DEFAULT,
                Duration.ofMinutes(10),
                Duration.ofDays(7),
                64L << 20,
                Duration.ofMinutes(30),
                new Retention(1_000, Duration.ZERO));
    }

    public TopologySettings holdingDocuments(boolean hold) {
        return with(draft -> draft.holdDocuments = hold);
    }

    public TopologySettings withLimits(Limits limits) {
        return with(draft -> draft.limits = limits);
    }

    public TopologySettings retaining(Retention retention) {
        return with(draft -> draft.retention = retention);
    }

    public TopologySettings caching(long bytes) {
        return with(draft -> draft.cacheBytes = bytes);
    }

    private TopologySettings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new TopologySettings(
                prefix,
                partitions,
                draft.holdDocuments,
                draft.limits,
                renderLimits,
                incompleteAfter,
                forgetChangesAfter,
                draft.cacheBytes,
                idleAfter,
                draft.retention);
    }

    /** What may be said otherwise of settings that are there. */
    private static final class Draft {

        private boolean holdDocuments;
        private Limits limits;
        private long cacheBytes;
        private Retention retention;

        Draft(TopologySettings settings) {
            holdDocuments = settings.holdDocuments;
            limits = settings.limits;
            cacheBytes = settings.cacheBytes;
            retention = settings.retention;
        }
    }
}
