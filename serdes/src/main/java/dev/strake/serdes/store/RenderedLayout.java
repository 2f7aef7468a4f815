package dev.strake.serdes.store;

import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.document.Problem;
import dev.strake.engine.render.Digest;
import dev.strake.engine.render.Output;
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
 * The store of what documents rendered to, with all its history, and of what is held back from consumers.
 *
 * <pre>
 * rendering   key     0  workspace  schema  layer  name  revision
 *             value   1  kind: number  [ data: value ]  [ problem: text ]  in: flag               format 1
 *                        kind  0 removed · 1 same as published · 2 data · 3 problem · 4 data and problem
 *                        in    whether the document is in the rendered set
 * held        key     1  workspace  schema  name
 *             value   1  there: flag  [ record: fingerprint  digest: 32 bytes ]                   format 1
 * </pre>
 *
 * "Same as published" spares the second copy of a document that neither layers nor substitutes.
 */
public final class RenderedLayout {

    public static final String STORE = "rendered";

    private static final int RENDERING = 0;
    private static final int HELD = 1;

    /**
     * What a document rendered to in a revision.
     *
     * @param plain whether the data is that of the document as published
     * @param data null if there is none, or if it is the published one
     * @param problem null if nothing is wrong
     * @param inRenderedSet whether it is published, if nothing is wrong
     */
    public record Rendering(boolean removed, boolean plain, Value data, Problem problem, boolean inRenderedSet) {

        public static final Rendering REMOVED = new Rendering(true, false, null, null, false);
    }

    private RenderedLayout() {}

    /** The key of a rendering; with revision 0 and a later one the bounds of a document's history. */
    public static byte[] key(String workspace, DocumentId id, long revision) {
        return DocumentsLayout.identity(new KeyWriter().kind(RENDERING).text(workspace), id)
                .number(revision)
                .bytes();
    }

    public static byte[] write(Rendering rendering) {
        return write(rendering, null);
    }

    /**
     * The same entry, copied in part from what is published.
     *
     * @param record the JSON of the rendered document, which ends with its data; null if it is not at hand
     */
    public static byte[] write(Rendering rendering, byte[] record) {
        int kind = rendering.removed()
                ? 0
                : rendering.plain() && rendering.problem() == null
                        ? 1
                        : (rendering.data() == null ? 0 : 1) + (rendering.problem() == null ? 1 : 3);
        // 2 = data, 3 = problem, 4 = both; a plain document in trouble keeps its data with the document
        int size = rendering.data() == null
                ? 512
                : 16 + (int) Math.min(1 << 20, rendering.data().weight());
        ValueWriter writer = new ValueWriter(1, size).number(kind);
        if (kind == 2 || kind == 4) {
            if (record == null) {
                writer.value(rendering.data());
            } else {
                int length = Math.toIntExact(rendering.data().weight());
                writer.value(record, record.length - 1 - length, length);
            }
        }
        if (kind == 3 || kind == 4) {
            writer.text(new String(JsonValues.write(ProblemJson.write(rendering.problem())), StandardCharsets.UTF_8));
        }
        return writer.flag(rendering.inRenderedSet()).bytes();
    }

    public static Rendering read(byte[] key, byte[] bytes) {
        return ValueReader.read(STORE, key, bytes, 1, RenderedLayout::rendering);
    }

    private static Rendering rendering(ValueReader reader) {
        int kind = reader.smallNumber();
        Value data = kind == 2 || kind == 4 ? reader.value() : null;
        Problem problem = kind == 3 || kind == 4
                ? ProblemJson.read(JsonValues.read(reader.text().getBytes(StandardCharsets.UTF_8)))
                : null;
        return new Rendering(kind == 0, kind == 1, data, problem, reader.flag());
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
