package dev.strake.server.pipeline;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;

/**
 * Sends records without a workspace to the dead letters, as Kafka's own handler does but {@linkplain DeadLetter small
 * enough} for their topic, and tells the observer. Kafka makes it from its class, so it gets the observer through the
 * settings.
 */
public final class ObservedDeadLetters implements DeserializationExceptionHandler {

    static final String OBSERVER = "strake.observer";

    private PipelineObserver observer = PipelineObserver.NONE;
    private String topic;

    @Override
    public void configure(Map<String, ?> settings) {
        topic = String.valueOf(settings.get(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG));
        if (settings.get(OBSERVER) instanceof PipelineObserver given) {
            observer = given;
        }
    }

    @Override
    public Response handleError(ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
        observer.deadLetter();
        return Response.resume(List.of(DeadLetter.of(topic, record, failure)));
    }
}
