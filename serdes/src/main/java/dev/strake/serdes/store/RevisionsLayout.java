package dev.strake.serdes.store;

import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.Digest;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome.Documents;
import dev.strake.serdes.outcome.Outcome.Work;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.serdes.store.RevisionsLayout.Revision.Change;
import dev.strake.serdes.store.RevisionsLayout.Revision.Ids;
import dev.strake.serdes.store.RevisionsLayout.Revision.Published;
import dev.strake.serdes.store.RevisionsLayout.Revision.TagChange;
import dev.strake.serdes.store.TouchedLayout.Touched;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The store of revisions, and of how far a workspace's history was pruned. {@link TouchedLayout} describes the store's
 * other entries.
 *
 * <pre>
 * revision   key     0  workspace  revision
 *            value   3  time (ms): number  change id: text  type: text  bucket: optional text  status: text
 *                       documents, added, changed, removed, affected, evaluated, emitted, tombstones: numbers
 *                       rendered revision, rendered: numbers  digest: bytes  tags: list of (text, value)
 *                       touched: list of items as in a touched list, empty if there are more than four
 *                       limits of a rendered document: bytes, depth, padding, effort: numbers                format 3
 *                       author, message: optional texts                                                      format 4
 *                       principal: text                                                                      format 5
 *                       form of the records of secret documents: text; the principal is optional             format 6
 *                       topic of the change id: optional text
 *                       changes of tags: list of (id: text  topic: optional text  head, time (ms): numbers)  format 7
 * horizon    key     3  workspace
 *            value   1  first, tagged, going, start: numbers                                               format 1
 * </pre>
 *
 * Revisions are {@linkplain SealedEntry sealed} where consumers may hold secrets in clear text. {@link KeysLayout} has the entries of keys.
 *
 * <p>The last revision also describes the head of its workspace. If a revision touched few documents, its own entry lists
 * them. Most revisions are small, and each further entry would have to be written, logged and pruned. Formats 3 to 6 are written
 * where the end would be empty: format 6 ends with the form, format 5 with the principal, format 4 with the note, format 3 with the
 * limits. Format 2 ends with the touched documents, format 1 with the tags.
 */
public final class RevisionsLayout {

    public static final String STORE = "revisions";

    private static final int REVISION = 0;
    private static final int HORIZON = 3;

    /**
     * A revision.
     *
     * @param time when it was made, in milliseconds
     * @param change the change that made it
     * @param documents how many documents the workspace had, and how many the change touched
     * @param work the work that the change caused
     * @param published what consumers held after the revision
     * @param touched the touched documents, if they are few; otherwise empty, and entries of {@link TouchedLayout} list
     *     them. Every revision touches at least one document
     * @param limits the limits within which its documents were rendered
     * @param note who made the change, and why
     * @param form in which records of secret documents are published; empty for clear text, and if there are none
     * @param ids more of the ids of the changes that wrote it
     */
    public record Revision(
            long time,
            Change change,
            OutcomeStatus status,
            Documents documents,
            Work work,
            Published published,
            SortedMap<String, TagData> tags,
            List<Touched> touched,
            RenderLimits limits,
            Note note,
            String form,
            Ids ids) {

        /** A revision that publishes secret documents in clear text, by a change with an id that its author gave it. */
        public Revision(
                long time,
                Change change,
                OutcomeStatus status,
                Documents documents,
                Work work,
                Published published,
                SortedMap<String, TagData> tags,
                List<Touched> touched,
                RenderLimits limits,
                Note note) {
            this(time, change, status, documents, work, published, tags, touched, limits, note, "", Ids.NONE);
        }

        /**
         * The change that made a revision.
         *
         * @param bucket null for changes that do not concern a bucket
         */
        public record Change(String id, String type, String bucket) {}

        /**
         * What the store of applied changes knows of a revision, so that it can be told again if that store loses it.
         *
         * @param topic the id of the topic that the change's id is a position in; null if its author gave it one, and
         *     in revisions of earlier builds
         * @param ofTags the newest changes that set or removed tags of the revision, the oldest of them first
         */
        public record Ids(String topic, List<TagChange> ofTags) {

            public static final Ids NONE = new Ids(null, List.of());
        }

        /**
         * A change that set or removed a tag.
         *
         * @param topic the id of the topic that the id is a position in; null if the author gave the change its id
         * @param head the last revision of the workspace then
         * @param time when it was applied, in milliseconds
         */
        public record TagChange(String id, String topic, long head, long time) {}

        /**
         * What consumers held.
         *
         * @param revision the last revision, up to this one, that was published as a whole; 0 for none
         * @param records number of records
         * @param digest digest of these records
         */
        public record Published(long revision, int records, Digest digest) {}

        public Revision withTags(SortedMap<String, TagData> others) {
            return withTags(others, ids.ofTags());
        }

        /** The same with other tags, and the changes that brought them. */
        public Revision withTags(SortedMap<String, TagData> others, List<TagChange> by) {
            return with(published, others, touched, new Ids(ids.topic(), by));
        }

        Revision withPublished(Published other) {
            return with(other, tags, touched, ids);
        }

        public Revision withTouched(List<Touched> others) {
            return with(published, tags, others, ids);
        }

        private Revision with(
                Published holds, SortedMap<String, TagData> tagged, List<Touched> documentsTouched, Ids known) {
            return new Revision(
                    time, change, status, documents, work, holds, tagged, documentsTouched, limits, note, form, known);
        }
    }

    /**
     * How far the history of a workspace was pruned.
     *
     * @param first below this revision, there are only tagged revisions, and those that {@code start} gives up
     * @param tagged the last kept revision below {@code first}; 0 for none. If it is not below {@code first}, it has to
     *     be searched again
     * @param going the revision that is being pruned: its record is removed, other entries may be left; 0 for none
     * @param start revisions below this one were given up when the workspace was deleted, tagged or not; 0 if it never
     *     was deleted
     */
    public record Horizon(long first, long tagged, long going, long start) {

        /** The horizon of a workspace without pruned revisions. */
        public static final Horizon NONE = new Horizon(1, 0, 0, 0);
    }

    private RevisionsLayout() {}

    /** The key of a revision. The keys of 0 and a later revision are the bounds of a workspace's history. */
    public static byte[] key(String workspace, long revision) {
        return new KeyWriter().kind(REVISION).text(workspace).number(revision).bytes();
    }

    /** The revision number in the key of a revision. */
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

    /** A bound greater than the keys of all horizons. */
    public static byte[] horizonEnd() {
        return new KeyWriter().kind(HORIZON + 1).bytes();
    }

    /** Whether a key of this store is that of a revision. */
    public static boolean isRevision(byte[] key) {
        return key[0] == REVISION;
    }

    /** The workspace in the key of a horizon or of a revision. */
    public static String workspace(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        return reader.text();
    }

    public static byte[] write(Revision revision) {
        Change change = revision.change();
        Documents documents = revision.documents();
        Work work = revision.work();
        Published published = revision.published();
        Note note = revision.note();
        ValueWriter value = new ValueWriter(format(revision), 256)
                .number(revision.time())
                .text(change.id())
                .text(change.type())
                .optionalText(change.bucket())
                .text(revision.status().text())
                .number(documents.total())
                .number(documents.added())
                .number(documents.changed())
                .number(documents.removed())
                .number(work.affected())
                .number(work.evaluated())
                .number(work.emitted())
                .number(work.removed())
                .number(published.revision())
                .number(published.records())
                .bytes(published.digest().bytes())
                .list(
                        revision.tags().entrySet(),
                        (to, tag) -> to.text(tag.getKey()).bytes(tag.getValue().json()))
                .list(revision.touched(), TouchedLayout::write)
                .number(revision.limits().bytes())
                .number(revision.limits().depth())
                .number(revision.limits().padding())
                .number(revision.limits().effort());
        if (format(revision) >= 4) {
            value.optionalText(note.author()).optionalText(note.message());
        }
        if (format(revision) == 5) {
            value.text(note.principal());
        } else if (format(revision) >= 6) {
            value.optionalText(note.principal()).text(revision.form());
        }
        if (format(revision) == 7) {
            value.optionalText(revision.ids().topic()).list(revision.ids().ofTags(), RevisionsLayout::writeTagChange);
        }
        return value.bytes();
    }

    private static int format(Revision revision) {
        if (!revision.ids().equals(Ids.NONE)) {
            return 7;
        }
        Note note = revision.note();
        return !revision.form().isEmpty() ? 6 : note.principal() != null ? 5 : note.equals(Note.NONE) ? 3 : 4;
    }

    private static void writeTagChange(ValueWriter writer, TagChange change) {
        writer.text(change.id()).optionalText(change.topic()).number(change.head());
        writer.number(change.time());
    }

    private static TagChange tagChange(ValueReader reader) {
        return new TagChange(reader.text(), reader.optionalText(), reader.number(), reader.number());
    }

    /** The same, sealed: the digest of few records in clear text is as good as a hash of one. */
    public static byte[] write(SecretKeys keys, byte[] key, Revision revision) {
        Published published = revision.published();
        byte[] withoutHashes =
                write(revision.withPublished(new Published(published.revision(), published.records(), Digest.ZERO)));
        return SealedEntry.write(keys, STORE, key, write(revision), withoutHashes);
    }

    /** The same, which may be sealed. Without its key, the digest is zero. */
    public static Revision read(SecretKeys keys, byte[] key, byte[] value) {
        return read(key, SealedEntry.open(keys, STORE, key, value).value());
    }

    public static Revision read(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 7, reader -> revision(key, reader));
    }

    /* Java evaluates arguments from left to right, in the order of the layout. */
    private static Revision revision(byte[] key, ValueReader reader) {
        return new Revision(
                reader.number(),
                new Change(reader.text(), reader.text(), reader.optionalText()),
                OutcomeStatus.of(reader.text()),
                new Documents(reader.smallNumber(), reader.smallNumber(), reader.smallNumber(), reader.smallNumber()),
                new Work(reader.smallNumber(), reader.smallNumber(), reader.smallNumber(), reader.smallNumber()),
                new Published(reader.number(), reader.smallNumber(), Digest.ofBytes(reader.bytes())),
                tags(key, reader),
                reader.format() == 1 ? List.of() : reader.list(TouchedLayout::read),
                reader.format() <= 2 ? RenderLimits.DEFAULT : limits(reader),
                reader.format() <= 3
                        ? Note.NONE
                        : new Note(
                                reader.optionalText(),
                                reader.optionalText(),
                                reader.format() <= 4
                                        ? null
                                        : reader.format() == 5 ? reader.text() : reader.optionalText()),
                reader.format() <= 5 ? "" : reader.text(),
                reader.format() <= 6
                        ? Ids.NONE
                        : new Ids(reader.optionalText(), reader.list(RevisionsLayout::tagChange)));
    }

    /* The effort limit of a whole change is not stored: it does not affect what documents render to. */
    private static RenderLimits limits(ValueReader reader) {
        return new RenderLimits(
                reader.number(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.number(),
                RenderLimits.DEFAULT.changeEffort());
    }

    private static SortedMap<String, TagData> tags(byte[] key, ValueReader reader) {
        SortedMap<String, TagData> tags = new TreeMap<>();
        reader.list(from -> tags.put(from.text(), new TagData(key, from.bytes())));
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
