package dev.strake.client;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedRecord;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The rendered documents of one workspace, as digests. An outcome carries the hash of the set at its revision. The set
 * is complete if its hash is the same. If the hashes differ, compaction has removed records that a later revision
 * replaced; then the hash of a later outcome matches.
 */
final class RenderedSet {

    private final SortedMap<DocumentKey, Digest> held = new TreeMap<>();
    private final SortedMap<DocumentKey, Changed> changed = new TreeMap<>();
    private Digest digest = Digest.ZERO;
    private Digest delivered = Digest.ZERO;
    private long nextRendered; // offsets after the last delivery
    private long nextOutcome;
    private boolean isBroken;

    /**
     * The last record of a document since the last delivery.
     *
     * @param delivered the digest of the document at the last delivery; null if there was no such document
     */
    private record Changed(RenderedRecord record, Digest delivered) {}

    /** Creates an empty set. */
    RenderedSet() {}

    /** Restores the set of a checkpoint. */
    RenderedSet(Checkpoint before) {
        held.putAll(before.documents());
        held.values().forEach(each -> digest = digest.plus(each));
        delivered = digest;
        moveTo(before.rendered(), before.outcomes());
    }

    /** Whether an outcome carries the hash of a published set. The set of a dry run is never published. */
    static boolean hasPublishedSet(Outcome outcome) {
        return outcome.status() != OutcomeStatus.PLANNED
                && outcome.published().contentHash() != null
                && outcome.revision() != null;
    }

    /**
     * Applies a part of a revision, and delivers the changes if the set is complete then.
     *
     * @return also empty if the records restore the delivered set: the outcome of a rollback may be known before the
     *     records that it reverts
     */
    Optional<RenderedUpdate> take(RevisionPart part) {
        if (part instanceof RevisionPart.Document document) {
            ConsumerRecord<byte[], byte[]> message = document.message();
            RenderedRecord record = RenderedRecord.read(message.key(), message.value(), message.headers());
            add(record, digest(record, message.value()));
        } else if (part instanceof RevisionPart.End end && hasPublishedSet(end.outcome())) {
            isBroken = !isOf(end.outcome());
            if (!isBroken) {
                moveTo(end.rendered(), end.message().offset() + 1);
                if (!digest.equals(delivered)) {
                    return Optional.of(deliver(RenderedUpdate.Kind.REVISION, Optional.of(end.outcome())));
                }
                changed.clear();
            }
        }
        return Optional.empty();
    }

    /** The digest of a record; null for a tombstone. */
    static Digest digest(RenderedRecord record, byte[] value) {
        return value == null ? null : Digest.of(record.key().document(), value);
    }

    void add(RenderedRecord record, Digest now) {
        DocumentKey key = record.key().document();
        Digest before = now == null ? held.remove(key) : held.put(key, now);
        digest = before == null ? digest : digest.minus(before);
        digest = now == null ? digest : digest.plus(now);
        Changed earlier = changed.get(key);
        changed.put(key, new Changed(record, earlier == null ? before : earlier.delivered()));
    }

    boolean isOf(Outcome outcome) {
        return digest.toString().equals(outcome.published().contentHash());
    }

    /** Whether the set does not match the last outcome. A later outcome may match. */
    boolean isBroken() {
        return isBroken;
    }

    /** Delivers all changes since the last delivery. */
    RenderedUpdate deliver(RenderedUpdate.Kind kind, Optional<Outcome> outcome) {
        SortedMap<DocumentKey, RenderedRecord> put = new TreeMap<>();
        TreeSet<DocumentKey> removed = new TreeSet<>();
        changed.forEach((key, change) -> {
            if (change.record().document().isPresent()) {
                put.put(key, change.record());
            } else if (kind == RenderedUpdate.Kind.REVISION) {
                removed.add(key);
            }
        });
        changed.clear();
        delivered = digest;
        return new RenderedUpdate(kind, put, removed, digest.toString(), outcome);
    }

    /** Moves the position: between the last delivery and these offsets there is no record of this workspace. */
    void moveTo(long rendered, long outcomes) {
        nextRendered = rendered;
        nextOutcome = outcomes;
    }

    boolean isDelivered() {
        return changed.isEmpty();
    }

    /** The position after the last delivery, with the digests of that time. */
    Checkpoint checkpoint(String workspace) {
        SortedMap<DocumentKey, Digest> documents = new TreeMap<>(held);
        changed.forEach((key, change) -> {
            if (change.delivered() == null) {
                documents.remove(key);
            } else {
                documents.put(key, change.delivered());
            }
        });
        return new Checkpoint(workspace, nextRendered, nextOutcome, documents);
    }
}
