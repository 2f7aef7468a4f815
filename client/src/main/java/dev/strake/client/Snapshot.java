package dev.strake.client;

import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.engine.identity.Digest;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Gathers the set of a workspace from both topics, which are read from their beginnings. Of what was published so far only
 * the present counts, so the last outcome decides; records of later revisions are left.
 */
final class Snapshot {

    private final RenderedSet set = new RenderedSet();
    private final Deque<Received> records = new ArrayDeque<>();
    private Optional<Outcome> outcome = Optional.empty();
    private long offsetOfOutcome;
    private long tried = -1; // offset of the outcome that the set did not fit
    private boolean isIncomplete;

    private record Received(RenderedRecord record, Digest digest, long offset) {}

    /**
     * Takes in a record.
     *
     * @param value its bytes; null for a tombstone
     */
    void add(RenderedRecord record, byte[] value, long offset) {
        records.add(new Received(record, RenderedSet.digest(record, value), offset));
    }

    void add(Outcome next, long offset) {
        if (RenderedSet.isTold(next)) {
            outcome = Optional.of(next);
            offsetOfOutcome = offset;
        }
    }

    /**
     * The whole set, once both topics were read to where they ended. Empty if the last outcome came after the ends were asked
     * for, so that some of its records may be behind them; or if records of a later revision took the place of some. Then the
     * topics have to be read to their present ends.
     */
    Optional<RenderedUpdate> whole(Kind kind) {
        apply(outcome.map(Outcome::revision).orElse(Long.MAX_VALUE));
        if (outcome.isEmpty() || set.isOf(outcome.get())) {
            return Optional.of(set.deliver(kind, outcome));
        }
        isIncomplete = records.isEmpty() && offsetOfOutcome == tried;
        tried = offsetOfOutcome;
        return Optional.empty();
    }

    /** Whether all was read that could complete the set. */
    boolean isIncomplete() {
        return isIncomplete;
    }

    private void apply(long revision) {
        while (!records.isEmpty() && records.element().record().headers().revision() <= revision) {
            Received next = records.remove();
            set.add(next.record(), next.digest());
        }
    }

    /** Offset of the first record of a later revision. */
    OptionalLong firstLeft() {
        return records.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(records.element().offset());
    }

    RenderedSet set() {
        return set;
    }
}
