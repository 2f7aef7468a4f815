package dev.strake.remote.fetch.attempt;

import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.Outcome;

/** Publishes changes and receives their outcomes. */
public interface ChangeSink {

    /**
     * Publishes a change and waits for its outcome.
     *
     * @throws dev.strake.client.KafkaUnavailableException if there is no outcome; the change may be published again
     */
    Outcome publish(dev.strake.client.NewChange change);

    /** Returns a document as it is published: sealed, if its policy requires it. */
    default MapValue sealed(MapValue document) {
        return document;
    }
}
