package dev.strake.client;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.rendered.RenderedKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A position between two revisions of a workspace, at which a {@link Subscription} can resume. Consumers have to store
 * it together with the results of the updates before it. It contains hashes of documents, but none of their content.
 *
 * @param rendered offset of the next record in the topic of rendered documents
 * @param outcomes offset of the next record in the topic of outcomes
 * @param documents the digest of each document of the set
 */
public record Checkpoint(String workspace, long rendered, long outcomes, SortedMap<DocumentKey, Digest> documents) {

    private static final String VERSION = "strake-checkpoint";

    public Checkpoint {
        documents = Collections.unmodifiableSortedMap(new TreeMap<>(documents));
    }

    /** Writes the checkpoint as JSON, with the digest of each document. */
    public void write(OutputStream out) throws IOException {
        MapValue.Builder digests = MapValue.builder();
        documents.forEach((key, digest) -> digests.add(key.schema() + "|" + key.name(), new Text(digest.toString())));
        out.write(JsonBytes.of(MapValue.builder()
                .put(VERSION, Num.of(1))
                .put("workspace", new Text(workspace))
                .put("rendered", Num.of(rendered))
                .put("outcomes", Num.of(outcomes))
                .put("documents", digests.build())
                .build()));
        out.flush();
    }

    /**
     * Reads a checkpoint.
     *
     * @throws IOException if the stream cannot be read, or contains no valid checkpoint
     */
    public static Checkpoint read(InputStream in) throws IOException {
        byte[] json = in.readAllBytes();
        try {
            MapValue read = (MapValue) JsonReader.read(json);
            if (number(read, VERSION) != 1) {
                throw new IOException("this is not a checkpoint of a subscription, or it is of another version");
            }
            String workspace = text(read.get("workspace"));
            SortedMap<DocumentKey, Digest> documents = new TreeMap<>();
            ((MapValue) read.get("documents"))
                    .forEach((name, digest) -> documents.put(
                            RenderedKey.of(workspace + "|" + name).document(),
                            Digest.ofBytes(HexFormat.of().parseHex(text(digest)))));
            return new Checkpoint(workspace, number(read, "rendered"), number(read, "outcomes"), documents);
        } catch (IllegalArgumentException | BufferUnderflowException | ClassCastException | NullPointerException e) {
            throw new IOException("the checkpoint is damaged", e);
        }
    }

    private static String text(Value text) {
        return ((Text) text).value();
    }

    private static long number(MapValue json, String name) {
        return Long.parseLong(((Num) json.get(name)).literal());
    }
}
