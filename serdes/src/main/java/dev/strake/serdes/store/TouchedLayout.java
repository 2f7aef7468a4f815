package dev.strake.serdes.store;

import dev.strake.engine.identity.DocumentId;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import java.util.List;

/**
 * Which documents revisions touched, in the store of revisions.
 *
 * <pre>
 * touched    key     1  workspace  revision  part
 *            value   2  list of (identity  flags, document before, rendered before: numbers)               format 2
 *                       flags   1 document edited · 2 rendering differs · 4 edges differ · 8 document removed
 *                       before  the revision that wrote the entry before this one's; 0 where there is none
 * gap        key     2  workspace  revision  schema  layer  name
 *            value   1  flags: number, without 8: of several revisions it is not known which was last      format 1
 * </pre>
 *
 * What a large revision touched is cut into parts, so that no entry outgrows a record of the changelog and a list of
 * revisions stays short. Format 1 knows neither the flag 8 nor the revisions before: entries before are then found by
 * a search.
 *
 * <p>A gap belongs to a revision that is kept while the next ones were pruned: it lists what these touched, up to the next
 * one that is kept. A query that looks back to the kept revision needs it. A gap is a set of keys and not a list in one
 * entry, because each pruned revision adds to it: a list would be written over a thousand times.
 *
 * <pre>
 *   revisions       3 ── 4 ── 5 ── 6 ── 7        3 is tagged; 4 and 5 are pruned
 *   left of them    3 ═══ gap 3 ══ 6 ── 7        gap 3 = touched by 4 ∪ touched by 5
 * </pre>
 */
public final class TouchedLayout {

    /** Entries of one part of a touched list: with long names still well below a megabyte. */
    public static final int PART_SIZE = 2_000;

    /** The most that a revision can have touched for it to stand in its own entry. */
    public static final int SMALL = 4;

    private static final int TOUCHED = 1;
    private static final int GAP = 2;

    private static final int REMOVED = 8;

    /**
     * A document that a revision touched.
     *
     * @param edited whether it was put or removed
     * @param rendered whether its rendering came out different
     * @param moved whether its edges in the layer graph are others
     * @param removed whether it was removed
     * @param documentBefore the revision that wrote the document which this one's took the place of; 0 for none, or where
     *     several revisions are taken together
     * @param renderedBefore the same for what it rendered to
     */
    public record Touched(
            DocumentId document,
            boolean edited,
            boolean rendered,
            boolean moved,
            boolean removed,
            long documentBefore,
            long renderedBefore) {

        /** What two revisions together did to the document. */
        public Touched and(Touched other) {
            return new Touched(
                    document,
                    edited || other.edited,
                    rendered || other.rendered,
                    moved || other.moved,
                    removed || other.removed,
                    Math.max(documentBefore, other.documentBefore),
                    Math.max(renderedBefore, other.renderedBefore));
        }

        private static Touched of(DocumentId document, int flags, long documentBefore, long renderedBefore) {
            return new Touched(
                    document,
                    (flags & 1) != 0,
                    (flags & 2) != 0,
                    (flags & 4) != 0,
                    (flags & REMOVED) != 0,
                    documentBefore,
                    renderedBefore);
        }

        private int flags() {
            return (edited ? 1 : 0) + (rendered ? 2 : 0) + (moved ? 4 : 0) + (removed ? REMOVED : 0);
        }
    }

    private TouchedLayout() {}

    public static byte[] key(String workspace, long revision, int part) {
        return new KeyWriter()
                .kind(TOUCHED)
                .text(workspace)
                .number(revision)
                .number(part)
                .bytes();
    }

    /** The key of what was touched between a kept revision and the next one; ordered by revision. */
    public static byte[] gapKey(String workspace, long revision, DocumentId id) {
        return DocumentsLayout.identity(
                        new KeyWriter().kind(GAP).text(workspace).number(revision), id)
                .bytes();
    }

    /** The prefix of a gap, and the bound of all gaps of earlier revisions. */
    public static byte[] gapPrefix(String workspace, long revision) {
        return new KeyWriter().kind(GAP).text(workspace).number(revision).bytes();
    }

    public static byte[] write(List<Touched> touched) {
        return new ValueWriter(2, touched.size() * 64)
                .list(touched, TouchedLayout::write)
                .bytes();
    }

    static void write(ValueWriter writer, Touched item) {
        LayerGraphLayout.writeId(writer, item.document());
        writer.number(item.flags()).number(item.documentBefore()).number(item.renderedBefore());
    }

    public static List<Touched> read(byte[] key, byte[] value) {
        return ValueReader.read(RevisionsLayout.STORE, key, value, 2, all -> all.list(TouchedLayout::read));
    }

    static Touched read(ValueReader reader) {
        DocumentId document = LayerGraphLayout.readId(reader);
        int flags = reader.smallNumber();
        long documentBefore = reader.number();
        long renderedBefore = reader.number();
        return reader.format() == 1
                ? Touched.of(document, flags, 0, 0)
                : Touched.of(document, flags, documentBefore, renderedBefore);
    }

    public static byte[] writeGap(Touched touched) {
        return new ValueWriter(1, 16).number(touched.flags() & ~REMOVED).bytes();
    }

    public static Touched readGap(byte[] key, byte[] value) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        reader.text();
        reader.number();
        DocumentId document = DocumentsLayout.identity(reader);
        return ValueReader.read(
                RevisionsLayout.STORE, key, value, 1, content -> Touched.of(document, content.smallNumber(), 0, 0));
    }
}
