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
 * The store of revisions, and of which documents each of them touched.
 *
 * <pre>
 * revision   key     0  workspace  revision
 *            value   1  time (ms): number  change id: text  type: text  bucket: optional text  status: text
 *                       documents, added, changed, removed, affected, evaluated, emitted, withdrawn: numbers
 *                       rendered revision, rendered: numbers  digest: bytes  tags: list of (text, value)    format 1
 * touched    key     1  workspace  revision  part
 *            value   1  list of (identity  what: number)                                                   format 1
 *                       what  1 document edited · 2 rendering differs · 3 both
 * </pre>
 *
 * The last revision also says what a workspace is at its head. What a large revision touched is cut into parts, so that
 * no entry outgrows a record of the changelog.
 */
public final class RevisionsLayout {

    public static final String STORE = "revisions";

    /** Entries of one part of a touched list: with long names still well below a megabyte. */
    public static final int PART_SIZE = 2_000;

    private static final int REVISION = 0;
    private static final int TOUCHED = 1;

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
            SortedMap<String, MapValue> tags) {

        public Revision withTags(SortedMap<String, MapValue> newTags) {
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
                    newTags);
        }
    }

    /** A document that a revision touched. */
    public record Touched(DocumentId document, boolean edited, boolean rendered) {}

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

    public static byte[] write(Revision revision) {
        ValueWriter writer = new ValueWriter(1)
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
                .bytes();
    }

    public static Revision read(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 1, RevisionsLayout::revision);
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
                tags(reader));
    }

    private static SortedMap<String, MapValue> tags(ValueReader reader) {
        SortedMap<String, MapValue> tags = new TreeMap<>();
        reader.list(from -> tags.put(from.text(), (MapValue) from.value()));
        return tags;
    }

    public static byte[] writeTouched(List<Touched> touched) {
        return new ValueWriter(1, touched.size() * 64)
                .list(touched, (writer, item) -> {
                    LayerGraphLayout.writeId(writer, item.document());
                    writer.number((item.edited() ? 1 : 0) + (item.rendered() ? 2 : 0));
                })
                .bytes();
    }

    public static List<Touched> readTouched(byte[] key, byte[] value) {
        return ValueReader.read(
                STORE,
                key,
                value,
                1,
                all -> all.list(reader -> {
                    DocumentId document = LayerGraphLayout.readId(reader);
                    int what = reader.smallNumber();
                    return new Touched(document, (what & 1) != 0, (what & 2) != 0);
                }));
    }
}
