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
 * Collects the current set of a workspace from both topics, read from their beginnings. Contains the revision of the
 * last outcome; records of later revisions are not applied.
 */
final class Snapshot {

    private final RenderedSet set = new RenderedSet();
    private final Deque<Received> records = new ArrayDeque<>();
    private Optional<Outcome> outcome = Optional.empty();
    private long offsetOfOutcome;
    private long tried = -1; // offset of the last outcome that did not match
    private boolean isIncomplete;

    private record Received(RenderedRecord record, Digest digest, long offset) {}

    /**
     * Adds a record.
     *
     * @param value the bytes of the record; null for a tombstone
     */
    void add(RenderedRecord record, byte[] value, long offset) {
        records.add(new Received(record, RenderedSet.digest(record, value), offset));
    }

    void add(Outcome next, long offset) {
        if (RenderedSet.hasPublishedSet(next)) {
            outcome = Optional.of(next);
            offsetOfOutcome = offset;
        }
    }

    /**
     * Returns the whole set, once both topics were read to their ends. Empty if the set does not match the last
     * outcome: some of its records may be beyond these ends, or records of a later revision may have replaced some.
     * Then the caller has to read to the current ends of the topics.
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

    /** Whether the set does not match, and no further record can complete it. */
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
