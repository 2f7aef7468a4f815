package dev.strake.server.pipeline;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;

/**
 * Sends records without a workspace to the dead letters, as Kafka's own handler does, and tells the observer. Kafka
 * makes it from its class, so it gets the observer through the settings.
 */
public final class ObservedDeadLetters extends LogAndContinueExceptionHandler {

    static final String OBSERVER = "strake.observer";

    private PipelineObserver observer = PipelineObserver.NONE;

    @Override
    public void configure(Map<String, ?> settings) {
        super.configure(settings);
        if (settings.get(OBSERVER) instanceof PipelineObserver given) {
            observer = given;
        }
    }

    @Override
    public Response handleError(ErrorHandlerContext context, ConsumerRecord<byte[], byte[]> record, Exception failure) {
        Response response = super.handleError(context, record, failure);
        observer.deadLetter();
        return response;
    }
}
