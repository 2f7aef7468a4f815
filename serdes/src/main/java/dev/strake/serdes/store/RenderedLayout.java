package dev.strake.serdes.store;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.document.Problem;
import dev.strake.engine.render.Digest;
import dev.strake.engine.render.Output;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.bytes.KeyReader;
import dev.strake.serdes.bytes.KeyWriter;
import dev.strake.serdes.bytes.ValueReader;
import dev.strake.serdes.bytes.ValueWriter;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.text.JsonValues;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The store of what became of documents, with all its history, and of what is held back from consumers. The data that
 * they rendered to is mostly not kept: the documents are, and it can be worked out from them. Its hash tells whether two
 * revisions differ, and whether what was worked out is what was published. The data itself is kept once the document is
 * made of other things that come to the same, because its keys may then come in another order.
 *
 * <pre>
 * rendering   key     0  workspace  schema  layer  name  revision
 *             value   2  kind: number  [ data: fingerprint or value ]  [ problem: text ]  in: flag  format 2
 *                     1  kind: number  [ data: value ]  [ problem: text ]  in: flag               format 1
 *                        kind  0 removed · 1 same as published (format 1) · 2 data · 3 problem · 4 data and problem;
 *                              in format 2 the data of 2 and 4 is a fingerprint, that of 5 and 7 the value
 *                        in    whether the document is in the rendered set
 * held        key     1  workspace  schema  name
 *             value   1  there: flag  [ record: fingerprint  digest: 32 bytes ]                   format 1
 * </pre>
 */
public final class RenderedLayout {

    public static final String STORE = "rendered";

    private static final int RENDERING = 0;
    private static final int HELD = 1;

    private static final int REMOVED = 0;
    private static final int DATA = 2;
    private static final int PROBLEM = 3;
    private static final int DATA_AND_PROBLEM = 4;
    private static final int KEPT = 3; // is added to the two with data

    /**
     * What became of a document in a revision.
     *
     * @param data hash of what it rendered to; null if it did not, or if that is not known: an earlier program noted
     *     only that it was what was published
     * @param kept what it rendered to, if that is kept; null otherwise
     * @param problem null if nothing is wrong
     * @param inRenderedSet whether it is published, if nothing is wrong
     */
    public record Rendering(boolean removed, Fingerprint data, Value kept, Problem problem, boolean inRenderedSet) {

        public static final Rendering REMOVED = new Rendering(true, null, null, null, false);

        /** The same with its data, which has the hash that is known. */
        public Rendering keeping(Value value) {
            return new Rendering(removed, data, value, problem, inRenderedSet);
        }
    }

    private RenderedLayout() {}

    /** The key of a rendering; with revision 0 and a later one the bounds of a document's history. */
    public static byte[] key(String workspace, DocumentId id, long revision) {
        return DocumentsLayout.identity(new KeyWriter().kind(RENDERING).text(workspace), id)
                .number(revision)
                .bytes();
    }

    public static byte[] write(Rendering rendering) {
        if (rendering.removed()) {
            return new ValueWriter(1).number(REMOVED).flag(false).bytes(); // as ever: pruning knows it by its bytes
        }
        boolean hasData = rendering.data() != null;
        boolean hasProblem = rendering.problem() != null;
        int kind = !hasData ? PROBLEM : hasProblem ? DATA_AND_PROBLEM : DATA;
        ValueWriter writer = new ValueWriter(2).number(rendering.kept() == null ? kind : kind + KEPT);
        if (rendering.kept() != null) {
            writer.value(rendering.kept());
        } else if (hasData) {
            writer.fingerprint(rendering.data());
        }
        if (hasProblem) {
            writer.text(problem(rendering));
        }
        return writer.flag(rendering.inRenderedSet()).bytes();
    }

    private static String problem(Rendering rendering) {
        return new String(JsonValues.write(ProblemJson.write(rendering.problem())), StandardCharsets.UTF_8);
    }

    public static Rendering read(byte[] key, byte[] bytes) {
        return ValueReader.read(STORE, key, bytes, 2, RenderedLayout::rendering);
    }

    private static Rendering rendering(ValueReader reader) {
        int number = reader.smallNumber();
        boolean isKept = number == DATA + KEPT || number == DATA_AND_PROBLEM + KEPT;
        int kind = isKept ? number - KEPT : number;
        boolean hasData = kind == DATA || kind == DATA_AND_PROBLEM;
        Value kept = hasData && (isKept || reader.format() == 1) ? reader.value() : null;
        Fingerprint data = !hasData ? null : kept == null ? reader.fingerprint() : kept.fingerprint();
        Problem problem = kind == PROBLEM || kind == DATA_AND_PROBLEM
                ? ProblemJson.read(JsonValues.read(reader.text().getBytes(StandardCharsets.UTF_8)))
                : null;
        return new Rendering(kind == REMOVED, data, kept, problem, reader.flag());
    }

    /** The key of what is held back under a rendered key. */
    public static byte[] heldKey(String workspace, DocumentKey key) {
        return new KeyWriter()
                .kind(HELD)
                .text(workspace)
                .text(key.schema())
                .text(key.name())
                .bytes();
    }

    /** The prefix of all keys of held records of a workspace. */
    public static byte[] heldPrefix(String workspace) {
        return new KeyWriter().kind(HELD).text(workspace).bytes();
    }

    public static DocumentKey held(byte[] key) {
        KeyReader reader = new KeyReader(key);
        reader.kind();
        reader.text();
        return new DocumentKey(reader.text(), reader.text());
    }

    /** What consumers hold under a key; empty if nothing. */
    public static byte[] writeHeld(Optional<Output> output) {
        ValueWriter writer = new ValueWriter(1).flag(output.isPresent());
        output.ifPresent(present -> writeOutput(writer, present));
        return writer.bytes();
    }

    public static Optional<Output> readHeld(byte[] key, byte[] bytes) {
        return ValueReader.read(STORE, key, bytes, 1, RenderedLayout::output);
    }

    private static Optional<Output> output(ValueReader reader) {
        return reader.flag() ? Optional.of(readOutput(reader)) : Optional.empty();
    }

    static void writeOutput(ValueWriter writer, Output output) {
        writer.fingerprint(output.record()).bytes(output.digest().bytes());
    }

    static Output readOutput(ValueReader reader) {
        return new Output(reader.fingerprint(), Digest.ofBytes(reader.bytes()));
    }
}
