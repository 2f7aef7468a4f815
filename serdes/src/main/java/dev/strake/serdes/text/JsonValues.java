package dev.strake.serdes.text;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.Value;

/** Reads and writes this program's own JSON. Bytes that are not JSON are a program error. */
public final class JsonValues {

    private JsonValues() {}

    /** The bytes of a value. Equal values with the same order of keys have equal bytes. */
    public static byte[] write(Value value) {
        return JsonBytes.of(value);
    }

    /**
     * The value that the bytes contain.
     *
     * @throws IllegalArgumentException if they are not exactly one JSON text
     */
    public static Value read(byte[] json) {
        return JsonReader.read(json);
    }
}
