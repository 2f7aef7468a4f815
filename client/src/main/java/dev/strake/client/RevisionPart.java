package dev.strake.client;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A part of a change's result, in the order of {@link RevisionMerger}: rendered documents first, then the outcome. */
public sealed interface RevisionPart {

    /** The record that holds this part. */
    ConsumerRecord<byte[], byte[]> message();

    /**
     * A document that the change rendered or removed.
     *
     * @param outcome offset of the change's outcome
     */
    record Document(RenderedKey key, RenderedHeaders headers, ConsumerRecord<byte[], byte[]> message, long outcome)
            implements RevisionPart {}

    /**
     * The outcome of the change, after all documents that it rendered.
     *
     * @param rendered offset after the last record of the change in the topic of rendered documents
     * @param isWhole false if compaction has removed records of the change
     */
    record End(Outcome outcome, ConsumerRecord<byte[], byte[]> message, long rendered, boolean isWhole)
            implements RevisionPart {}
}
