package dev.strake.remote.fetch;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import java.util.Optional;

/**
 * How a fetcher seals and opens secrets.
 *
 * @param sealing seals documents with {@code storagePolicy: encrypted} before they are written to Kafka; empty if they
 *     are published as fetched
 * @param opening opens rendered documents that are published encrypted: resources, and documents that they refer to;
 *     empty if there are no keys
 */
public record SecretsOfFetcher(Optional<SealedData.Seal> sealing, Optional<SealedData.Open> opening) {

    public static final SecretsOfFetcher NONE = new SecretsOfFetcher(Optional.empty(), Optional.empty());

    /** Returns a document as it is published. */
    public MapValue sealed(MapValue document, String workspace) {
        return sealing.map(key -> SealedData.forService(document, workspace, key))
                .orElse(document);
    }

    /** Returns a record with its data in clear, or the same record if it cannot be opened; its reader reports that. */
    public RenderedRecord opened(RenderedRecord record) {
        if (opening.isEmpty()) {
            return record;
        }
        try {
            return record.opened(opening.get());
        } catch (SecretKeyNotFoundException | DoesNotOpenException e) {
            return record;
        }
    }
}
