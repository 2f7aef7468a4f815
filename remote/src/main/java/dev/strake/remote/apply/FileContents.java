package dev.strake.remote.apply;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectDocument;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What of a rendered document goes into its file. */
public enum FileContents {
    /** All of it: schema, metadata and data. */
    DOCUMENT,
    /** Its data alone. */
    DATA,
    /** Its data, if that is a Kubernetes object; other documents have no file. */
    OBJECT;

    /** What the file of a document holds; empty if it has none. */
    Optional<Value> of(MapValue document) {
        Value data = document.get("data");
        return switch (this) {
            case DOCUMENT -> Optional.of(document);
            case DATA -> Optional.ofNullable(data);
            case OBJECT -> ObjectDocument.object(document).map(Function.identity());
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
