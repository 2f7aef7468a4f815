package dev.strake.topology.apply;

import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.layout.ChangesLayout;
import dev.strake.topology.layout.ChangesLayout.Applied;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The ids of applied changes, so that no change is applied twice.
 *
 * <p>Expired ids are found by scanning all entries in the order of their keys, again and again. Each change that
 * arrives checks two entries, so a scan ends before the number of entries can double. This needs no index by time,
 * which would have to be written and deleted for every change.
 */
final class AppliedChanges {

    /** After this many changes, twice as many entries are scanned. */
    private static final int CHANGES_BETWEEN = 100;

    /** The number of entries that are scanned between changes; more would delay the next change. */
    private static final int SCANNED_IN_PAUSE = 1_000;

    private static final Bytes FIRST = Bytes.wrap(ChangesLayout.appliedPrefix());
    private static final Bytes LAST = Bytes.wrap(ChangesLayout.appliedEnd());

    private final KeyValueStore<Bytes, byte[]> store;
    private final Intake intake;
    private final String topicId;
    private Bytes scannedTo = FIRST;
    private int changesSinceScan;

    /**
     * @param topicId the id of the topic that changes are read from; positions in an earlier topic of that name differ
     */
    AppliedChanges(KeyValueStore<Bytes, byte[]> store, Intake intake, String topicId) {
        this.store = store;
        this.intake = intake;
        this.topicId = topicId;
    }

    /** Whether a change was applied before and its id is still remembered. */
    boolean wasApplied(ChangeEnvelope envelope) {
        return store.get(key(envelope)) != null;
    }

    void remember(ChangeEnvelope envelope, OutcomeStatus status, long revision, long now) {
        store.put(key(envelope), ChangesLayout.writeApplied(new Applied(status, revision, now)));
        if (++changesSinceScan == CHANGES_BETWEEN) {
            forgetOld(now, 2 * CHANGES_BETWEEN);
        }
    }

    /* An author's id is unique for ever. A position is unique until its topic is deleted and created again. */
    private Bytes key(ChangeEnvelope envelope) {
        String topic = "".equals(envelope.idTopic()) ? topicId : envelope.idTopic();
        String id = topic == null ? envelope.changeId() : envelope.changeId() + "@" + topic;
        return Bytes.wrap(ChangesLayout.appliedKey(envelope.workspace(), id));
    }

    /** Checks the next ids and forgets the expired ones. After the last id, the scan starts again. */
    void forgetOld(long now) {
        forgetOld(now, SCANNED_IN_PAUSE);
    }

    private void forgetOld(long now, int most) {
        long until = now - intake.forgetChangesAfter().toMillis();
        List<Bytes> old = new ArrayList<>();
        changesSinceScan = 0;
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(scannedTo, LAST)) {
            for (; entries.hasNext() && seen < most; seen++) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                scannedTo = entry.key;
                if (ChangesLayout.readApplied(entry.key.get(), entry.value).time() < until) {
                    old.add(entry.key);
                }
            }
        }
        if (seen < most) {
            scannedTo = FIRST;
        }
        old.forEach(key -> store.put(key, null)); // a delete would first read the old value, to return it
    }
}
