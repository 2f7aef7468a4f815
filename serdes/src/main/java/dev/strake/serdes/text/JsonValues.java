package dev.strake.serdes.text;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.Value;

/** Reads and writes the JSON of this program. Malformed JSON is a program error. */
public final class JsonValues {

    private JsonValues() {}

    /** Serializes a value. Equal values with the same order of keys have equal bytes. */
    public static byte[] write(Value value) {
        return JsonBytes.of(value);
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException if the bytes are not exactly one JSON text
     */
    public static Value read(byte[] json) {
        return JsonReader.read(json);
    }
}
