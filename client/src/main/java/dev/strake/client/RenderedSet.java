package dev.strake.client;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.render.Digest;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Puts records and outcomes of one workspace together to whole revisions. Both come in the order of their topics, but
 * those of one topic may be ahead of those of the other.
 *
 * <pre>
 *  records    1a 1b 2a │ 3a 3b        a record carries the revision that published it
 *  outcomes   1  2     │ 3            an outcome carries the hash of the set after its revision
 *                      └ delivered: the set has the hash of outcome 2
 * </pre>
 *
 * <p>The hash decides: if the set, with the records up to a revision, has the hash of that revision's outcome, then it is
 * whole. If not, records are still to come, or compaction has removed them because a later revision has others; then a
 * later outcome fits.
 */
final class RenderedSet {

    private final SortedMap<DocumentKey, Digest> held = new TreeMap<>();
    private final Deque<Received> records = new ArrayDeque<>();
    private final Deque<Heard> outcomes = new ArrayDeque<>();
    private final SortedMap<DocumentKey, Changed> changed = new TreeMap<>();
    private long firstChange; // offset of the first record since the last delivery, if there is one
    private Digest digest = Digest.ZERO;
    private Digest delivered = Digest.ZERO;

    /**
     * A record and the digest of its bytes.
     *
     * @param digest null for a tombstone
     */
    private record Received(RenderedRecord record, Digest digest, long offset) {}

    private record Heard(Outcome outcome, long offset) {}

    /**
     * The last record of a document since the last delivery.
     *
     * @param delivered the digest of the document that was delivered; null if there was none
     */
    private record Changed(RenderedRecord record, Digest delivered) {}

    /** An empty set. */
    RenderedSet() {}

    /** A set that was held before. */
    RenderedSet(SortedMap<DocumentKey, Digest> before) {
        held.putAll(before);
        before.values().forEach(each -> digest = digest.plus(each));
        delivered = digest;
    }

    /**
     * Takes in the next record.
     *
     * @param value its bytes; null for a tombstone
     */
    void add(RenderedRecord record, byte[] value, long offset) {
        Digest digestOfValue = value == null ? null : Digest.of(record.key().document(), value);
        records.add(new Received(record, digestOfValue, offset));
    }

    /** Takes in the next outcome. That of a dry run tells of a set that was never published, and is passed over. */
    void add(Outcome outcome, long offset) {
        boolean isOfPublished = outcome.status() != OutcomeStatus.PLANNED;
        if (isOfPublished && outcome.published().contentHash() != null && outcome.revision() != null) {
            outcomes.add(new Heard(outcome, offset));
        }
    }

    /**
     * The next whole revision; empty if more has to come. Revisions that changed nothing are passed over. So are those that lead
     * back to the set that was delivered: a rollback may be known by its outcome before the records that it takes back are there.
     */
    Optional<RenderedUpdate> next(RenderedUpdate.Kind kind) {
        while (!outcomes.isEmpty()) {
            Outcome outcome = outcomes.element().outcome();
            apply(outcome.revision());
            if (!digest.toString().equals(outcome.published().contentHash())) {
                return Optional.empty();
            }
            outcomes.remove();
            if (kind != RenderedUpdate.Kind.REVISION || !digest.equals(delivered)) {
                return Optional.of(update(kind, Optional.of(outcome)));
            }
            changed.clear();
        }
        return Optional.empty();
    }

    /**
     * Passes over the first outcome: all records of its revision were read, and the set does not have its hash.
     *
     * @return whether there is an outcome left that may fit yet
     */
    boolean passOver() {
        outcomes.poll();
        return !outcomes.isEmpty();
    }

    /** Passes over all outcomes but the last one: of what was published so far, only the present counts. */
    void passOverAllButLast() {
        while (outcomes.size() > 1) {
            outcomes.remove();
        }
    }

    /** Offset of the first record that is not part of what was delivered. */
    OptionalLong firstRecordLeft() {
        if (!changed.isEmpty()) {
            return OptionalLong.of(firstChange);
        }
        return records.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(records.element().offset());
    }

    /** Offset of the first outcome whose set was not delivered yet. */
    OptionalLong firstOutcomeLeft() {
        return outcomes.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(outcomes.element().offset());
    }

    /** Whether there are records of revisions whose outcomes did not come yet. */
    boolean hasLaterRecords() {
        return !records.isEmpty();
    }

    /** Whether an outcome waits for records. */
    boolean isWaiting() {
        return !outcomes.isEmpty();
    }

    /** The set as it is, where no outcome tells what it has to be. */
    RenderedUpdate unchecked(RenderedUpdate.Kind kind) {
        apply(Long.MAX_VALUE);
        return update(kind, Optional.empty());
    }

    /** The digests of the documents that were delivered; valid until the next record is taken in. */
    SortedMap<DocumentKey, Digest> held() {
        if (changed.isEmpty()) {
            return Collections.unmodifiableSortedMap(held);
        }
        SortedMap<DocumentKey, Digest> result = new TreeMap<>(held);
        changed.forEach((key, change) -> {
            if (change.delivered() == null) {
                result.remove(key);
            } else {
                result.put(key, change.delivered());
            }
        });
        return result;
    }

    private void apply(long revision) {
        while (!records.isEmpty() && records.element().record().headers().revision() <= revision) {
            Received next = records.remove();
            DocumentKey key = next.record().key().document();
            Digest before = next.digest() == null ? held.remove(key) : held.put(key, next.digest());
            digest = before == null ? digest : digest.minus(before);
            digest = next.digest() == null ? digest : digest.plus(next.digest());
            if (changed.isEmpty()) {
                firstChange = next.offset();
            }
            Changed earlier = changed.get(key);
            changed.put(key, new Changed(next.record(), earlier == null ? before : earlier.delivered()));
        }
    }

    private RenderedUpdate update(RenderedUpdate.Kind kind, Optional<Outcome> outcome) {
        SortedMap<DocumentKey, RenderedRecord> put = new TreeMap<>();
        TreeSet<DocumentKey> removed = new TreeSet<>();
        changed.forEach((key, change) -> {
            RenderedRecord record = change.record();
            if (record.document().isPresent()) {
                put.put(key, record);
            } else if (kind == RenderedUpdate.Kind.REVISION) {
                removed.add(key);
            }
        });
        changed.clear();
        delivered = digest;
        return new RenderedUpdate(kind, put, removed, digest.toString(), outcome);
    }
}
