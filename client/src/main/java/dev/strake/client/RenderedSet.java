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
 * The rendered documents of one workspace, as digests. An outcome carries the hash of the set after its revision: a set with
 * that hash is complete. If the hash differs, compaction has removed records because a later revision has others; then the
 * hash of a later outcome fits.
 */
final class RenderedSet {

    private final SortedMap<DocumentKey, Digest> held = new TreeMap<>();
    private final SortedMap<DocumentKey, Changed> changed = new TreeMap<>();
    private Digest digest = Digest.ZERO;
    private Digest delivered = Digest.ZERO;
    private long nextRendered; // offsets behind what was delivered
    private long nextOutcome;
    private boolean isBroken;

    /**
     * The last record of a document since the last delivery.
     *
     * @param delivered the digest of the document that was delivered; null if there was none
     */
    private record Changed(RenderedRecord record, Digest delivered) {}

    /** An empty set. */
    RenderedSet() {}

    /** A set that was held before. */
    RenderedSet(Checkpoint before) {
        held.putAll(before.documents());
        held.values().forEach(each -> digest = digest.plus(each));
        delivered = digest;
        moveTo(before.rendered(), before.outcomes());
    }

    /** Whether an outcome tells the hash of a set. That of a dry run tells of a set that was never published. */
    static boolean isTold(Outcome outcome) {
        return outcome.status() != OutcomeStatus.PLANNED
                && outcome.published().contentHash() != null
                && outcome.revision() != null;
    }

    /**
     * Takes in what comes next, and delivers what changed if that completes a set.
     *
     * @return empty, too, if the records since lead back to the set that was delivered: a rollback may be known by its outcome
     *     before the records that it takes back are there
     */
    Optional<RenderedUpdate> take(RevisionPart part) {
        if (part instanceof RevisionPart.Document document) {
            ConsumerRecord<byte[], byte[]> message = document.message();
            RenderedRecord record = RenderedRecord.read(message.key(), message.value(), message.headers());
            add(record, digest(record, message.value()));
        } else if (part instanceof RevisionPart.End end && isTold(end.outcome())) {
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

    /** Whether the set is not that of the last outcome. That of a later one may fit. */
    boolean isBroken() {
        return isBroken;
    }

    /** Delivers what changed. */
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

    /** Says that nothing of this workspace is between what was delivered and these offsets. */
    void moveTo(long rendered, long outcomes) {
        nextRendered = rendered;
        nextOutcome = outcomes;
    }

    boolean isDelivered() {
        return changed.isEmpty();
    }

    /** The place behind what was delivered, and the digests of that. */
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
