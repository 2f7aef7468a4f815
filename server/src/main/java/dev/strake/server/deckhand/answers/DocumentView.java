package dev.strake.server.deckhand.answers;

import dev.strake.engine.document.StoragePolicy;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.Objects;

/**
 * A document in Deckhand's format: with defaults for what the author omitted, and with {@code status}, which has its
 * bucket and the revision that last changed it.
 */
public final class DocumentView {

    private static final List<Value> EMPTY = List.of(new Text(""), MapValue.EMPTY, ListValue.EMPTY);

    private DocumentView() {}

    /**
     * Returns a document in Deckhand's format.
     *
     * @param tree as published or rendered, with secrets already redacted
     * @param revision Deckhand's number of the revision that last changed it
     */
    public static MapValue of(MapValue tree, String bucket, long revision) {
        return withDefaults(tree).with("id", id(tree, revision)).with("status", status(bucket, revision));
    }

    /** Whether published data is masked. As in Deckhand, empty data is not secret. */
    public static boolean isSecret(MapValue tree) {
        Value data = tree.get("data");
        return StoragePolicy.isEncrypted(tree) && data != null && !EMPTY.contains(data);
    }

    public static MapValue status(String bucket, long revision) {
        return MapValue.of("bucket", bucket).with("revision", revision);
    }

    /** Adds the defaults of Deckhand. */
    public static MapValue withDefaults(MapValue tree) {
        MapValue metadata = tree.map("metadata");
        MapValue layering = withDefault(metadata.map("layeringDefinition"), "abstract", Bool.FALSE);
        MapValue stored = withDefault(metadata, "storagePolicy", new Text("cleartext"));
        return withDefault(tree, "data", MapValue.EMPTY)
                .with("metadata", withDefault(stored, "replacement", Bool.FALSE).with("layeringDefinition", layering));
    }

    private static MapValue withDefault(MapValue map, String key, Value value) {
        return map.has(key) ? map : map.with(key, value);
    }

    /* Not used by clients; in Deckhand it is a row number. */
    private static long id(MapValue tree, long revision) {
        MapValue metadata = tree.map("metadata");
        String layer = metadata.map("layeringDefinition").text("layer");
        return Integer.toUnsignedLong(Objects.hash(tree.text("schema"), layer, metadata.text("name"), revision)) + 1;
    }
}
