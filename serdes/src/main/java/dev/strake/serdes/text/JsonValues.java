package dev.strake.serdes.text;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import java.util.List;

/** JSON that this program wrote: read without limits; text that is not JSON is an error of the program. */
public final class JsonValues {

    private JsonValues() {}

    /** The bytes of a value; the same for equal values whose keys have the same order. */
    public static byte[] write(Value value) {
        return JsonBytes.of(value);
    }

    /**
     * The value of some bytes.
     *
     * @throws IllegalArgumentException if they are not exactly one JSON text
     */
    public static Value read(byte[] json) {
        try {
            List<ReadDocument> read = JsonText.readTrusted(json);
            if (read.size() != 1) {
                throw new IllegalArgumentException("no JSON value in " + json.length + " bytes");
            }
            return read.get(0).value();
        } catch (UnreadableTextException e) {
            throw new IllegalArgumentException("no JSON value in " + json.length + " bytes", e);
        }
    }
}
