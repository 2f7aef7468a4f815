package dev.strake.remote.apply;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.ObjectDocument;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The part of a rendered document that is written to its file. */
public enum FileContents {
    /** The whole document: schema, metadata and data. */
    DOCUMENT,
    /** The data only. */
    DATA,
    /** The data, if it is a Kubernetes object; other documents have no file. */
    OBJECT;

    /** Returns the content of a document's file; empty if it has no file. */
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
