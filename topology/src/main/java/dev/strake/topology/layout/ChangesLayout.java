package dev.strake.topology.layout;

import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeEnvelope.Part;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.TextFormat;
import java.util.List;

/**
 * The store of applied changes, and of the parts of incomplete changes.
 *
 * <pre>
 * waiting     key     1  workspace  change id
 *             value   1  envelope of the last part  since (ms): number  bytes: number
 *                        parts received: list of (part, bytes of origins, id of the key, or 0: numbers)
 *                        dry run: flag  expected revision: optional text  removals: text
 *                        author, message: optional texts
 * part        key     2  workspace  change id  part
 *             value   the value of the part, byte for byte, then its origins
 * applied     key     3  workspace  change id
 *             value   1  status: text  revision: number  time (ms): number
 * </pre>
 *
 * With keys, all parts are encrypted, because their secrets are not known before they are parsed. See
 * {@link SealedEntry} for the associated data of a ciphertext.
 *
 * <p>Applied changes have the highest kind, so parts come before them. Otherwise a search for the next applied change
 * that finds none in a file of RocksDB would stop at a part and read all of it, up to 16 MiB.
 */
public final class ChangesLayout {

    public static final String STORE = "changes";

    private static final int WAITING = 1;
    private static final int PART = 2;
    private static final int APPLIED = 3;

    /** The result of an applied change. {@code revision} is the revision that it made, or else the head. */
    public record Applied(OutcomeStatus status, long revision, long time) {}

    /**
     * An incomplete change.
     *
     * @param since when its first part arrived, in milliseconds
     * @param bytes the size of all parts that have arrived
     * @param arrived the parts that have arrived, in the order of their arrival
     */
    public record Waiting(ChangeEnvelope envelope, long since, long bytes, List<Arrived> arrived) {

        /** Whether a part has arrived. */
        public boolean has(int part) {
            return arrived.stream().anyMatch(each -> each.part() == part);
        }
    }

    /**
     * A part that has arrived.
     *
     * @param originBytes the length of the origins at its end; 0 if it has none
     * @param key the id of the key that encrypts the part; 0 if it is in clear text
     */
    public record Arrived(int part, int originBytes, int key) {}

    private ChangesLayout() {}

    public static byte[] appliedKey(String workspace, String changeId) {
        return KeyWriter.of(APPLIED, workspace).text(changeId).bytes();
    }

    public static byte[] writeApplied(Applied applied) {
        return new ValueWriter(1)
                .text(applied.status().text())
                .number(applied.revision())
                .number(applied.time())
                .bytes();
    }

    public static Applied readApplied(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 1, ChangesLayout::applied);
    }

    private static Applied applied(ValueReader reader) {
        return new Applied(OutcomeStatus.of(reader.text()), reader.number(), reader.number());
    }

    /** The prefix of the applied changes of all workspaces; it is less than all their keys. */
    public static byte[] appliedPrefix() {
        return new KeyWriter().kind(APPLIED).bytes();
    }

    /** A bound greater than the keys of all applied changes. */
    public static byte[] appliedEnd() {
        return new KeyWriter().kind(APPLIED + 1).bytes();
    }

    public static byte[] waitingKey(String workspace, String changeId) {
        return KeyWriter.of(WAITING, workspace).text(changeId).bytes();
    }

    /** The prefix of the incomplete changes of all workspaces. */
    public static byte[] waitingPrefix() {
        return new KeyWriter().kind(WAITING).bytes();
    }

    public static byte[] partKey(String workspace, String changeId, int part) {
        return KeyWriter.of(PART, workspace).text(changeId).number(part).bytes();
    }

    public static byte[] writeWaiting(Waiting waiting) {
        ChangeEnvelope envelope = waiting.envelope();
        Carried carried = envelope.carried();
        Terms terms = envelope.terms();
        Note note = envelope.note();
        Long expected = terms.expectedRevision();
        return new ValueWriter(1)
                .text(envelope.workspace())
                .text(envelope.changeId())
                .text(envelope.typeText())
                .text(envelope.bucket())
                .number(envelope.part().number())
                .number(envelope.part().of())
                .text(envelope.format().name())
                .optionalText(carried.source())
                .optionalText(carried.time())
                .optionalText(carried.traceparent())
                .text(envelope.input())
                .number(envelope.timestamp())
                .number(waiting.since())
                .number(waiting.bytes())
                .list(
                        waiting.arrived(),
                        (writer, each) -> writer.number(each.part())
                                .number(each.originBytes())
                                .number(Integer.toUnsignedLong(each.key())))
                .flag(terms.dryRun())
                .optionalText(expected == null ? null : expected.toString())
                .text(terms.removals().toString())
                .flag(terms.asDeckhand())
                .optionalText(note.author())
                .optionalText(note.message())
                .bytes();
    }

    public static Waiting readWaiting(byte[] key, byte[] value) {
        return ValueReader.read(STORE, key, value, 1, ChangesLayout::waiting);
    }

    private static Waiting waiting(ValueReader reader) {
        String workspace = reader.text();
        String changeId = reader.text();
        String type = reader.text();
        ChangeEnvelope envelope = new ChangeEnvelope(
                workspace,
                new ChangeEnvelope.Id(changeId, null),
                new ChangeEnvelope.Kind(ChangeType.of(type).orElseThrow(), type),
                reader.text(),
                new ChangeEnvelope.Body(
                        new Part(reader.smallNumber(), reader.smallNumber()), TextFormat.valueOf(reader.text())),
                new ChangeEnvelope.Said(
                        new Carried(reader.optionalText(), reader.optionalText(), reader.optionalText()),
                        Terms.NONE,
                        Note.NONE),
                new ChangeEnvelope.Arrival(reader.text(), reader.number()));
        long since = reader.number();
        long bytes = reader.number();
        List<Arrived> arrived = reader.list(ChangesLayout::arrived);
        return new Waiting(withMore(envelope, reader), since, bytes, arrived);
    }

    private static ChangeEnvelope withMore(ChangeEnvelope envelope, ValueReader reader) {
        boolean dryRun = reader.flag();
        String expected = reader.optionalText();
        return envelope.with(
                new Terms(
                        dryRun,
                        expected == null ? null : Long.valueOf(expected),
                        RemovalLimit.parse(reader.text()),
                        reader.flag()),
                new Note(reader.optionalText(), reader.optionalText()));
    }

    private static Arrived arrived(ValueReader reader) {
        return new Arrived(reader.smallNumber(), reader.smallNumber(), (int) reader.number());
    }
}
