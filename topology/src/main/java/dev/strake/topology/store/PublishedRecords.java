package dev.strake.topology.store;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.render.DerivedContents;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Preview;
import dev.strake.engine.workspace.Workspace;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.RenderedLayout.DerivedRecord;
import dev.strake.topology.store.StoredRevision.ReadDerived;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The records that consumers see where records of a head are held back. They are not stored, so each one is derived
 * again on request, as of the revision that published it. The graph of that revision is the head's graph with all later
 * edits reverted. Not thread-safe.
 */
public final class PublishedRecords implements Preview.Held {

    private final StateReader state;
    private final String workspace;
    private final Workspace head;
    private final ChangeEffort effort;
    private final Map<Long, Then> revisions = new HashMap<>();
    private Map<DocumentKey, Set<DocumentId>> touched;

    /**
     * @param head has at least one revision if anything is held back
     */
    public PublishedRecords(StateReader state, String workspace, Workspace head) {
        this.state = state;
        this.workspace = workspace;
        this.head = head;
        this.effort = new ChangeEffort(head.limits() == null ? 0 : head.limits().changeEffort());
    }

    @Override
    public Optional<MapValue> record(DocumentKey key, Output held) {
        try {
            Optional<MapValue> found = asOf(head.holdings().revision(), key, held);
            return found.isPresent() ? found : asOf(publishedInPart(key, held), key, held);
        } catch (RevisionGoneException
                | DerivedContents.UnderivableException
                | ChangeEffort.ExceededException unknown) {
            return Optional.empty(); // the record is unknown
        }
    }

    /*
     * The last revision in which a document of the key had the record, or 0. Later revisions may be published in part.
     */
    private long publishedInPart(DocumentKey key, Output held) {
        long last = state.lastDerivedAs(workspace, key, held.record());
        for (DocumentId id : touched().getOrDefault(key, Set.of())) {
            last = Math.max(last, state.lastRenderedAs(workspace, id, held.record()));
        }
        return last;
    }

    /* Documents touched since the last revision published as a whole, including removed ones. */
    private Map<DocumentKey, Set<DocumentId>> touched() {
        if (touched == null) {
            touched = new HashMap<>();
            state.history()
                    .forEachTouched(
                            workspace,
                            head.holdings().revision(),
                            head.revision(),
                            each -> touched.computeIfAbsent(each.document().key(), key -> new HashSet<>())
                                    .add(each.document()));
        }
        return touched;
    }

    /* Reads the record as of a revision, or of the first kept one after it. Empty if the record differs there. */
    private Optional<MapValue> asOf(long wanted, DocumentKey key, Output held) {
        NumberedRevision kept = wanted == 0 ? null : state.history().revisionFrom(workspace, wanted);
        if (kept == null) {
            return Optional.empty();
        }
        Then then = revisions.get(kept.number());
        if (then == null) {
            then = new Then(kept.number());
            revisions.put(kept.number(), then);
        }
        return then.record(key, held.record());
    }

    /** A revision that published records. */
    private final class Then {

        private final long number;
        private final DerivedRevision contents;
        private final DerivedRevision.FromOwners fromOwners;

        Then(long number) {
            this.number = number;
            Map<DocumentId, Facts> edits = new TreeMap<>();
            state.history().forEachTouched(workspace, number, head.revision(), touched -> {
                DocumentId id = touched.document();
                if (touched.edited() && !edits.containsKey(id)) {
                    effort.spend(ChangeEffort.FOR_LOOKUP);
                    edits.put(id, facts(id));
                }
            });
            if (!state.history().isWhole(workspace, number)) {
                throw new RevisionGoneException(number);
            }
            edits.entrySet()
                    .removeIf(each -> each.getValue() == null && head.graph().facts(each.getKey()) == null);
            this.contents = new DerivedRevision(
                    GraphUpdate.of(head.graph(), edits, effort).graph(), state, workspace, number);
            this.fromOwners = contents.new FromOwners();
        }

        /* Returns null if the document did not exist. */
        private Facts facts(DocumentId id) {
            DocumentsLayout.Entry entry = state.documentAsOf(workspace, id, number);
            return entry.isRemoved() ? null : Facts.of(entry.document(), entry.bucket());
        }

        Optional<MapValue> record(DocumentKey key, Fingerprint wanted) {
            Facts document = contents.graph().rendered(key);
            if (document == null) {
                DerivedRecord derived = state.derivedAsOf(workspace, key, number);
                return derived.isThere() && derived.record().equals(wanted)
                        ? Optional.of(fromOwners.unlocked(new ReadDerived(key, derived)))
                        : Optional.empty();
            }
            DocumentId id = document.id();
            return wanted.equals(state.renderingAsOf(workspace, id, number).record())
                    ? Optional.of(contents.document(id).rendered(contents.data(id)))
                    : Optional.empty();
        }
    }
}
