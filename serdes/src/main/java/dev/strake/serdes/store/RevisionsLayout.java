package dev.strake.serdes.store;

import dev.strake.engine.render.Digest;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.TouchedLayout.Touched;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The store of revisions, and of how far a workspace's history was pruned. {@link TouchedLayout} has the rest of it.
 *
 * <pre>
 * revision   key     0  workspace  revision
 *            value   2  time (ms): number  change id: text  type: text  bucket: optional text  status: text
 *                       documents, added, changed, removed, affected, evaluated, emitted, withdrawn: numbers
 *                       rendered revision, rendered: numbers  digest: bytes  tags: list of (text, value)
 *                       touched: list of what a touched list has, empty if there are more than four          format 2
 * horizon    key     3  workspace
 *            value   1  first, tagged, going, start: numbers                                               format 1
 * </pre>
 *
 * The last revision also says what a workspace is at its head. What a small revision touched stands in its own entry:
 * most revisions are small, and every entry is written, logged and pruned. Format 1 ends with the tags.
 */
public final class RevisionsLayout {

    public static final String STORE = "revisions";

    private static final int REVISION = 0;
    private static final int HORIZON = 3;

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
                .list(revision.touched(), TouchedLayout::write)
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
                reader.format() == 1 ? List.of() : reader.list(TouchedLayout::read));
    }

    private static SortedMap<String, MapValue> tags(ValueReader reader) {
        SortedMap<String, MapValue> tags = new TreeMap<>();
        reader.list(from -> tags.put(from.text(), (MapValue) from.value()));
        return tags;
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
