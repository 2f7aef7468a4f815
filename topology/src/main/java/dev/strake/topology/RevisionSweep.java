package dev.strake.topology;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.render.Evaluation;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RenderedLayout;
import dev.strake.serdes.store.RenderedLayout.Rendering;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.serdes.store.RevisionsLayout.Touched;
import dev.strake.topology.WorkspaceQueries.NumberedRevision;
import java.util.ArrayList;
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
 * The end of one revision: takes out of the stores what it alone needed, in as many small steps as somebody allows.
 *
 * <pre>
 *   revisions    P ─────── R ─────── N         R goes; P and N are the nearest that stay (no P: nothing older is there)
 *   a document   ·    e ───────── x            e stands for R alone, because x stands for N: e goes
 *   another      e ───────────────── x         e stands for P, too: stays
 *   a third      ·    e ───────────────────    e stands for N, too: stays
 * </pre>
 *
 * <p>Only documents with an entry behind R and up to N can lose one, and these are on record: what N touched, and the
 * gap behind R. So pruning a revision costs what making one did, whatever the size of the workspace. A "removed" that
 * ends nothing that is left goes as well.
 */
final class RevisionSweep {

    /** Gap entries read in one go; they are deleted in one go as well. */
    private static final int GAP_AT_ONCE = 200;

    private static final int UNKNOWN = -1;

    private static final byte[] DOCUMENT_REMOVED = DocumentsLayout.write(DocumentsLayout.Entry.REMOVED);
    private static final byte[] EDGES_REMOVED = LayerGraphLayout.writeEdges(LayerGraphLayout.Edges.REMOVED);
    private static final byte[] RENDERING_REMOVED = RenderedLayout.write(Rendering.REMOVED);

    /** What is left of one step. */
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

    /** Documents to look at together, and the entries that named them and that go when they are done. */
    private record Chunk(List<Touched> touched, Kind kind, boolean remember, List<Bytes> done) {}

    private static final Chunk NOTHING = new Chunk(List.of(), Kind.OWN, false, List.of());

    /** Why a chunk is looked at. */
    private enum Kind {
        /** Touched by the next revision: an entry that follows is one of exactly that revision. */
        NEXT,
        /** Touched by revisions between: an entry that follows is one of any of them. */
        GAP,
        /** Touched by the revision that goes: has nothing to do with what follows. */
        OWN
    }

    private final StateReader state;
    private final KeyValueStore<Bytes, byte[]> documents;
    private final KeyValueStore<Bytes, byte[]> revisions;
    private final KeyValueStore<Bytes, byte[]> graph;
    private final KeyValueStore<Bytes, byte[]> rendered;
    private final String workspace;
    private final long previous;
    private final long revision;
    private final long next;

    private Chunk chunk;
    private int left;
    private int nextParts;
    private int ownParts;
    private byte[] gap;
    private int removed;

    /** Goes on with one that was begun before a restart: its record is gone. */
    RevisionSweep(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            StateReader state,
            String workspace,
            long previous,
            long revision) {
        this(
                stores,
                state,
                workspace,
                previous,
                revision,
                List.of(),
                state.history().revisionFrom(workspace, revision + 1));
    }

    /** Begins one. Its record goes with this, and with it what it touched: that is handed on at once. */
    RevisionSweep(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            StateReader state,
            String workspace,
            long previous,
            NumberedRevision revision,
            NumberedRevision next) {
        this(
                stores,
                state,
                workspace,
                previous,
                revision.number(),
                revision.revision().touched(),
                next);
        delete(revisions, Bytes.wrap(RevisionsLayout.key(workspace, revision.number())));
        if (previous > 0) {
            revision.revision().touched().forEach(this::remember);
        }
    }

    private RevisionSweep(
            Function<String, KeyValueStore<Bytes, byte[]>> stores,
            StateReader state,
            String workspace,
            long previous,
            long revision,
            List<Touched> own,
            NumberedRevision next) {
        this.state = state;
        this.documents = stores.apply(DocumentsLayout.STORE);
        this.revisions = stores.apply(RevisionsLayout.STORE);
        this.graph = stores.apply(LayerGraphLayout.STORE);
        this.rendered = stores.apply(RenderedLayout.STORE);
        this.workspace = workspace;
        this.previous = previous;
        this.revision = revision;
        this.next = next.number();
        this.gap = RevisionsLayout.gapPrefix(workspace, revision);
        this.chunk = new Chunk(next.revision().touched(), Kind.NEXT, false, List.of());
        this.left = chunk.touched().size();
        this.nextParts = left > 0 ? 0 : UNKNOWN;
        this.ownParts = own.isEmpty() ? UNKNOWN : 0;
    }

    long revision() {
        return revision;
    }

    boolean isDone() {
        return chunk == null;
    }

    /** How many entries were removed since this was last asked. */
    int takeRemoved() {
        int result = removed;
        removed = 0;
        return result;
    }

    /** Goes on for as long as the budget allows. */
    void run(Budget budget) {
        while (chunk != null) {
            if (left == 0) {
                chunk.done().forEach(key -> remove(revisions, key));
                chunk = nextChunk();
                left = chunk == null ? 0 : chunk.touched().size();
            } else if (budget.take()) {
                // Backwards, from the last part on: an iterator that looks back steps on by one entry, and that
                // should be one that is there, not all that was deleted just now.
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

    /* First what tells which documents to sweep, then what only has to be handed on. */
    private Chunk nextChunk() {
        boolean older = previous > 0;
        nextParts = nextParts == UNKNOWN ? parts(next) : nextParts;
        if (nextParts > 0) {
            Bytes key = part(next, --nextParts);
            // With nothing older left nobody asks what the oldest revision touched: all it has is new.
            return new Chunk(touched(key), Kind.NEXT, false, older ? List.of() : List.of(key));
        }
        Chunk ofGap = next == revision + 1 ? NOTHING : nextOfGap(); // nothing went between the two
        if (!ofGap.touched().isEmpty()) {
            return ofGap;
        }
        ownParts = ownParts == UNKNOWN ? parts(revision) : ownParts;
        if (ownParts > 0) {
            Bytes key = part(revision, --ownParts);
            return new Chunk(older ? touched(key) : List.of(), Kind.OWN, older, List.of(key));
        }
        return null;
    }

    /*
     * By their keys, one by one: an iterator would go over all lists that were deleted before, at every step. They
     * are taken from the last to the first, so that those left after a crash can be counted again.
     */
    private int parts(long of) {
        int count = 0;
        while (revisions.get(part(of, count)) != null) {
            count++;
        }
        return count;
    }

    private Bytes part(long of, int number) {
        return Bytes.wrap(RevisionsLayout.touchedKey(workspace, of, number));
    }

    private List<Touched> touched(Bytes key) {
        return RevisionsLayout.readTouched(key.get(), revisions.get(key));
    }

    private Chunk nextOfGap() {
        List<Touched> touched = new ArrayList<>();
        List<Bytes> keys = new ArrayList<>();
        Bytes from = Bytes.wrap(gap);
        Bytes to = Bytes.wrap(RevisionsLayout.gapPrefix(workspace, revision + 1));
        try (KeyValueIterator<Bytes, byte[]> entries = revisions.range(from, to)) {
            while (entries.hasNext() && keys.size() < GAP_AT_ONCE) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                touched.add(RevisionsLayout.readGap(entry.key.get(), entry.value));
                keys.add(entry.key);
                gap = entry.key.get(); // gone by the next time
            }
        }
        return new Chunk(touched, Kind.GAP, previous > 0, keys);
    }

    private void remember(Touched touched) {
        Bytes key = Bytes.wrap(RevisionsLayout.gapKey(workspace, previous, touched.document()));
        byte[] before = revisions.get(key);
        Touched both = before == null ? touched : touched.and(RevisionsLayout.readGap(key.get(), before));
        revisions.put(key, RevisionsLayout.writeGap(both));
    }

    private void sweep(Touched touched) {
        DocumentId id = touched.document();
        boolean rendersAnew = touched.rendered() || touched.removed();
        if (touched.edited()) {
            if (chunk.kind() != Kind.NEXT || !rendersAnew) {
                keepDataOfHead(id);
            }
            LongFunction<byte[]> key = at -> DocumentsLayout.key(workspace, id, at);
            if (followsOn(touched.documentBefore())) {
                sweep(documents, key, DOCUMENT_REMOVED, touched, touched.documentBefore());
            } else {
                sweep(documents, key, DOCUMENT_REMOVED);
            }
        }
        if (touched.moved()) {
            sweep(graph, at -> LayerGraphLayout.edgesKey(workspace, id, at), EDGES_REMOVED);
        }
        if (touched.edited() || touched.rendered()) {
            LongFunction<byte[]> key = at -> RenderedLayout.key(workspace, id, at);
            if (!followsOn(touched.renderedBefore())) {
                sweep(rendered, key, RENDERING_REMOVED);
            } else if (rendersAnew) {
                sweep(rendered, key, RENDERING_REMOVED, touched, touched.renderedBefore());
            }
        }
    }

    /*
     * The entry that the next revision's follows is known by its revision, unless that one went before: so most are
     * found without a search, which would go over all that was deleted of a document that is edited often.
     */
    private boolean followsOn(long before) {
        return chunk.kind() == Kind.NEXT && before > 0 && before <= revision;
    }

    private void sweep(
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

    private void sweep(KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, byte[] removed) {
        Optional<KeyValue<Bytes, byte[]>> later = later(store, key);
        if (later.isPresent()) {
            Search.last(store, key.apply(previous + 1), key.apply(revision))
                    .ifPresent(entry -> remove(store, entry.key));
            if (Arrays.equals(later.get().value, removed)) {
                removeEnd(store, key, later.get().key, removed);
            }
        }
    }

    /* A removal goes that ends nothing: in the revision before, the document was never there, or removed by then. */
    private void removeEnd(KeyValueStore<Bytes, byte[]> store, LongFunction<byte[]> key, Bytes end, byte[] removed) {
        // Where nothing is older, do not look: the search would go back over all that was deleted just now.
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

    /*
     * A rendering without data has that of the document as it was published then. The document may have changed
     * since and still render to the same, and the head goes on using that old rendering: so it gets the data itself
     * before the old document goes.
     *
     *   documents   e ────────── x ────     e goes
     *   rendered       r ──────────────     same as published, as of r: reads e
     */
    private void keepDataOfHead(DocumentId id) {
        byte[] key = LayerGraphLayout.headKey(workspace, id);
        byte[] value = graph.get(Bytes.wrap(key));
        if (value == null) {
            return;
        }
        Evaluation evaluation = LayerGraphLayout.readHead(key, value).evaluation();
        long from = evaluation.changedAt();
        if (evaluation.data() == null || from <= previous || from >= next) {
            return;
        }
        boolean goes = Search.first(
                        documents,
                        DocumentsLayout.key(workspace, id, from + 1),
                        DocumentsLayout.key(workspace, id, next))
                .isPresent();
        Rendering rendering = state.rendering(workspace, id, from);
        if (goes && rendering.data() == null) {
            Rendering withData = new Rendering(
                    false,
                    false,
                    state.renderedData(workspace, id, from),
                    rendering.problem(),
                    rendering.inRenderedSet());
            rendered.put(Bytes.wrap(RenderedLayout.key(workspace, id, from)), RenderedLayout.write(withData));
        }
    }

    private void remove(KeyValueStore<Bytes, byte[]> store, Bytes key) {
        delete(store, key);
        removed++;
    }

    /* The store's own delete reads the old value first, to return it. */
    static void delete(KeyValueStore<Bytes, byte[]> store, Bytes key) {
        store.put(key, null);
    }
}
