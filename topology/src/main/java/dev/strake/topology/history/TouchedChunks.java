package dev.strake.topology.history;

import dev.strake.topology.layout.TouchedLayout;
import dev.strake.topology.layout.TouchedLayout.Touched;
import dev.strake.topology.store.NumberedRevision;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The documents that the sweep of a revision has to look at, in chunks. First come documents that may lose an entry:
 * those that the next revision touched, and those in the gap before it. Then come documents that only have to be added
 * to the gap after the previous kept revision.
 */
final class TouchedChunks {

    /** Number of gap entries that are read at once; they are deleted at once as well. */
    private static final int GAP_AT_ONCE = 200;

    private static final int UNKNOWN = -1;

    /** Why the documents of a chunk are looked at. */
    enum Kind {
        /** Touched by the next revision: a later entry was written by exactly that revision. */
        NEXT,
        /** Touched by pruned revisions in between: a later entry was written by any revision up to the next one. */
        GAP,
        /** Touched by the revision that is removed: only added to the gap. */
        OWN
    }

    /**
     * Documents to look at together.
     *
     * @param remember whether to add them to the gap after the previous kept revision
     * @param done the entries that list them, to be removed when the chunk is done
     */
    record Chunk(List<Touched> touched, Kind kind, boolean remember, List<Bytes> done) {}

    private static final Chunk NOTHING = new Chunk(List.of(), Kind.OWN, false, List.of());

    private final KeyValueStore<Bytes, byte[]> revisions;
    private final String workspace;
    private final long revision;
    private final long next;
    private final boolean older;
    private final Chunk first;
    private int nextParts;
    private int ownParts;
    private byte[] gap;

    /**
     * @param previous the last kept revision before the removed one; 0 for none
     * @param revision the revision that is removed
     * @param inParts whether entries of their own may list the documents it touched; otherwise its record listed them
     */
    TouchedChunks(
            KeyValueStore<Bytes, byte[]> revisions,
            String workspace,
            long previous,
            long revision,
            boolean inParts,
            NumberedRevision next) {
        this.revisions = revisions;
        this.workspace = workspace;
        this.revision = revision;
        this.next = next.number();
        this.older = previous > 0;
        this.first = new Chunk(next.revision().touched(), Kind.NEXT, false, List.of());
        this.nextParts = first.touched().isEmpty() ? UNKNOWN : 0;
        this.ownParts = inParts ? UNKNOWN : 0;
        this.gap = TouchedLayout.gapPrefix(workspace, revision);
    }

    /** The documents listed in the record of the next revision; none if that revision has parts. */
    Chunk first() {
        return first;
    }

    /** The next chunk, once the one before is done; null at the end. */
    Chunk next() {
        nextParts = nextParts == UNKNOWN ? parts(next) : nextParts;
        if (nextParts > 0) {
            Bytes key = part(next, --nextParts);
            // If no older revision is left, nobody asks what the oldest one touched: all its documents are new.
            return new Chunk(touched(key), Kind.NEXT, false, older ? List.of() : List.of(key));
        }
        Chunk ofGap = next == revision + 1 ? NOTHING : nextOfGap(); // none was pruned in between
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
     * Counts parts by looking up their keys one by one: an iterator would pass all lists deleted before, at every step.
     * Parts are processed from the last to the first, so that the parts left after a crash can be counted again.
     */
    private int parts(long of) {
        int count = 0;
        while (revisions.get(part(of, count)) != null) {
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

    private Chunk nextOfGap() {
        List<Touched> touched = new ArrayList<>();
        List<Bytes> keys = new ArrayList<>();
        Bytes from = Bytes.wrap(gap);
        Bytes to = Bytes.wrap(TouchedLayout.gapPrefix(workspace, revision + 1));
        try (KeyValueIterator<Bytes, byte[]> entries = revisions.range(from, to)) {
            while (entries.hasNext() && keys.size() < GAP_AT_ONCE) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                touched.add(TouchedLayout.readGap(entry.key.get(), entry.value));
                keys.add(entry.key);
                gap = entry.key.get(); // deleted by the next call
            }
        }
        return new Chunk(touched, Kind.GAP, older, keys);
    }
}
