package dev.strake.topology.history;

import dev.strake.serdes.store.TouchedLayout;
import dev.strake.serdes.store.TouchedLayout.Touched;
import dev.strake.topology.store.NumberedRevision;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The documents that the sweep of a revision has to look at, some at a time. First come those that may lose an entry:
 * what the next revision touched, and the gap before it. Then come those that only have to be added to the gap behind
 * the revision that stays.
 */
final class TouchedChunks {

    /** Gap entries read in one go; they are deleted in one go as well. */
    private static final int GAP_AT_ONCE = 200;

    private static final int UNKNOWN = -1;

    /** Why a chunk is looked at. */
    enum Kind {
        /** Touched by the next revision: an entry that follows is one of exactly that revision. */
        NEXT,
        /** Touched by revisions between: an entry that follows is one of any of them. */
        GAP,
        /** Touched by the revision that is removed: only added to the gap. */
        OWN
    }

    /**
     * Documents to look at together.
     *
     * @param remember whether they belong into the gap behind the revision that stays
     * @param done the entries that named them, and that go when they are done
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
     * @param previous the last revision before it that stays; 0 for none
     * @param revision the one that is removed
     * @param inParts whether what it touched may be in entries of its own; otherwise its record listed it
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

    /** What stands in the record of the next revision; nothing if that has parts. */
    Chunk first() {
        return first;
    }

    /** What follows, once the one before is done; null at the end. */
    Chunk next() {
        nextParts = nextParts == UNKNOWN ? parts(next) : nextParts;
        if (nextParts > 0) {
            Bytes key = part(next, --nextParts);
            // If no older revision is left, what the oldest one touched is never asked for: all its documents are new.
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
                gap = entry.key.get(); // gone by the next time
            }
        }
        return new Chunk(touched, Kind.GAP, older, keys);
    }
}
