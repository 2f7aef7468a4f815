package dev.strake.server.pipeline;

import dev.strake.serdes.secret.InstalledKeys;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records without a workspace to the dead letters, as Kafka's own handler does but {@linkplain DeadLetter small
 * enough} for their topic, and tells the observer. Kafka makes it from its class, so it gets the observer and the keys
 * through the settings.
 */
public final class ObservedDeadLetters implements DeserializationExceptionHandler {

    static final String OBSERVER = "strake.observer";
    static final String KEYS = "strake.keys";

    private static final Logger LOG = LoggerFactory.getLogger(ObservedDeadLetters.class);

    private PipelineObserver observer = PipelineObserver.NONE;
    private InstalledKeys keys = InstalledKeys.NONE;
    private String topic;

    @Override
    public void configure(Map<String, ?> settings) {
        topic = String.valueOf(settings.get(StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG));
        if (settings.get(OBSERVER) instanceof PipelineObserver given) {
            observer = given;
        }
        if (settings.get(KEYS) instanceof InstalledKeys given) {
            keys = given;
        }
    }

    @Override
    public Response handleError(ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
        observer.deadLetter();
        LOG.warn(
                "The record at {}-{}@{} goes to {}: {}",
                record.topic(),
                record.partition(),
                record.offset(),
                topic,
                failure.getMessage());
        return Response.resume(List.of(DeadLetter.of(topic, record, failure, keys.current())));
    }
}
