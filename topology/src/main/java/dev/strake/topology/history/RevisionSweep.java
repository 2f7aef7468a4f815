package dev.strake.topology.history;

import dev.strake.engine.identity.DocumentId;
import dev.strake.topology.history.TouchedChunks.Chunk;
import dev.strake.topology.history.TouchedChunks.Kind;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.TouchedLayout;
import dev.strake.topology.layout.TouchedLayout.Touched;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionHistory;
import dev.strake.topology.store.Search;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Removes one revision from the stores: the entries that only this revision needs, in small steps within a budget.
 *
 * <pre>
 *   revisions    P ─────── R ─────── N         R is removed; P, N: the kept ones beside it (without P none is older)
 *   a document   ·    e ───────── x            only R reads e, because N reads x: e is removed
 *   another      e ───────────────── x         P reads e, too: stays
 *   a third      ·    e ───────────────────    N reads e, too: stays
 * </pre>
 *
 * <p>A document can lose an entry only if it has another one after R and up to N. The stores list these documents: N
 * touched them, or they are in the gap after R. So pruning a revision costs as much as making one, whatever the size of
 * the workspace. An entry that says "removed" is deleted as well, if no earlier entry of the document needs it.
 */
final class RevisionSweep {

    private static final byte[] DOCUMENT_REMOVED = DocumentsLayout.write(DocumentsLayout.Entry.REMOVED);
    private static final byte[] NO_PARENT = LayerGraphLayout.writeParent(null);
    private static final byte[] RENDERING_REMOVED = RenderedLayout.write(Rendering.REMOVED);

    private static final byte[] NOT_DERIVED = RenderedLayout.writeDerived(RenderedLayout.DerivedRecord.NONE);

    /** What is left of the limits of one step. */
    static final class Budget {

        private final long until;
        private int documents;

        Budget(int documents, long nanos) {
            this.documents = documents;
            this.until = System.nanoTime() + nanos;
        }

        boolean remains() {
            return documents > 0 && System.nanoTime() < until;
        }

        boolean take() {
            boolean remains = remains();
            documents--;
            return remains;
        }
    }

    private final KeyValueStore<Bytes, byte[]> documents;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final KeyValueStore<Bytes, byte[]> graph;
    private final KeyValueStore<Bytes, byte[]> rendered;
    private final String workspace;
    private final long previous;
    private final long revision;
    private final long next;

    private final TouchedChunks chunks;

    private Chunk chunk;
    private int left;

    private RevisionSweep(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            String workspace,
            long previous,
            long revision,
            boolean inParts,
            NumberedRevision next) {
        this.documents = stores.apply(DocumentsLayout.STORE);
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.graph = stores.apply(LayerGraphLayout.STORE);
        this.rendered = stores.apply(RenderedLayout.STORE);
        this.workspace = workspace;
        this.previous = previous;
        this.revision = revision;
        this.next = next.number();
        this.chunks = new TouchedChunks(revisions, workspace, previous, revision, inParts, next);
        this.chunk = chunks.first();
        this.left = chunk.touched().size();
    }

    /**
     * Begins to remove a revision by removing its record. If the record lists the documents that the revision touched,
     * they are added to the gap before, because nothing else lists them, and queries look for them meanwhile.
     */
    static RevisionSweep begin(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            String workspace,
            long previous,
            NumberedRevision revision,
            NumberedRevision next) {
        List<Touched> own = revision.revision().touched();
        RevisionSweep sweep = new RevisionSweep(stores, workspace, previous, revision.number(), own.isEmpty(), next);
        if (previous > 0) {
            own.forEach(sweep::remember);
        }
        delete(sweep.revisions, Bytes.wrap(RevisionsLayout.key(workspace, revision.number())));
        return sweep;
    }

    /** Continues a removal that was begun before a restart: the record of the revision is already removed. */
    static RevisionSweep resume(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            RevisionHistory history,
            String workspace,
            long previous,
            long revision) {
        NumberedRevision next = history.revisionFrom(workspace, revision + 1);
        return new RevisionSweep(stores, workspace, previous, revision, true, next);
    }

    long revision() {
        return revision;
    }

    boolean isDone() {
        return chunk == null;
    }

    /** Continues for as long as the budget allows. */
    void run(Budget budget) {
        while (chunk != null) {
            if (left == 0) {
                chunk.done().forEach(key -> remove(revisions, key));
                chunk = chunks.next();
                left = chunk == null ? 0 : chunk.touched().size();
            } else if (budget.take()) {
                // Backwards, from the last part to the first: a reverse iterator steps on to the entry before its
                // hit. That entry should still exist; otherwise the iterator passes all entries deleted just now.
                Touched touched = chunk.touched().get(--left);
                if (chunk.kind() != Kind.OWN) {
                    sweep(touched);
                }
                if (chunk.remember()) {
                    remember(touched);
                }
            } else {
                return;
            }
        }
    }

    private void remember(Touched touched) {
        Bytes key = Bytes.wrap(TouchedLayout.gapKey(workspace, previous, touched.document()));
        byte[] before = revisions.get(key);
        Touched both = before == null ? touched : touched.and(TouchedLayout.readGap(key.get(), before));
        revisions.put(key, TouchedLayout.writeGap(both));
    }

    private void sweep(Touched touched) {
        DocumentId id = touched.document();
        boolean rendersAnew = touched.rendered() || touched.removed();
        if (touched.edited()) {
            LongFunction<byte[]> key = at -> DocumentsLayout.key(workspace, id, at);
            if (followsOn(touched.before().document())) {
                sweepKnown(
                        documents,
                        key,
                        DOCUMENT_REMOVED,
                        touched,
                        touched.before().document());
            } else {
                sweepFound(documents, key, DOCUMENT_REMOVED);
            }
        }
        if (touched.moved()) {
            sweepFound(graph, at -> LayerGraphLayout.parentKey(workspace, id, at), NO_PARENT);
        }
        if (touched.derived()) {
            sweepFound(rendered, at -> RenderedLayout.derivedKey(workspace, id.key(), at), NOT_DERIVED);
        }
        if (touched.edited() || touched.rendered()) {
            LongFunction<byte[]> key = at -> RenderedLayout.key(workspace, id, at);
            if (!followsOn(touched.before().rendering())) {
                sweepFound(rendered, key, RENDERING_REMOVED);
            } else if (rendersAnew) {
                sweepKnown(
                        rendered,
                        key,
                        RENDERING_REMOVED,
                        touched,
                        touched.before().rendering());
            }
        }
    }

    /*
     * Whether the entry that the next revision replaced is known. The list of touched documents names the revision that
     * wrote it, so most entries are found without a search. A search would pass all deleted entries of a document that
     * is edited often. If the named revision comes after this one, it was pruned before, and only a search helps.
     */
    private boolean followsOn(long before) {
        return chunk.kind() == Kind.NEXT && before > 0 && before <= revision;
    }

    private void sweepKnown(
            KeyValueStore<Bytes, byte[]> store,
            LongFunction<byte[]> key,
            byte[] removed,
            Touched touched,
            long before) {
        if (before > previous) {
            remove(store, Bytes.wrap(key.apply(before)));
        }
        if (touched.removed()) {
            removeEnd(store, key, Bytes.wrap(key.apply(next)), removed);
        }
    }

    private void sweepFound(KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, byte[] removed) {
        Optional<KeyValue<Bytes, byte[]>> later = later(store, key);
        if (later.isPresent()) {
            Search.last(store, key.apply(previous + 1), key.apply(revision))
                    .ifPresent(entry -> remove(store, entry.key));
            if (Arrays.equals(later.get().value, removed)) {
                removeEnd(store, key, later.get().key, removed);
            }
        }
    }

    /* Removes an entry that says "removed" if the previous kept revision does not have the document either. */
    private void removeEnd(KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, Bytes end, byte[] removed) {
        // If no revision is older, do not search: the search would pass all entries deleted just now.
        boolean absent = previous == 0
                || Search.last(store, key.apply(0), key.apply(previous))
                        .filter(entry -> !Arrays.equals(entry.value, removed))
                        .isEmpty();
        if (absent) {
            remove(store, end);
        }
    }

    private Optional<KeyValue<Bytes, byte[]>> later(KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key) {
        if (chunk.kind() == Kind.GAP) {
            return Search.first(store, key.apply(revision + 1), key.apply(next));
        }
        Bytes exactly = Bytes.wrap(key.apply(next));
        return Optional.ofNullable(store.get(exactly)).map(value -> KeyValue.pair(exactly, value));
    }

    private void remove(KeyValueStore<Bytes, byte[]> store, Bytes key) {
        delete(store, key);
    }

    /* The store's own delete reads the old value first, to return it. */
    static void delete(KeyValueStore<Bytes, byte[]> store, Bytes key) {
        store.put(key, null);
    }
}
