package dev.strake.serdes.rendered;

import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretsOutput;
import dev.strake.serdes.text.JsonValues;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;

/**
 * A record of the topic of rendered documents, as a consumer reads it.
 *
 * @param document the rendered document; empty for a tombstone: the document has left the rendered set
 */
public record RenderedRecord(RenderedKey key, Optional<MapValue> document, RenderedHeaders headers) {

    private static final String DATA = "data";

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
        RenderedHeaders read = RenderedHeaders.read(headers);
        Optional<MapValue> document = value == null ? Optional.empty() : Optional.of(document(value, read.secrets()));
        return new RenderedRecord(RenderedKey.of(key), document, read);
    }

    /**
     * The same record with its data in clear, if it was encrypted for consumers; others as they are.
     *
     * @param keys such as {@code keyset.opening(Purpose.OUTPUT)} of {@code dev.strake.serdes.keyset}
     * @throws dev.strake.serdes.secret.SecretKeyNotFoundException if the key is not here
     * @throws dev.strake.serdes.secret.DoesNotOpenException if it was changed, or belongs to another document
     */
    public RenderedRecord opened(SealedData.Open keys) {
        return isEncrypted()
                ? inClear(SealedData.openRendered(
                        document.orElseThrow(), places(), key.workspace(), key.document(), keys))
                : this;
    }

    /**
     * The same record with the values that a document in clear has at its secret places, and all else as it is.
     *
     * @throws IllegalArgumentException if the document has nothing at one of them
     */
    public RenderedRecord inClear(MapValue clear) {
        Value values = clear.get(DATA);
        MapValue mine = document.orElseThrow();
        Value data = places().replacedIn(mine.get(DATA), (place, hidden) -> {
            Value value = place.in(values);
            if (value == null) {
                throw new IllegalArgumentException("there is nothing at data%s".formatted(place));
            }
            return value.secret();
        });
        return new RenderedRecord(key, Optional.of(mine.with(DATA, data)), headers.inClear());
    }

    private SecretPlaces places() {
        return headers.secrets().in(document.orElseThrow());
    }

    /** Whether it has data that has to be opened before it can be used. */
    public boolean isEncrypted() {
        return SecretsOutput.ENCRYPTED.text().equals(headers.secrets().data()) && document.isPresent();
    }

    /** Whether its data has masks or references in the place of values. */
    public boolean isRedacted() {
        return headers.secrets().isRedacted();
    }

    /* What is secret in clear text has to be known. */
    private static MapValue document(byte[] value, SecretHeaders secrets) {
        Value document = JsonValues.read(value);
        if (document instanceof MapValue map) {
            SecretPlaces places = secrets.in(map);
            return places.isEmpty() || secrets.data() != null ? map : map.with(DATA, places.markedIn(map.get(DATA)));
        }
        throw new IllegalArgumentException("a rendered document has to be a JSON object, not a " + document.kind());
    }
}
