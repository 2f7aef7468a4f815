package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.TextHash;

/** A read by an owner in other documents. The result is kept as a fingerprint. */
public sealed interface Read {

    /** The total length of the names in it. */
    long characters();

    /**
     * The value at a path in a rendered document.
     *
     * @param path as written by the author; a dot alone for the whole data
     */
    record Data(DocumentKey document, String path) implements Read {

        @Override
        public int hashCode() {
            return TextHash.of(document.hashCode(), TextHash.of(path));
        }

        @Override
        public long characters() {
            return (long) document.schema().length() + document.name().length() + path.length();
        }
    }

    /** The rendered documents of a schema that carry the labels; all of the schema if the labels are empty. */
    record Selection(String schema, MapValue labels) implements Read {

        @Override
        public int hashCode() {
            return TextHash.of(TextHash.of(schema), labels.hashCode());
        }

        @Override
        public long characters() {
            return schema.length() + labels.weight();
        }
    }
}
