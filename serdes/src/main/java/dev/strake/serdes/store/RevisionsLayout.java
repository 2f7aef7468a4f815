package dev.strake.serdes.store;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.render.Digest;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The store of revisions, of which documents each of them touched, and of how far a workspace's history was pruned.
 *
 * <pre>
 * revision   key     0  workspace  revision
 *            value   2  time (ms): number  change id: text  type: text  bucket: optional text  status: text
 *                       documents, added, changed, removed, affected, evaluated, emitted, withdrawn: numbers
 *                       rendered revision, rendered: numbers  digest: bytes  tags: list of (text, value)
 *                       touched: list as below, empty if there are more than four                            format 2
 * touched    key     1  workspace  revision  part
 *            value   2  list of (identity  what, document before, rendered before: numbers)                format 2
 *                       what  sum of 1 document edited · 2 rendering differs · 4 edges differ · 8 document removed
 *                       before  the revisions whose entries this one's follow; 0 where there is none
 * gap        key     2  workspace  revision  schema  layer  name
 *            value   1  what: number, never 8: what several revisions did has no order                     format 1
 * horizon    key     3  workspace
 *            value   1  first, tagged, going, start: numbers                                               format 1
 * </pre>
 *
 * The last revision also says what a workspace is at its head. What a small revision touched stands in its own entry:
 * most revisions are small, and every entry is written, logged and pruned. What a large one touched is cut into parts, so
 * that no entry outgrows a record of the changelog and a list of revisions stays short.
 *
 * <p>Format 1 of a revision ends with its tags; in format 1 of a touched list nothing is 8, so that what came before is
 * looked for as if it were not known.
 *
 * <p>A gap is what pruned revisions touched that stood between a kept one, which the key names, and the next kept one:
 * who looks back from later to the kept one has to know. It is a set under keys of its own, not a list in one entry,
 * so that pruning a thousand revisions one by one adds to it a thousand times and never writes it over.
 *
 * <pre>
 *   revisions       3 ── 4 ── 5 ── 6 ── 7        3 is tagged; 4 and 5 are pruned
 *   left of them    3 ═══ gap 3 ══ 6 ── 7        gap 3 = touched by 4 ∪ touched by 5
 * </pre>
 */
public final class RevisionsLayout {

    public static final String STORE = "revisions";

    /** Entries of one part of a touched list: with long names still well below a megabyte. */
    public static final int PART_SIZE = 2_000;

    /** The most that a revision can have touched for it to stand in its own entry. */
    public static final int SMALL = 4;

    private static final int REVISION = 0;
    private static final int TOUCHED = 1;
    private static final int GAP = 2;
    private static final int HORIZON = 3;

    private static final int REMOVED = 8;

    /**
     * A revision.
     *
     * @param time when it was made, in milliseconds
     * @param bucket null for changes that are not of a bucket
     * @param documents how many the workspace had
     * @param emitted records published
     * @param withdrawn tombstones published
     * @param renderedRevision the last revision that was published as a whole, up to this one; 0 for none
     * @param rendered how many records consumers held
     * @param digest of the records that consumers held
     * @param touched what it touched, if that is little; else empty, and there are parts: a revision touches something
     */
    public record Revision(
            long time,
            String changeId,
            String type,
            String bucket,
            OutcomeStatus status,
            int documents,
            int added,
            int changed,
            int removed,
            int affected,
            int evaluated,
            int emitted,
            int withdrawn,
            long renderedRevision,
            int rendered,
            Digest digest,
            SortedMap<String, MapValue> tags,
            List<Touched> touched) {

        public Revision withTags(SortedMap<String, MapValue> newTags) {
            return with(newTags, touched);
        }

        public Revision withTouched(List<Touched> newTouched) {
            return with(tags, newTouched);
        }

        private Revision with(SortedMap<String, MapValue> newTags, List<Touched> newTouched) {
            return new Revision(
                    time,
                    changeId,
                    type,
                    bucket,
                    status,
                    documents,
                    added,
                    changed,
                    removed,
                    affected,
                    evaluated,
                    emitted,
                    withdrawn,
                    renderedRevision,
                    rendered,
                    digest,
                    newTags,
                    newTouched);
        }
    }

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

        private static Touched of(DocumentId document, int what, long documentBefore, long renderedBefore) {
            return new Touched(
                    document,
                    (what & 1) != 0,
                    (what & 2) != 0,
                    (what & 4) != 0,
                    (what & REMOVED) != 0,
                    documentBefore,
                    renderedBefore);
        }

        private int what() {
            return (edited ? 1 : 0) + (rendered ? 2 : 0) + (moved ? 4 : 0) + (removed ? REMOVED : 0);
        }
    }

    /**
     * How far the history of a workspace was pruned.
     *
     * @param first below it there are tagged revisions only, and those that {@code start} gives up
     * @param tagged the last revision below {@code first} that is there; 0 for none. If it is not below, it has to be
     *     looked for again
     * @param going the revision that is being pruned, of which the record is gone and other entries may not be; 0 for
     *     none
     * @param start revisions below it went with the deletion of the workspace, tagged or not; 0 if it never was deleted
     */
    public record Horizon(long first, long tagged, long going, long start) {

        /** The horizon of a workspace of which nothing was pruned. */
        public static final Horizon NONE = new Horizon(1, 0, 0, 0);
    }

    private RevisionsLayout() {}

    /** The key of a revision; with 0 and a later one the bounds of a workspace's history. */
    public static byte[] key(String workspace, long revision) {
        return new KeyWriter().kind(REVISION).text(workspace).number(revision).bytes();
    }

    /** The number of the revision that a key is of. */
    public static long revision(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        reader.text();
        return reader.number();
    }

    public static byte[] touchedKey(String workspace, long revision, int part) {
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

    public static byte[] horizonKey(String workspace) {
        return new KeyWriter().kind(HORIZON).text(workspace).bytes();
    }

    /** The prefix of the horizons of all workspaces. */
    public static byte[] horizonPrefix() {
        return new KeyWriter().kind(HORIZON).bytes();
    }

    /** A bound behind the horizons of all workspaces. */
    public static byte[] horizonEnd() {
        return new KeyWriter().kind(HORIZON + 1).bytes();
    }

    /** The workspace that the key of a horizon is of. */
    public static String workspace(byte[] horizonKey) {
        KeyReader reader = new KeyReader(horizonKey);
        reader.kind();
        return reader.text();
    }

    public static byte[] write(Revision revision) {
        ValueWriter writer = new ValueWriter(2, 256)
                .number(revision.time())
                .text(revision.changeId())
                .text(revision.type())
                .optionalText(revision.bucket())
                .text(revision.status().text());
        for (int count : new int[] {
            revision.documents(),
            revision.added(),
            revision.changed(),
            revision.removed(),
            revision.affected(),
            revision.evaluated(),
            revision.emitted(),
            revision.withdrawn()
        }) {
            writer.number(count);
        }
        return writer.number(revision.renderedRevision())
                .number(revision.rendered())
                .bytes(revision.digest().bytes())
                .list(
                        revision.tags().entrySet(),
                        (to, tag) -> to.text(tag.getKey()).value(tag.getValue()))
                .list(revision.touched(), RevisionsLayout::writeTouched)
                .bytes();
    }

    public static Revision read(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 2, RevisionsLayout::revision);
    }

    private static Revision revision(ValueReader reader) {
        return new Revision(
                reader.number(),
                reader.text(),
                reader.text(),
                reader.optionalText(),
                OutcomeStatus.of(reader.text()),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.number(),
                reader.smallNumber(),
                Digest.ofBytes(reader.bytes()),
                tags(reader),
                reader.format() == 1 ? List.of() : reader.list(RevisionsLayout::touched));
    }

    private static SortedMap<String, MapValue> tags(ValueReader reader) {
        SortedMap<String, MapValue> tags = new TreeMap<>();
        reader.list(from -> tags.put(from.text(), (MapValue) from.value()));
        return tags;
    }

    public static byte[] writeTouched(List<Touched> touched) {
        return new ValueWriter(2, touched.size() * 64)
                .list(touched, RevisionsLayout::writeTouched)
                .bytes();
    }

    private static void writeTouched(ValueWriter writer, Touched item) {
        LayerGraphLayout.writeId(writer, item.document());
        writer.number(item.what()).number(item.documentBefore()).number(item.renderedBefore());
    }

    public static List<Touched> readTouched(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 2, all -> all.list(RevisionsLayout::touched));
    }

    private static Touched touched(ValueReader reader) {
        DocumentId document = LayerGraphLayout.readId(reader);
        int what = reader.smallNumber();
        long documentBefore = reader.number();
        long renderedBefore = reader.number();
        return reader.format() == 1
                ? Touched.of(document, what, 0, 0)
                : Touched.of(document, what, documentBefore, renderedBefore);
    }

    public static byte[] writeGap(Touched touched) {
        return new ValueWriter(1, 16).number(touched.what() & ~REMOVED).bytes();
    }

    public static Touched readGap(byte[] key, byte[] value) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        reader.text();
        reader.number();
        DocumentId document = DocumentsLayout.identity(reader);
        return ValueReader.read(STORE, key, value, 1, what -> Touched.of(document, what.smallNumber(), 0, 0));
    }

    public static byte[] writeHorizon(Horizon horizon) {
        return new ValueWriter(1, 48)
                .number(horizon.first())
                .number(horizon.tagged())
                .number(horizon.going())
                .number(horizon.start())
                .bytes();
    }

    public static Horizon readHorizon(byte[] key, byte[] value) {
        return ValueReader.read(
                STORE,
                key,
                value,
                1,
                reader -> new Horizon(reader.number(), reader.number(), reader.number(), reader.number()));
    }
}
