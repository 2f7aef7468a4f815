package dev.strake.server.pipeline;

import dev.strake.engine.problem.Problem;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedLetter;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records without a workspace to the dead letters, like Kafka's own handler: with the original key, value and
 * headers, and with the error headers of Kafka Streams. Kafka instantiates the class, so the observer and the keys are
 * passed in the settings.
 *
 * <p>A decompressed record may exceed the record size of the topic. Then its value is truncated, and a header has the
 * original size. A key that takes most of the space is truncated as well; headers that do are dropped.
 *
 * <p>If there is a keyset, the value is encrypted after truncation, and a header names the key ({@link SealedLetter}).
 */
public final class DeadLetterHandler implements DeserializationExceptionHandler {

    static final String OBSERVER = "strake.observer";
    static final String KEYS = "strake.keys";

    /** Clients need neither longer keys nor more bytes of headers. */
    private static final int LONGEST_KEY = 64 << 10;

    private static final int MOST_HEADERS = 1 << 20;
    private static final int LONGEST_TEXT = 8 << 10;

    private static final Set<String> OURS = Set.of(
            HeaderNames.UNCUT_VALUE_BYTES,
            HeaderNames.UNCUT_KEY_BYTES,
            HeaderNames.DROPPED_HEADERS,
            HeaderNames.SEALED_WITH);

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterHandler.class);

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
        return Response.resume(List.of(of(topic, record, failure, keys.current())));
    }

    /**
     * Returns the dead letter of a record, small enough for every topic of Strake.
     *
     * @param keys encrypt the value, if there are any
     */
    static ProducerRecord<byte[], byte[]> of(
            String topic, ConsumerRecord<byte[], byte[]> record, Exception failure, SecretKeys keys) {
        List<Header> theirs = Stream.of(record.headers().toArray())
                .filter(header -> !OURS.contains(header.key()))
                .toList();
        boolean isSealed = keys.areThere() && record.value() != null;
        Headers errors = errors(record, failure);
        if (isSealed) {
            add(errors, HeaderNames.SEALED_WITH, SecretKeyNotFoundException.text(keys.current(Purpose.STORAGE)));
        }
        byte[] key = record.key();
        byte[] value = record.value();
        long most = (long) RecordSize.MOST - (isSealed ? SealedLetter.ADDED_BYTES : 0);
        boolean fits = RecordSize.of(key, value, errors) + RecordSize.of(theirs) <= most;
        Headers headers = new RecordHeaders();
        if (fits || RecordSize.of(theirs) <= MOST_HEADERS) {
            theirs.forEach(headers::add);
        } else {
            add(headers, HeaderNames.DROPPED_HEADERS, Integer.toString(theirs.size()));
        }
        errors.forEach(headers::add);
        if (!fits && key != null && key.length > LONGEST_KEY) {
            add(headers, HeaderNames.UNCUT_KEY_BYTES, Integer.toString(key.length));
            key = Arrays.copyOf(key, LONGEST_KEY);
        }
        if (value != null && RecordSize.of(key, value, headers) > most) {
            add(headers, HeaderNames.UNCUT_VALUE_BYTES, Integer.toString(value.length));
            value = Arrays.copyOf(value, Math.toIntExact(value.length - (RecordSize.of(key, value, headers) - most)));
        }
        byte[] kept =
                isSealed ? SealedLetter.seal(keys, value, record.topic(), record.partition(), record.offset()) : value;
        return new ProducerRecord<>(topic, null, Math.max(0, record.timestamp()), key, kept, headers);
    }

    /* The names are Kafka's. Message and stack trace are those of Strake's exceptions, which quote nothing. */
    private static Headers errors(ConsumerRecord<byte[], byte[]> record, Exception failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        Headers errors = new RecordHeaders();
        add(errors, "__streams.errors.exception", failure.getClass().getName());
        add(errors, "__streams.errors.message", String.valueOf(failure.getMessage()));
        add(errors, "__streams.errors.stacktrace", trace.toString());
        add(errors, "__streams.errors.topic", record.topic());
        add(errors, "__streams.errors.partition", Integer.toString(record.partition()));
        add(errors, "__streams.errors.offset", Long.toString(record.offset()));
        return errors;
    }

    private static void add(Headers headers, String name, String text) {
        HeaderNames.add(headers, name, Problem.cut(text, LONGEST_TEXT));
    }
}
