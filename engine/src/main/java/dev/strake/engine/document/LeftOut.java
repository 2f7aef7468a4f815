package dev.strake.engine.document;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.RecentShapes;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * Completes metadata that an author left out. Deckhand rejects incomplete documents, so no document changes its
 * meaning. All other classes see {@code schema} first and {@code storagePolicy} after the name, as most authors write
 * them.
 */
final class LeftOut {

    static final String DOCUMENT = "metadata/Document/v1";
    static final String CONTROL = "metadata/Control/v1";

    /** Many documents of a change leave out the same keys. */
    private static final RecentShapes SHAPES = new RecentShapes();

    private LeftOut() {}

    /** Returns the document with complete metadata; the same object if nothing is missing or can be completed. */
    static Value written(Value tree) {
        if (!(tree instanceof MapValue document)
                || !(document.get("schema") instanceof Text schema)
                || !(document.get("metadata") instanceof MapValue metadata)) {
            return tree;
        }
        Value kind = metadata.has("schema")
                ? metadata.get("schema")
                : new Text(Kind.isDeckhandControl(schema.value()) ? CONTROL : DOCUMENT);
        // A secret must not be published in clear text because its author forgot a line.
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
