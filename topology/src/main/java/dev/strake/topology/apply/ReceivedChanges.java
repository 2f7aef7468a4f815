package dev.strake.topology.apply;

import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.ChangesLayout.Applied;
import dev.strake.serdes.store.RevisionsLayout.Revision;
import dev.strake.serdes.store.RevisionsLayout.Revision.TagChange;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ids of applied changes, so that no change is applied twice.
 *
 * <p>Ids that are too old are found by going round all entries in the order of their keys. Two entries are checked for
 * each change that arrives, so a round ends before the number of entries can double. This needs no index by time, which
 * would have to be written and deleted for every change.
 *
 * <p>A broker may lose entries of this store's changelog, and of no other. The revisions of a workspace know most of these
 * ids, too, and what is missing is put back. A loss shows when stores are restored. So each workspace is looked at once in
 * the life of a task, before the first of its changes that comes; after that it costs nothing.
 */
final class ReceivedChanges {

    /** After this many changes, twice as many entries are checked for their age. */
    private static final int CHANGES_BETWEEN = 100;

    /** Number of entries that are checked in a pause; more would delay the next change. */
    private static final int LOOKED_AT_IN_PAUSE = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(ReceivedChanges.class);

    private static final Bytes FORGOTTEN = Bytes.wrap(ChangesLayout.forgottenKey());
    private static final Bytes FIRST = Bytes.wrap(ChangesLayout.appliedPrefix());
    private static final Bytes LAST = Bytes.wrap(ChangesLayout.appliedEnd());

    private final KeyValueStore<Bytes, byte[]> store;
    private final RevisionReader history;
    private final Intake intake;
    private final String topicId;
    private final Set<String> whole = new HashSet<>();
    private Bytes lookedAt = FIRST;
    private int changesSinceLook;

    /**
     * @param history the revisions of the same task
     * @param topicId of the topic that changes are read from; positions in another topic of that name are other positions
     */
    ReceivedChanges(KeyValueStore<Bytes, byte[]> store, RevisionReader history, Intake intake, String topicId) {
        this.store = store;
        this.history = history;
        this.intake = intake;
        this.topicId = topicId;
    }

    /**
     * Whether a change was applied before and its id is still remembered.
     *
     * @param head its workspace
     */
    boolean wasApplied(ChangeEnvelope envelope, Workspace head, long now) {
        if (head.revision() > 0 && whole.add(envelope.workspace())) {
            putBackLost(envelope, now);
        }
        return store.get(key(envelope)) != null
                || (envelope.idTopic() != null && store.get(keyOfText(envelope)) != null);
    }

    private void putBackLost(ChangeEnvelope envelope, long now) {
        String workspace = envelope.workspace();
        long since = Math.max(oldest(now), forgottenUntil());
        String positions = envelope.input().substring(0, envelope.input().lastIndexOf('-') + 1);
        int[] lost = new int[1];
        try (Stream<NumberedRevision> kept = history.revisions(workspace, 0)) {
            kept.forEach(each -> {
                Revision revision = each.revision();
                String id = revision.change().id();
                String topic = revision.ids().topic();
                // Earlier builds do not tell which topic a position is in. It may be one that is deleted.
                if (revision.time() >= since && (topic != null || !id.startsWith(positions))) {
                    Applied applied = new Applied(revision.status(), each.number(), revision.time());
                    lost[0] += putBack(key(workspace, id, topic), applied) ? 1 : 0;
                }
                for (TagChange tag : revision.ids().ofTags()) {
                    if (tag.time() >= since) {
                        Applied applied = new Applied(OutcomeStatus.UNCHANGED, tag.head(), tag.time());
                        lost[0] += putBack(key(workspace, tag.id(), tag.topic()), applied) ? 1 : 0;
                    }
                }
            });
        }
        if (lost[0] > 0) {
            LOG.warn(
                    "the ids of {} applied changes of workspace {} were lost from store {}, and were put back as its "
                            + "revisions know them: was the end of a changelog lost, by an unclean election or with a disk?",
                    lost[0],
                    workspace,
                    ChangesLayout.STORE);
        }
    }

    /* The entry of an earlier change with this id comes back if what was lost is that it was forgotten. */
    private boolean putBack(Bytes key, Applied applied) {
        byte[] stored = store.get(key);
        boolean isLost =
                stored == null || ChangesLayout.readApplied(key.get(), stored).time() < applied.time();
        if (isLost) {
            store.put(key, ChangesLayout.writeApplied(applied));
        }
        return isLost;
    }

    void remember(ChangeEnvelope envelope, OutcomeStatus status, long revision, long now) {
        store.put(key(envelope), ChangesLayout.writeApplied(new Applied(status, revision, now)));
        if (++changesSinceLook == CHANGES_BETWEEN) {
            forgetOld(now, 2 * CHANGES_BETWEEN);
        }
    }

    /* The id of an author is one for ever. A position is one as long as its topic is not deleted and created anew. */
    private Bytes key(ChangeEnvelope envelope) {
        return key(envelope.workspace(), envelope.changeId(), topicOf(envelope));
    }

    private static Bytes key(String workspace, String id, String topic) {
        return Bytes.wrap(ChangesLayout.appliedKey(workspace, topic == null ? id : id + "@" + topic));
    }

    /** The id of the topic that the id of a change is a position in; null if its author gave the change its id. */
    String topicOf(ChangeEnvelope envelope) {
        return "".equals(envelope.idTopic()) ? topicId : envelope.idTopic();
    }

    /* By this, earlier builds remembered positions, too. */
    private static Bytes keyOfText(ChangeEnvelope envelope) {
        return key(envelope.workspace(), envelope.changeId(), null);
    }

    /** Checks the next few ids and forgets those of changes applied long ago. After the last id it starts again. */
    void forgetOld(long now) {
        forgetOld(now, LOOKED_AT_IN_PAUSE);
    }

    private void forgetOld(long now, int most) {
        long until = oldest(now);
        List<Bytes> old = new ArrayList<>();
        changesSinceLook = 0;
        int seen = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = store.range(lookedAt, LAST)) {
            for (; entries.hasNext() && seen < most; seen++) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                lookedAt = entry.key;
                if (ChangesLayout.readApplied(entry.key.get(), entry.value).time() < until) {
                    old.add(entry.key);
                }
            }
        }
        if (seen < most) {
            lookedAt = FIRST;
        }
        old.forEach(key -> store.put(key, null)); // a delete would read the old value first, to return it
        if (!old.isEmpty()) { // what was forgotten is not lost, even if later ids are remembered for longer
            store.put(FORGOTTEN, ChangesLayout.writeForgotten(Math.max(until, forgottenUntil())));
        }
    }

    private long forgottenUntil() {
        byte[] stored = store.get(FORGOTTEN);
        return stored == null ? 0 : ChangesLayout.readForgotten(FORGOTTEN.get(), stored);
    }

    private long oldest(long now) {
        return now - intake.forgetChangesAfter().toMillis();
    }
}
