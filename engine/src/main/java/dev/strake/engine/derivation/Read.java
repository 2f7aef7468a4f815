package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.TextHash;

/** Something that an owner read of other documents. What it found is kept as a fingerprint. */
public sealed interface Read {

    /** The length of all that it names. */
    long characters();

    /**
     * The value at a path in a rendered document.
     *
     * @param path as it was written; a dot alone for the whole data
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

    /** Which rendered documents of a schema carry the labels; all of the schema if the labels are empty. */
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
