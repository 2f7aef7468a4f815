package dev.strake.serdes.rendered;

import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretsOutput;
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
     * @throws IllegalArgumentException if the record is not a rendered document
     */
    public static RenderedRecord read(byte[] key, byte[] value, Headers headers) {
        if (key == null) {
            throw new IllegalArgumentException("the record of a rendered document needs a key");
        }
        RenderedHeaders read = RenderedHeaders.read(headers);
        Optional<MapValue> document = value == null ? Optional.empty() : Optional.of(document(value, read.secrets()));
        return new RenderedRecord(RenderedKey.of(key), document, read);
    }

    /**
     * Decrypts a record that was encrypted for consumers; returns other records unchanged.
     *
     * @param keys for example {@code keyset.opening(Purpose.OUTPUT)} of {@code dev.strake.serdes.keyset}
     * @throws dev.strake.serdes.secret.SecretKeyNotFoundException if the keyset does not have the key
     * @throws dev.strake.serdes.secret.DoesNotOpenException if the data was modified, or belongs to another document
     */
    public RenderedRecord opened(SealedData.Open keys) {
        return isEncrypted()
                ? inClear(SealedData.openRendered(
                        document.orElseThrow(), places(), key.workspace(), key.document(), keys))
                : this;
    }

    /**
     * Returns this record with the values of a document in clear text at the secret places.
     *
     * @throws IllegalArgumentException if the document has no value at a secret place
     */
    public RenderedRecord inClear(MapValue clear) {
        Value values = clear.get(DATA);
        MapValue mine = document.orElseThrow();
        Value data = places().replacedIn(mine.get(DATA), (place, hidden) -> {
            Value value = place.in(values);
            if (value == null) {
                throw new IllegalArgumentException("the document has no value at data%s".formatted(place));
            }
            return value.secret();
        });
        return new RenderedRecord(key, Optional.of(mine.with(DATA, data)), headers.inClear());
    }

    private SecretPlaces places() {
        return headers.secrets().in(document.orElseThrow());
    }

    /** Whether the record has data that must be decrypted before use. */
    public boolean isEncrypted() {
        return SecretsOutput.ENCRYPTED.text().equals(headers.secrets().data()) && document.isPresent();
    }

    /** Whether the data contains masks or references instead of values. */
    public boolean isRedacted() {
        return headers.secrets().isRedacted();
    }

    /* Marks clear-text values at secret places as secret. */
    private static MapValue document(byte[] value, SecretHeaders secrets) {
        Value document = JsonReader.read(value);
        if (document instanceof MapValue map) {
            SecretPlaces places = secrets.in(map);
            return places.isEmpty() || secrets.data() != null ? map : map.with(DATA, places.markedIn(map.get(DATA)));
        }
        throw new IllegalArgumentException(
                "a rendered document has to be a JSON object, but is " + document.kindWithArticle());
    }
}
