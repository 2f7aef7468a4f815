package dev.strake.engine.document;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * Writes what an author may leave out of the metadata. Deckhand refuses such documents, so no document changes its meaning.
 * Everything behind this class sees {@code schema} in front and {@code storagePolicy} behind the name, as most authors write
 * them.
 */
final class LeftOut {

    static final String DOCUMENT = "metadata/Document/v1";
    static final String CONTROL = "metadata/Control/v1";

    /** Many documents of a change leave out the same. */
    private static final RecentShapes SHAPES = new RecentShapes();

    private LeftOut() {}

    /** The document with all that can be known of it; the same if nothing can, or nothing is left out. */
    static Value written(Value tree) {
        if (!(tree instanceof MapValue document)
                || !(document.get("schema") instanceof Text schema)
                || !(document.get("metadata") instanceof MapValue metadata)) {
            return tree;
        }
        Value kind = metadata.has("schema")
                ? metadata.get("schema")
                : new Text(Kind.isDeckhandControl(schema.value()) ? CONTROL : DOCUMENT);
        // A password must not be published in clear text because a line was forgotten.
        boolean needsPolicy = new Text(DOCUMENT).equals(kind)
                && !metadata.has(StoragePolicy.KEY)
                && Kind.of(schema.value(), false) != Kind.SECRET;
        if (metadata.has("schema") && !needsPolicy) {
            return tree;
        }
        MapValue.Builder whole = MapValue.builder();
        if (!metadata.has("schema")) {
            whole.put("schema", kind);
        }
        metadata.forEach((key, value) -> {
            whole.put(key, value);
            if (needsPolicy && key.equals("name")) {
                whole.put(StoragePolicy.KEY, StoragePolicy.CLEARTEXT.text());
            }
        });
        if (needsPolicy) {
            whole.put(StoragePolicy.KEY, StoragePolicy.CLEARTEXT.text());
        }
        return document.with("metadata", whole.build(SHAPES));
    }
}
