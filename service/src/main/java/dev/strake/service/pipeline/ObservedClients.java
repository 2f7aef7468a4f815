package dev.strake.service.pipeline;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/**
 * The clients of Kafka Streams, with producers that tell when a transaction ends.
 *
 * <p>There is no other place to learn it: Streams calls nobody after a commit. Under exactly-once every stream thread has
 * one producer, processes and commits with it in turn, and so whatever a thread processed before {@code
 * commitTransaction} returns on it is visible to consumers then, and nothing else is. If it throws, nobody is told:
 * Streams aborts, or closes the tasks.
 */
final class ObservedClients extends DefaultKafkaClientSupplier {

    private final PipelineObserver observer;

    ObservedClients(PipelineObserver observer) {
        this.observer = observer;
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new ObservedProducer(config, observer);
    }

    private static final class ObservedProducer extends KafkaProducer<byte[], byte[]> {

        private final PipelineObserver observer;

        ObservedProducer(Map<String, Object> config, PipelineObserver observer) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
            this.observer = observer;
        }

        @Override
        public void commitTransaction() {
            super.commitTransaction();
            observer.committed();
        }

        /* Told first: whatever comes of the abort, these changes did not happen. */
        @Override
        public void abortTransaction() {
            observer.aborted();
            super.abortTransaction();
        }
    }
}
