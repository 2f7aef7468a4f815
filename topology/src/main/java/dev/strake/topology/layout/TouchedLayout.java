package dev.strake.topology.layout;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import java.util.List;

/**
 * The lists of the documents that revisions touched, in the store of revisions.
 *
 * <pre>
 * touched    key     1  workspace  revision  part
 *            value   1  list of (identity  flags, document before, rendered before: numbers)
 *                       flags   1 document edited · 2 rendering differs · 4 another parent · 8 document removed
 *                               16 derived document of this schema and name changed (the layer is empty)
 *                       before  the revision that wrote the previous entry; 0 for none
 * gap        key     2  workspace  revision  schema  layer  name
 *            value   1  flags: number, never 8, because the order of the revisions is unknown
 * </pre>
 *
 * The list of a large revision is split into parts, so that every entry fits into a record of the changelog, and
 * revisions can be listed quickly.
 *
 * <p>A gap belongs to a kept revision that is followed by pruned ones. It lists the documents that these pruned
 * revisions touched. A query that looks back to the kept revision needs the gap. A gap is a set of keys, not a list in
 * one entry, because each pruned revision adds to it: a list would be rewritten a thousand times.
 *
 * <pre>
 *   revisions       3 ── 4 ── 5 ── 6 ── 7        3 is tagged; 4 and 5 are pruned
 *   left of them    3 ═══ gap 3 ══ 6 ── 7        gap 3 = touched by 4 ∪ touched by 5
 * </pre>
 */
public final class TouchedLayout {

    /** The number of items in one part of a list. A part usually takes 200 KB, and 14 MiB with the longest names. */
    public static final int PART_SIZE = 2_000;

    /** The largest number of touched documents listed by the entry of the revision itself. */
    public static final int SMALL = 4;

    private static final int TOUCHED = 1;
    private static final int GAP = 2;

    private static final int EDITED = 1;
    private static final int RENDERED = 2;
    private static final int MOVED = 4;
    private static final int REMOVED = 8;
    private static final int DERIVED = 16;

    /**
     * A document that a revision touched.
     *
     * @param flags what the revision did to it, as the layout above numbers it
     */
    public record Touched(DocumentId document, int flags, Before before) {

        public static Touched ofEdit(DocumentId document, boolean removed, Before before) {
            return new Touched(document, removed ? EDITED | REMOVED : EDITED, before);
        }

        /** A document that was rendered with another result, or published. */
        public static Touched ofRendering(DocumentId document, long before) {
            return new Touched(document, RENDERED, new Before(0, before));
        }

        public static Touched ofMove(DocumentId document) {
            return new Touched(document, MOVED, Before.UNKNOWN);
        }

        public static Touched ofDerived(DocumentKey key) {
            return new Touched(new DocumentId(key.schema(), "", key.name()), DERIVED, Before.UNKNOWN);
        }

        /** Combines the effects of two revisions on the document. */
        public Touched and(Touched other) {
            return new Touched(document, flags | other.flags, before.and(other.before));
        }

        /** Whether it was put or removed. */
        public boolean edited() {
            return (flags & EDITED) != 0;
        }

        /** Whether its rendering changed. */
        public boolean rendered() {
            return (flags & RENDERED) != 0;
        }

        /** Whether its parent changed. */
        public boolean moved() {
            return (flags & MOVED) != 0;
        }

        public boolean removed() {
            return (flags & REMOVED) != 0;
        }

        /** Whether the derived document of this schema and name changed; then the layer is empty. */
        public boolean derived() {
            return (flags & DERIVED) != 0;
        }
    }

    /** The revisions that wrote the replaced entries; 0 if there was none, or if it is unknown, as in a gap. */
    public record Before(long document, long rendering) {

        public static final Before UNKNOWN = new Before(0, 0);

        private Before and(Before other) {
            return new Before(Math.max(document, other.document), Math.max(rendering, other.rendering));
        }
    }

    private TouchedLayout() {}

    public static byte[] key(String workspace, long revision, int part) {
        return KeyWriter.of(TOUCHED, workspace).number(revision).number(part).bytes();
    }

    /** Returns the key of a document in the gap after a kept revision. Keys are ordered by revision. */
    public static byte[] gapKey(String workspace, long revision, DocumentId id) {
        return KeyWriter.of(GAP, workspace).number(revision).id(id).bytes();
    }

    /** Returns the prefix of a gap; it is greater than the keys of all gaps of earlier revisions. */
    public static byte[] gapPrefix(String workspace, long revision) {
        return KeyWriter.of(GAP, workspace).number(revision).bytes();
    }

    public static byte[] write(List<Touched> touched) {
        return new ValueWriter(1, touched.size() * 64)
                .list(touched, TouchedLayout::write)
                .bytes();
    }

    static void write(ValueWriter writer, Touched item) {
        writer.id(item.document())
                .number(item.flags())
                .number(item.before().document())
                .number(item.before().rendering());
    }

    public static List<Touched> read(byte[] key, byte[] value) {
        return ValueReader.read(RevisionsLayout.STORE, key, value, 1, all -> all.list(TouchedLayout::read));
    }

    static Touched read(ValueReader reader) {
        return new Touched(reader.id(), reader.smallNumber(), new Before(reader.number(), reader.number()));
    }

    public static byte[] writeGap(Touched touched) {
        return new ValueWriter(1, 16).number(touched.flags() & ~REMOVED).bytes();
    }

    public static Touched readGap(byte[] key, byte[] value) {
        KeyReader reader = KeyReader.afterWorkspace(key);
        reader.number();
        DocumentId document = reader.id();
        return ValueReader.read(
                RevisionsLayout.STORE,
                key,
                value,
                1,
                content -> new Touched(document, content.smallNumber(), Before.UNKNOWN));
    }
}
