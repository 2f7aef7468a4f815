package dev.strake.topology.layout;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.secret.SecretKeys;
import java.util.Optional;

/**
 * The store of renderings, with their whole history, and of records that are held back from consumers. The rendered
 * data itself is not stored but derived again from the documents. A hash of the data tells whether the derived data is
 * the same as before. A hash of the record tells whether two revisions have the same record.
 *
 * <pre>
 * rendering   key     0  workspace  schema  layer  name  revision
 *             value   1  flags: number  [ data: fingerprint ]  [ record: fingerprint ]  [ problem: value ]
 *                        flags 1 data · 2 record · 4 problem · 8 in the rendered set · 16 removed
 * held        key     1  workspace  schema  name
 *             value   1  there: flag  [ record: fingerprint  digest: 32 bytes  marked as secret: flag  form: text ]
 * derived     key     2  workspace  schema  name  revision
 *             value   1  there: flag  [ owner: identity  record: fingerprint ]
 * </pre>
 *
 * Entries with hashes of secret data are {@linkplain SealedEntry sealed}.
 */
public final class RenderedLayout {

    public static final String STORE = "rendered";

    private static final int RENDERING = 0;
    private static final int HELD = 1;
    private static final int DERIVED = 2;

    private static final int HAS_DATA = 1;
    private static final int HAS_RECORD = 2;
    private static final int HAS_PROBLEM = 4;
    private static final int IN_RENDERED_SET = 8;
    private static final int REMOVED = 16;

    /**
     * The rendering of a document in a revision.
     *
     * @param data hash of the rendered data as written; null if the document did not render
     * @param record hash of the content of its record; null if it has no record
     * @param problem null if there is no problem
     * @param inRenderedSet whether the document is published if it has no problem
     */
    public record Rendering(
            boolean removed, Fingerprint data, Fingerprint record, Problem problem, boolean inRenderedSet) {

        public static final Rendering REMOVED = new Rendering(true, null, null, null, false);

        /** Returns the rendering of an evaluation. */
        public static Rendering of(Evaluation evaluation, boolean inRenderedSet) {
            Output output = evaluation.output();
            return new Rendering(
                    false,
                    evaluation.data(),
                    output == null ? null : output.record(),
                    evaluation.problem(),
                    inRenderedSet);
        }

        /* Removes the hashes. A reader without the key finds neither data nor problem, and reports the missing key. */
        private Rendering withoutHashes() {
            return new Rendering(removed, null, null, problem, inRenderedSet);
        }

        private boolean hasNoHashes() {
            return !removed && data == null && problem == null;
        }

        private Rendering with(Problem other) {
            return new Rendering(removed, data, record, other, inRenderedSet);
        }

        /* Replaces the hashes of a document that can be rendered again. */
        private Rendering withLostHashes() {
            return new Rendering(
                    removed, Fingerprint.LOST, isInOrder() ? Fingerprint.LOST : null, problem, inRenderedSet);
        }

        /** Whether the document is published: it is in the rendered set and has no problem. */
        public boolean isInOrder() {
            return inRenderedSet && problem == null;
        }
    }

    /**
     * A derived document in a revision.
     *
     * @param owner the owner of the document; null if there is no derived document, or if it is in trouble
     * @param record hash of the content of its record
     */
    public record DerivedRecord(DocumentId owner, Fingerprint record) {

        public static final DerivedRecord NONE = new DerivedRecord(null, null);

        public boolean isThere() {
            return owner != null;
        }
    }

    private RenderedLayout() {}

    /** Returns the key of a rendering. The keys of revision 0 and a later one are the bounds of its history. */
    public static byte[] key(String workspace, DocumentId id, long revision) {
        return KeyWriter.of(RENDERING, workspace).id(id).number(revision).bytes();
    }

    /** The prefix of the keys of all renderings of a workspace. */
    public static byte[] prefix(String workspace) {
        return KeyWriter.of(RENDERING, workspace).bytes();
    }

    public static DocumentId document(byte[] key) {
        return KeyReader.afterWorkspace(key).id();
    }

    /** Writes a rendering of secret data; with keys, sealed. */
    public static byte[] write(SecretKeys keys, byte[] key, Rendering rendering) {
        return SealedEntry.write(keys, STORE, key, write(rendering), () -> write(rendering.withoutHashes()));
    }

    /**
     * Seals a stored entry if it has hashes.
     *
     * @param isSecret whether the document cannot be rendered again without keys
     */
    public static byte[] seal(SecretKeys keys, byte[] key, byte[] value, boolean isSecret) {
        if (key[0] == DERIVED) {
            return writeDerived(keys, key, readDerived(keys, key, value));
        }
        if (key[0] == HELD) {
            return writeHeld(keys, key, readHeld(keys, key, value));
        }
        Rendering rendering = read(keys, key, value);
        if (rendering.removed()) {
            return value; // pruning compares these bytes
        }
        Rendering withoutHashes = isSecret ? rendering.withoutHashes() : rendering.withLostHashes();
        return SealedEntry.write(keys, STORE, key, value, () -> write(withoutHashes));
    }

    public static boolean isRendering(byte[] key) {
        return key[0] == RENDERING;
    }

    /** Reads a rendering, which may be sealed. */
    public static Rendering read(SecretKeys keys, byte[] key, byte[] bytes) {
        SealedEntry.Opened opened = SealedEntry.open(keys, STORE, key, bytes);
        Rendering rendering = ValueReader.read(STORE, key, opened.value(), 1, RenderedLayout::rendering);
        return opened.missing() != null && rendering.hasNoHashes()
                ? rendering.with(opened.missing().problemOfHashes(document(key)))
                : rendering;
    }

    /** Writes a rendering. Pruning compares the bytes of removed ones. */
    public static byte[] write(Rendering rendering) {
        int flags = (rendering.removed() ? REMOVED : 0)
                | (rendering.data() == null ? 0 : HAS_DATA)
                | (rendering.record() == null ? 0 : HAS_RECORD)
                | (rendering.problem() == null ? 0 : HAS_PROBLEM)
                | (rendering.inRenderedSet() ? IN_RENDERED_SET : 0);
        ValueWriter writer = new ValueWriter(1).number(flags);
        if (rendering.data() != null) {
            writer.fingerprint(rendering.data());
        }
        if (rendering.record() != null) {
            writer.fingerprint(rendering.record());
        }
        if (rendering.problem() != null) {
            writer.value(ProblemJson.write(rendering.problem()));
        }
        return writer.bytes();
    }

    private static Rendering rendering(ValueReader reader) {
        int flags = reader.smallNumber();
        Fingerprint data = (flags & HAS_DATA) == 0 ? null : reader.fingerprint();
        Fingerprint record = (flags & HAS_RECORD) == 0 ? null : reader.fingerprint();
        Problem problem = (flags & HAS_PROBLEM) == 0 ? null : ProblemJson.read(reader.value());
        return new Rendering((flags & REMOVED) != 0, data, record, problem, (flags & IN_RENDERED_SET) != 0);
    }

    /** Returns the key of a derived document. The keys of revision 0 and a later one are the bounds of its history. */
    public static byte[] derivedKey(String workspace, DocumentKey key, long revision) {
        return KeyWriter.of(DERIVED, workspace).key(key).number(revision).bytes();
    }

    /** The prefix of the keys of all derived documents of a workspace. */
    public static byte[] derivedPrefix(String workspace) {
        return KeyWriter.of(DERIVED, workspace).bytes();
    }

    /** Returns the schema and name in the key of a derived document. */
    public static DocumentKey derived(byte[] key) {
        return held(key);
    }

    public static byte[] writeDerived(DerivedRecord derived) {
        ValueWriter writer = new ValueWriter(1, 64).flag(derived.isThere());
        if (derived.isThere()) {
            writer.id(derived.owner()).fingerprint(derived.record());
        }
        return writer.bytes();
    }

    /** Writes a derived document of a workspace with secrets; with keys, sealed. */
    public static byte[] writeDerived(SecretKeys keys, byte[] key, DerivedRecord derived) {
        if (!derived.isThere()) {
            return writeDerived(derived); // pruning compares these bytes
        }
        DerivedRecord withoutHashes = new DerivedRecord(derived.owner(), Fingerprint.LOST);
        return SealedEntry.write(keys, STORE, key, writeDerived(derived), () -> writeDerived(withoutHashes));
    }

    /** Reads a derived document, which may be sealed. */
    public static DerivedRecord readDerived(SecretKeys keys, byte[] key, byte[] bytes) {
        return ValueReader.read(
                STORE,
                key,
                SealedEntry.open(keys, STORE, key, bytes).value(),
                1,
                reader -> reader.flag() ? new DerivedRecord(reader.id(), reader.fingerprint()) : DerivedRecord.NONE);
    }

    /** The key of the entry for a record that is held back. */
    public static byte[] heldKey(String workspace, DocumentKey key) {
        return KeyWriter.of(HELD, workspace).key(key).bytes();
    }

    /** The prefix of all keys of held records of a workspace. */
    public static byte[] heldPrefix(String workspace) {
        return KeyWriter.of(HELD, workspace).bytes();
    }

    public static DocumentKey held(byte[] key) {
        return KeyReader.afterWorkspace(key).key();
    }

    /** Writes the record that consumers see under a key; empty if there is none. */
    public static byte[] writeHeld(Optional<Output> output) {
        ValueWriter writer = new ValueWriter(1).flag(output.isPresent());
        output.ifPresent(present -> {
            writeOutput(writer, present);
            writer.flag(present.secret()).text(present.form());
        });
        return writer.bytes();
    }

    /** As {@link #writeHeld(Optional)}, in a workspace with secrets; with keys, sealed. */
    public static byte[] writeHeld(SecretKeys keys, byte[] key, Optional<Output> output) {
        return SealedEntry.write(
                keys, STORE, key, writeHeld(output), () -> writeHeld(output.map(present -> Output.LOST)));
    }

    /** Reads a record that consumers see, which may be sealed. */
    public static Optional<Output> readHeld(SecretKeys keys, byte[] key, byte[] bytes) {
        byte[] value = SealedEntry.open(keys, STORE, key, bytes).value();
        return ValueReader.read(STORE, key, value, 1, RenderedLayout::output);
    }

    private static Optional<Output> output(ValueReader reader) {
        if (!reader.flag()) {
            return Optional.empty();
        }
        return Optional.of(
                new Output(reader.fingerprint(), Digest.ofBytes(reader.bytes()), reader.flag(), reader.text()));
    }

    /** Writes all but the mark and the form, which are written elsewhere. */
    static void writeOutput(ValueWriter writer, Output output) {
        writer.fingerprint(output.record()).bytes(output.digest().bytes());
    }

    static Output readOutput(ValueReader reader, boolean secret) {
        return new Output(reader.fingerprint(), Digest.ofBytes(reader.bytes()), secret);
    }
}
