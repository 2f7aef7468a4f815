package dev.strake.serdes.store;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.bytes.UnreadableStoreException;
import dev.strake.serdes.text.JsonValues;
import java.util.Arrays;

/**
 * What the author of a tag gave it. All tags of a revision are in one entry, which is read and written for each change of a
 * tag, and next to nobody looks at their data. So it stays the JSON that is stored until somebody does.
 */
public final class TagData {

    private final byte[] key;
    private final byte[] json;

    /**
     * @param key of the entry, for messages
     * @param json as an object
     */
    TagData(byte[] key, byte[] json) {
        this.key = key;
        this.json = json;
    }

    /** That of a new tag. */
    public static TagData of(MapValue data) {
        return new TagData(new byte[0], JsonBytes.of(data));
    }

    /**
     * The data itself.
     *
     * @throws UnreadableStoreException if what is stored is no JSON object
     */
    public MapValue value() {
        try {
            return (MapValue) JsonValues.read(json);
        } catch (IllegalArgumentException | ClassCastException e) {
            throw new UnreadableStoreException(RevisionsLayout.STORE, key, "has a tag whose data is no JSON object", e);
        }
    }

    /** Its size as JSON. */
    public int bytes() {
        return json.length;
    }

    byte[] json() {
        return json;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TagData data && Arrays.equals(json, data.json);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(json);
    }

    /** Nothing of the data, which may be secret. */
    @Override
    public String toString() {
        return "TagData[" + json.length + " bytes]";
    }
}
