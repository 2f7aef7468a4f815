package dev.strake.server.pipeline;

import dev.strake.serdes.RecordSize;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles records that Kafka rejects: the task fails at once, and the first cause is reported first. Retriable errors
 * are retried. No record goes to the dead letters: Kafka's own handler sends the change there from the producer's
 * thread, which then waits for itself (deadlock).
 *
 * <p>Kafka instantiates the class, so the holder of the first cause is passed in the settings.
 */
public final class Unwritten implements ProductionExceptionHandler {

    static final String FIRST = "strake.unwritten";

    private static final Logger LOG = LoggerFactory.getLogger(Unwritten.class);

    private First first = new First();

    /** Describes the first record of an instance that Kafka rejected. */
    static final class First {

        private final AtomicReference<String> cause = new AtomicReference<>();

        /** The record that was not written and why; empty if none was rejected. */
        Optional<String> cause() {
            return Optional.ofNullable(cause.get());
        }
    }

    @Override
    public void configure(Map<String, ?> settings) {
        if (settings.get(FIRST) instanceof First given) {
            first = given;
        }
    }

    @Override
    public Response handleError(
            ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
        if (exception instanceof RetriableException) {
            return Response.retry();
        }
        if (!Pipeline.isRecoverable(exception)) {
            String cause = describe(record, exception);
            if (first.cause.compareAndSet(null, cause)) {
                LOG.error("{}", cause); // before Kafka Streams logs all failures that follow
            }
        }
        return Response.fail();
    }

    /* A record that cannot be serialized is a bug. */
    @Override
    @SuppressWarnings("rawtypes") // raw in the interface
    public Response handleSerializationError(
            ErrorHandlerContext context,
            ProducerRecord record,
            Exception exception,
            SerializationExceptionOrigin origin) {
        return Response.fail();
    }

    private static String describe(ProducerRecord<byte[], byte[]> record, Exception exception) {
        long bytes = RecordSize.of(record.key(), record.value(), record.headers());
        String remedy = exception instanceof RecordTooLargeException
                ? "The topic and its cluster have to accept " + RecordSize.TOPIC_TAKES
                        + " bytes: kafka-configs --alter --entity-type topics --entity-name " + record.topic()
                        + " --add-config max.message.bytes=" + RecordSize.TOPIC_TAKES
                : "Look at the settings of the topic, and at the log of its broker";
        return "A record of %d bytes cannot be written to %s. %s: %s %s."
                .formatted(bytes, record.topic(), exception.getClass().getSimpleName(), exception.getMessage(), remedy);
    }
}
