package dev.strake.topology.history;

import dev.strake.engine.identity.DocumentId;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.LayerGraphLayout;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.layout.RenderedLayout.Rendering;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.TouchedLayout;
import dev.strake.topology.layout.TouchedLayout.Touched;
import dev.strake.topology.layout.ValidationsLayout;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.Search;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Removes one revision from the stores: the entries that only this revision needs.
 *
 * <pre>
 *   revisions    P ─────── R ─────── N         R is removed; P, N: the kept ones beside it (without P none is older)
 *   a document   ·    e ───────── x            only R reads e, because N reads x: e is removed
 *   another      e ───────────────── x         P reads e, too: stays
 *   a third      ·    e ───────────────────    N reads e, too: stays
 * </pre>
 *
 * <p>A document can lose an entry only if it has another one after R and up to N. The stores list these documents: N
 * touched them, or they are in the gap after R. So pruning a revision costs less than making one, in a workspace of any
 * size. An entry that says "removed" is deleted as well, if no earlier entry of the document needs it.
 *
 * <p>Documents are processed backwards, because a reverse iterator reads ahead to the entry before its hit. That entry
 * should still exist, or the iterator scans all tombstones of the entries deleted just before.
 */
final class RevisionSweep {

    private static final byte[] DOCUMENT_REMOVED = DocumentsLayout.write(DocumentsLayout.Entry.REMOVED);
    private static final byte[] NO_PARENT = LayerGraphLayout.writeParent(null);
    private static final byte[] RENDERING_REMOVED = RenderedLayout.write(Rendering.REMOVED);
    private static final byte[] NOT_DERIVED = RenderedLayout.writeDerived(RenderedLayout.DerivedRecord.NONE);

    private final KeyValueStore<Bytes, byte[]> documents;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final KeyValueStore<Bytes, byte[]> graph;
    private final KeyValueStore<Bytes, byte[]> rendered;
    private final String workspace;
    private final long previous;
    private final NumberedRevision removed;
    private final NumberedRevision next;
    private int swept;

    /**
     * @param previous the last kept revision before the removed one; 0 for none
     * @param next the first kept revision after it
     */
    RevisionSweep(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            String workspace,
            long previous,
            NumberedRevision removed,
            NumberedRevision next) {
        this.documents = stores.apply(DocumentsLayout.STORE);
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.graph = stores.apply(LayerGraphLayout.STORE);
        this.rendered = stores.apply(RenderedLayout.STORE);
        this.workspace = workspace;
        this.previous = previous;
        this.removed = removed;
        this.next = next;
    }

    /**
     * Removes the record of the revision. If the record lists the touched documents, they are added to the gap of the
     * previous revision: nothing else lists them, and concurrent queries need them.
     */
    void removeRecord() {
        removed.revision().touched().forEach(this::remember);
        delete(revisions, Bytes.wrap(RevisionsLayout.key(workspace, removed.number())));
    }

    /**
     * Removes the entries that only this revision needs. Its record must be removed first.
     *
     * @param validated whether the revision may have results of validations
     * @return the number of processed documents
     */
    int removeEntries(boolean validated) {
        sweepNext();
        if (next.number() > removed.number() + 1) { // otherwise no revision in between was pruned
            sweepGap();
        }
        for (int part = parts(removed) - 1; part >= 0; part--) {
            Bytes key = part(removed.number(), part);
            touched(key).forEach(this::remember);
            delete(revisions, key);
        }
        if (validated) {
            removeResults();
        }
        return swept;
    }

    private void removeResults() {
        int count = 0;
        while (revisions.get(result(count)) != null) {
            count++;
        }
        for (int number = count - 1; number >= 0; number--) {
            delete(revisions, result(number));
        }
        swept += count;
    }

    private Bytes result(int number) {
        return Bytes.wrap(ValidationsLayout.key(workspace, removed.number(), number));
    }

    /* Documents touched by the next revision: exactly that revision wrote the later entry. */
    private void sweepNext() {
        sweepNext(next.revision().touched());
        for (int part = parts(next) - 1; part >= 0; part--) {
            Bytes key = part(next.number(), part);
            sweepNext(touched(key));
            if (previous == 0) { // no query needs the list of the oldest revision: all its documents are new
                delete(revisions, key);
            }
        }
    }

    private void sweepNext(List<Touched> all) {
        for (int i = all.size() - 1; i >= 0; i--) {
            sweep(all.get(i), true);
        }
    }

    /* Documents touched by pruned revisions in between: any revision up to the next one wrote the later entry. */
    private void sweepGap() {
        Bytes from = Bytes.wrap(TouchedLayout.gapPrefix(workspace, removed.number()));
        Bytes to = Bytes.wrap(TouchedLayout.gapPrefix(workspace, removed.number() + 1));
        try (KeyValueIterator<Bytes, byte[]> entries = revisions.reverseRange(from, to)) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                Touched touched = TouchedLayout.readGap(entry.key.get(), entry.value);
                sweep(touched, false);
                remember(touched);
                delete(revisions, entry.key);
            }
        }
    }

    /*
     * The number of parts of a revision's list: none if its record has the list. The keys are looked up one by one,
     * because an iterator would scan the tombstones of all lists deleted before.
     */
    private int parts(NumberedRevision of) {
        int count = 0;
        while (of.revision().touched().isEmpty() && revisions.get(part(of.number(), count)) != null) {
            count++;
        }
        return count;
    }

    private Bytes part(long of, int number) {
        return Bytes.wrap(TouchedLayout.key(workspace, of, number));
    }

    private List<Touched> touched(Bytes key) {
        return TouchedLayout.read(key.get(), revisions.get(key));
    }

    /* Adds a document to the gap after the previous kept revision. */
    private void remember(Touched touched) {
        if (previous == 0) {
            return;
        }
        Bytes key = Bytes.wrap(TouchedLayout.gapKey(workspace, previous, touched.document()));
        byte[] before = revisions.get(key);
        Touched both = before == null ? touched : touched.and(TouchedLayout.readGap(key.get(), before));
        revisions.put(key, TouchedLayout.writeGap(both));
    }

    private void sweep(Touched touched, boolean byNext) {
        swept++;
        DocumentId id = touched.document();
        boolean rendersAnew = touched.rendered() || touched.removed();
        if (touched.edited()) {
            LongFunction<byte[]> key = at -> DocumentsLayout.key(workspace, id, at);
            if (followsOn(touched.before().document(), byNext)) {
                sweepKnown(
                        documents,
                        key,
                        DOCUMENT_REMOVED,
                        touched,
                        touched.before().document());
            } else {
                sweepFound(documents, key, DOCUMENT_REMOVED, byNext);
            }
        }
        if (touched.moved()) {
            sweepFound(graph, at -> LayerGraphLayout.parentKey(workspace, id, at), NO_PARENT, byNext);
        }
        if (touched.derived()) {
            sweepFound(rendered, at -> RenderedLayout.derivedKey(workspace, id.key(), at), NOT_DERIVED, byNext);
        }
        if (touched.edited() || touched.rendered()) {
            LongFunction<byte[]> key = at -> RenderedLayout.key(workspace, id, at);
            if (!followsOn(touched.before().rendering(), byNext)) {
                sweepFound(rendered, key, RENDERING_REMOVED, byNext);
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
     * wrote it, so most entries are found without a search. A search would scan the tombstones of a frequently edited
     * document. If the named revision comes after this one, it was pruned before, and only a search helps.
     */
    private boolean followsOn(long before, boolean byNext) {
        return byNext && before > 0 && before <= removed.number();
    }

    private void sweepKnown(
            KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, byte[] absent, Touched touched, long before) {
        if (before > previous) {
            delete(store, Bytes.wrap(key.apply(before)));
        }
        if (touched.removed()) {
            removeEnd(store, key, Bytes.wrap(key.apply(next.number())), absent);
        }
    }

    private void sweepFound(
            KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, byte[] absent, boolean byNext) {
        Optional<KeyValue<Bytes, byte[]>> later = later(store, key, byNext);
        if (later.isPresent()) {
            Search.last(store, key.apply(previous + 1), key.apply(removed.number()))
                    .ifPresent(entry -> delete(store, entry.key));
            if (Arrays.equals(later.get().value, absent)) {
                removeEnd(store, key, later.get().key, absent);
            }
        }
    }

    /* Removes an entry that says "removed" if the previous kept revision does not have the document either. */
    private void removeEnd(KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, Bytes end, byte[] absent) {
        // If no revision is older, do not search: the search would scan the tombstones of deleted entries.
        boolean isNew = previous == 0
                || Search.last(store, key.apply(0), key.apply(previous))
                        .filter(entry -> !Arrays.equals(entry.value, absent))
                        .isEmpty();
        if (isNew) {
            delete(store, end);
        }
    }

    private Optional<KeyValue<Bytes, byte[]>> later(
            KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, boolean byNext) {
        if (!byNext) {
            return Search.first(store, key.apply(removed.number() + 1), key.apply(next.number()));
        }
        Bytes exactly = Bytes.wrap(key.apply(next.number()));
        return Optional.ofNullable(store.get(exactly)).map(value -> KeyValue.pair(exactly, value));
    }

    /* The delete method of the store first reads the old value, to return it. */
    private static void delete(KeyValueStore<Bytes, byte[]> store, Bytes key) {
        store.put(key, null);
    }
}
