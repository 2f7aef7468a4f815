package dev.strake.client;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A part of what a change did, in the order that {@link Revisions} makes: what it rendered, then its outcome. */
public sealed interface RevisionPart {

    /** The record that this comes from. */
    ConsumerRecord<byte[], byte[]> message();

    /**
     * A document that the change rendered or removed.
     *
     * @param outcome offset of the outcome of the change
     */
    record Document(RenderedKey key, RenderedHeaders headers, ConsumerRecord<byte[], byte[]> message, long outcome)
            implements RevisionPart {}

    /**
     * The outcome of the change, behind all that the change rendered.
     *
     * @param rendered offset in the topic of rendered documents behind the last record of the change
     * @param isWhole false if compaction has removed records of the change
     */
    record End(Outcome outcome, ConsumerRecord<byte[], byte[]> message, long rendered, boolean isWhole)
            implements RevisionPart {}
}
