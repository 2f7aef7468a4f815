package dev.strake.topology.apply;

import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.store.Heads;
import dev.strake.topology.store.Rewrap;
import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * The work of a task between changes: it forgets old ids, rejects changes whose parts are overdue, prunes history and
 * re-encrypts. All but the first run in short steps, scheduled only if there is work, because each punctuation makes
 * Streams commit.
 */
final class Upkeep {

    private static final Duration TIDY_EVERY = Duration.ofSeconds(5);

    /*
     * A step takes about a tenth of this, so it does not delay changes noticeably. Removing a large revision takes
     * longer, as making it did.
     */
    private static final Duration STEP_EVERY = Duration.ofMillis(10);

    /**
     * The number of deleted entries after which a step rejects no further overdue change. If the answer requires
     * opening a workspace, the documents of the workspace count too.
     */
    private static final int MOST_DELETED = 100;

    private final ProcessorContext<byte[], byte[]> context;
    private final AppliedChanges applied;
    private final IncompleteChanges incomplete;
    private final Heads heads;
    private final Pruning pruning;
    private final Rewrap rewrap;
    private final KeysOfChange keys;
    private final Late late;
    private final Cancellable tidying;
    private Cancellable steps;
    private boolean moreToGiveUp;

    /** Rejects a change whose parts did not arrive in time. */
    @FunctionalInterface
    interface Late {
        void reject(ChangeEnvelope change, Workspace head, long now);
    }

    /** Starts immediately and works until {@link #close}. */
    Upkeep(
            ProcessorContext<byte[], byte[]> context,
            AppliedChanges applied,
            IncompleteChanges incomplete,
            Heads heads,
            Pruning pruning,
            Rewrap rewrap,
            KeysOfChange keys,
            Late late) {
        this.context = context;
        this.applied = applied;
        this.incomplete = incomplete;
        this.heads = heads;
        this.pruning = pruning;
        this.rewrap = rewrap;
        this.keys = keys;
        this.late = late;
        this.tidying = context.schedule(TIDY_EVERY, PunctuationType.WALL_CLOCK_TIME, this::tidy);
    }

    private void tidy(long now) {
        keys.next();
        applied.forgetOld(now);
        pruning.scan();
        rewrap.look();
        rewrap.step(); // retries entries that wait for parts
        expire(now);
        stepSoon();
    }

    private void expire(long now) {
        int entries = 0;
        while (entries < MOST_DELETED && incomplete.isLate(now)) {
            IncompleteChanges.Expired givenUp = incomplete.expireNext();
            String workspace = givenUp.last().workspace();
            boolean opens = !heads.holds(workspace);
            Workspace head = heads.get(workspace);
            late.reject(givenUp.last(), head, now);
            entries += givenUp.entries() + (opens ? head.graph().size() : 0);
        }
        moreToGiveUp = incomplete.isLate(now);
    }

    /** Schedules steps if there is work. Called when a change has left something to prune. */
    void stepSoon() {
        if (steps == null && (moreToGiveUp || !pruning.isIdle() || !rewrap.isIdle())) {
            steps = context.schedule(STEP_EVERY, PunctuationType.WALL_CLOCK_TIME, this::step);
        }
    }

    private void step(long now) {
        keys.next();
        expire(now);
        pruning.step(now);
        rewrap.step();
        if (!moreToGiveUp && pruning.isIdle() && rewrap.isIdle()) {
            stopSteps();
        }
    }

    private void stopSteps() {
        steps.cancel();
        steps = null;
    }

    /** Cancels all punctuations. Streams may revive a closed task; old punctuations would run beside the new ones. */
    void close() {
        tidying.cancel();
        if (steps != null) {
            stopSteps();
        }
    }
}
