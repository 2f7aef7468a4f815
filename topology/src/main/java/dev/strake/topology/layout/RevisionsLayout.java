package dev.strake.topology.layout;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome.Documents;
import dev.strake.serdes.outcome.Outcome.Work;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.SecretKeys;
import dev.strake.topology.layout.RevisionsLayout.Revision.Change;
import dev.strake.topology.layout.RevisionsLayout.Revision.Published;
import dev.strake.topology.layout.RevisionsLayout.Revision.Result;
import dev.strake.topology.layout.TouchedLayout.Touched;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The store of revisions, and of the extent to which the history of a workspace is pruned. {@link TouchedLayout}
 * describes the store's other entries.
 *
 * <pre>
 * revision   key     0  workspace  revision
 *            value   1  time (ms): number  change id: text  type: text  buckets: list of text
 *                       restored: number, 0 for none, else the number of the revision + 1
 *                       author, message, principal: optional texts  status: text
 *                       documents, added, changed, removed, affected, evaluated, emitted, tombstones: numbers
 *                       rendered revision, rendered: numbers  digest: bytes  form of the records with secrets: text
 *                       tags: list of (text, value)
 *                       touched: list of items as in a touched list, empty if there are more than four
 *                       limits of a rendered document: bytes, depth, padding, effort: numbers
 * horizon    key     3  workspace
 *            value   1  first, tagged, start: numbers  validated: flag
 * </pre>
 *
 * Revisions are {@linkplain SealedEntry sealed} if consumers may see secrets in clear text. {@link KeysLayout} has the
 * entries of keys, {@link ValidationsLayout} those of posted results.
 *
 * <p>The last revision also describes the head of its workspace. If a revision touched few documents, its own entry
 * lists them. Most revisions are small, and each additional entry would have to be written, logged and pruned.
 */
public final class RevisionsLayout {

    public static final String STORE = "revisions";

    private static final int REVISION = 0;
    private static final int HORIZON = 3;

    /**
     * A revision.
     *
     * @param time when the revision was made, in milliseconds
     * @param change the change that made it
     * @param result the result of the change
     * @param published what consumers saw after the revision
     * @param touched the touched documents, if they are few; otherwise empty, and entries of {@link TouchedLayout} list
     *     them. Every revision touches at least one document
     * @param limits the limits with which its documents were rendered
     */
    public record Revision(
            long time,
            Change change,
            Result result,
            Published published,
            SortedMap<String, MapValue> tags,
            List<Touched> touched,
            RenderLimits limits) {

        /**
         * The change that made a revision.
         *
         * @param buckets the buckets whose documents the change edited, in order: the bucket of the change, or else at
         *     most {@link #MOST_BUCKETS} buckets
         * @param restored the revision that a rollback returned to; null for other changes
         * @param note who made the change, and why
         */
        public record Change(String id, String type, List<String> buckets, Long restored, Note note) {

            /** With the longest names, the list takes 128 KB. */
            public static final int MOST_BUCKETS = 1_000;

            public Change {
                buckets = List.copyOf(buckets);
            }

            /** The bucket of a change of one bucket; null for other changes. */
            public String bucket() {
                return ChangeType.of(type).filter(ChangeType::isOfBucket).isPresent() ? buckets.get(0) : null;
            }
        }

        /**
         * The result of a change.
         *
         * @param documents the number of documents in the workspace, and of documents that the change touched
         * @param work the work that the change caused
         */
        public record Result(OutcomeStatus status, Documents documents, Work work) {}

        /**
         * What consumers saw.
         *
         * @param revision the last revision, up to this one, that was published as a whole; 0 for none
         * @param records number of records
         * @param digest digest of these records
         * @param form the form of records with secrets; empty for clear text, and if there are none
         */
        public record Published(long revision, int records, Digest digest, String form) {}

        public OutcomeStatus status() {
            return result.status();
        }

        public Documents documents() {
            return result.documents();
        }

        public Work work() {
            return result.work();
        }

        public Revision withTags(SortedMap<String, MapValue> others) {
            return new Revision(time, change, result, published, others, touched, limits);
        }

        public Revision withTouched(List<Touched> others) {
            return new Revision(time, change, result, published, tags, others, limits);
        }

        private Revision withoutDigest() {
            Published without = new Published(published.revision, published.records, Digest.ZERO, published.form);
            return new Revision(time, change, result, without, tags, touched, limits);
        }
    }

    /**
     * How far the history of a workspace is pruned.
     *
     * @param first below this revision, only tagged revisions are kept, and none below {@code start}
     * @param tagged the last kept revision below {@code first}; 0 for none. If it is not below {@code first}, it must
     *     be searched again
     * @param start all revisions below this one, tagged or not, were deleted with the workspace; 0 if it was
     *     never deleted
     * @param validated whether validation results were ever posted; if not, pruning need not search for them
     */
    public record Horizon(long first, long tagged, long start, boolean validated) {

        /** The horizon of a workspace without pruned revisions. */
        public static final Horizon NONE = new Horizon(1, 0, 0, false);

        public Horizon at(long newFirst, long newTagged) {
            return new Horizon(newFirst, newTagged, start, validated);
        }
    }

    private RevisionsLayout() {}

    /** Returns the key of a revision. The keys of 0 and a later revision are the bounds of a workspace's history. */
    public static byte[] key(String workspace, long revision) {
        return KeyWriter.of(REVISION, workspace).number(revision).bytes();
    }

    public static long revision(byte[] key) {
        return KeyReader.afterWorkspace(key).number();
    }

    public static byte[] horizonKey(String workspace) {
        return KeyWriter.of(HORIZON, workspace).bytes();
    }

    /** The prefix of the horizons of all workspaces. */
    public static byte[] horizonPrefix() {
        return new KeyWriter().kind(HORIZON).bytes();
    }

    /** A bound greater than the keys of all horizons. */
    public static byte[] horizonEnd() {
        return new KeyWriter().kind(HORIZON + 1).bytes();
    }

    public static boolean isRevision(byte[] key) {
        return key[0] == REVISION;
    }

    public static byte[] write(Revision revision) {
        Change change = revision.change();
        Documents documents = revision.documents();
        Work work = revision.work();
        Published published = revision.published();
        Note note = change.note();
        return new ValueWriter(1, 256)
                .number(revision.time())
                .text(change.id())
                .text(change.type())
                .list(change.buckets(), ValueWriter::text)
                .number(change.restored() == null ? 0 : change.restored() + 1)
                .optionalText(note.author())
                .optionalText(note.message())
                .optionalText(note.principal())
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
                .text(published.form())
                .list(
                        revision.tags().entrySet(),
                        (to, tag) -> to.text(tag.getKey()).value(tag.getValue()))
                .list(revision.touched(), TouchedLayout::write)
                .number(revision.limits().bytes())
                .number(revision.limits().depth())
                .number(revision.limits().padding())
                .number(revision.limits().effort())
                .bytes();
    }

    /** Writes a revision; with keys, sealed: the digest of a few records reveals as much as a hash of one. */
    public static byte[] write(SecretKeys keys, byte[] key, Revision revision) {
        return SealedEntry.write(keys, STORE, key, write(revision), () -> write(revision.withoutDigest()));
    }

    /** Reads a revision, which may be sealed. Without the key, the digest is zero. */
    public static Revision read(SecretKeys keys, byte[] key, byte[] value) {
        byte[] opened = SealedEntry.open(keys, STORE, key, value).value();
        return ValueReader.read(STORE, key, opened, 1, RevisionsLayout::revision);
    }

    /* Java evaluates arguments from left to right, which is the order of the layout. */
    private static Revision revision(ValueReader reader) {
        return new Revision(
                reader.number(),
                new Change(
                        reader.text(), reader.text(), reader.list(ValueReader::text), restored(reader), note(reader)),
                new Result(OutcomeStatus.of(reader.text()), documents(reader), work(reader)),
                new Published(reader.number(), reader.smallNumber(), Digest.ofBytes(reader.bytes()), reader.text()),
                tags(reader),
                reader.list(TouchedLayout::read),
                limits(reader));
    }

    private static Long restored(ValueReader reader) {
        long number = reader.number();
        return number == 0 ? null : Long.valueOf(number - 1);
    }

    private static Note note(ValueReader reader) {
        return new Note(reader.optionalText(), reader.optionalText(), reader.optionalText());
    }

    private static Documents documents(ValueReader reader) {
        return new Documents(reader.smallNumber(), reader.smallNumber(), reader.smallNumber(), reader.smallNumber());
    }

    private static Work work(ValueReader reader) {
        return new Work(reader.smallNumber(), reader.smallNumber(), reader.smallNumber(), reader.smallNumber());
    }

    /* The effort limit of a whole change is not stored, because it does not affect rendered documents. */
    private static RenderLimits limits(ValueReader reader) {
        return new RenderLimits(
                reader.number(),
                reader.smallNumber(),
                reader.smallNumber(),
                reader.number(),
                RenderLimits.DEFAULT.changeEffort());
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
                .number(horizon.start())
                .flag(horizon.validated())
                .bytes();
    }

    public static Horizon readHorizon(byte[] key, byte[] value) {
        return ValueReader.read(
                STORE,
                key,
                value,
                1,
                reader -> new Horizon(reader.number(), reader.number(), reader.number(), reader.flag()));
    }
}
