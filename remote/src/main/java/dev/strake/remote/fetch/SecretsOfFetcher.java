package dev.strake.remote.fetch;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.DoesNotOpenException;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import java.util.Optional;

/**
 * What a fetcher can do with secrets.
 *
 * @param sealing seals documents with {@code storagePolicy: encrypted} before Kafka gets them; empty if they go as they were
 *     fetched
 * @param opening opens rendered documents that are published encrypted: resources, and what they refer to; empty if there are no
 *     keys
 */
public record SecretsOfFetcher(Optional<SealedData.Seal> sealing, Optional<SealedData.Open> opening) {

    public static final SecretsOfFetcher NONE = new SecretsOfFetcher(Optional.empty(), Optional.empty());

    /** A document as it is published. */
    public MapValue sealed(MapValue document, String workspace) {
        return sealing.map(key -> SealedData.forService(document, workspace, key))
                .orElse(document);
    }

    /** A record with its data in clear, or as it came if it cannot be opened: whoever needs the data says so then. */
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
