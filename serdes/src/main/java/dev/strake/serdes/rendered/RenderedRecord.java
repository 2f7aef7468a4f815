package dev.strake.serdes.rendered;

import dev.strake.engine.tree.MapValue;
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

    /**
     * The same record with its data in clear, if it was encrypted for consumers; others as they are.
     *
     * @param keys such as {@code keyset.opening(Purpose.OUTPUT)} of {@code dev.strake.serdes.keyset}
     * @throws dev.strake.serdes.secret.SecretKeyNotFoundException if the key is not here
     * @throws dev.strake.serdes.secret.DoesNotOpenException if it was changed, or belongs to another document
     */
    public RenderedRecord opened(SealedData.Open keys) {
        return isEncrypted()
                ? new RenderedRecord(
                        key,
                        document.map(
                                encrypted -> SealedData.openRendered(encrypted, key.workspace(), key.document(), keys)),
                        headers)
                : this;
    }

    /** Whether its data has to be opened before it can be used. */
    public boolean isEncrypted() {
        return SecretsOutput.ENCRYPTED.text().equals(headers.secretData())
                && document.filter(SealedData::isSealed).isPresent();
    }

    /** Whether its data has masks or references in the place of values. */
    public boolean isRedacted() {
        return SecretsOutput.REDACTED.text().equals(headers.secretData())
                || SecretsOutput.REFERENCES.text().equals(headers.secretData());
    }

    private static MapValue document(byte[] value) {
        Value document = JsonValues.read(value);
        if (document instanceof MapValue map) {
            return map;
        }
        throw new IllegalArgumentException("a rendered document has to be a JSON object, not a " + document.kind());
    }
}
