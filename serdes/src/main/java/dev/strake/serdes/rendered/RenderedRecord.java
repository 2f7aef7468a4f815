package dev.strake.serdes.rendered;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * A record of the topic of rendered documents, as a consumer reads it.
 *
 * @param document the rendered document; empty for a tombstone: the document has left the rendered set
 */
public record RenderedRecord(RenderedKey key, Optional<MapValue> document, RenderedHeaders headers) {

    /**
     * Reads key, value and headers of a record.
     *
     * @param value null for a tombstone
     * @throws IllegalArgumentException if they do not belong to a rendered document
     */
    public static RenderedRecord read(byte[] key, byte[] value, Headers headers) {
        if (key == null) {
            throw new IllegalArgumentException("a rendered document's record has to have a key");
        }
        return new RenderedRecord(
                RenderedKey.of(key),
                value == null ? Optional.empty() : Optional.of(document(value)),
                RenderedHeaders.read(headers));
    }

    private static MapValue document(byte[] value) {
        Value document = JsonValues.read(value);
        if (document instanceof MapValue map) {
            return map;
        }
        throw new IllegalArgumentException("a rendered document has to be a JSON object, not a " + document.kind());
    }
}
