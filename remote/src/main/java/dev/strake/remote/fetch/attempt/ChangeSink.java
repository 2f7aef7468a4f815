package dev.strake.remote.fetch.attempt;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;

/** Where changes go, and their outcomes come from. */
public interface ChangeSink {

    /**
     * Publishes a change and waits for its outcome.
     *
     * @throws dev.strake.client.KafkaUnavailableException if it does not come; the same change may be published again
     */
    Outcome publish(dev.strake.client.NewChange change);

    /** A document as changes have it: sealed if it is to be. */
    default MapValue sealed(MapValue document) {
        return document;
    }
}
