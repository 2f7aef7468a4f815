package dev.strake.server.pipeline;

import dev.strake.engine.problem.Problem;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.secret.SealedLetter;
import dev.strake.serdes.secret.SecretKeyNotFoundException;
import dev.strake.serdes.secret.SecretKeys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The record that tells of a record without a workspace: key, value and headers as they came, and the headers by which
 * Kafka Streams says where it lay and what was wrong.
 *
 * <p>A record may unpack to more than a topic takes. Then its value is cut, and a header says how large it was. A key or
 * headers that take most of the room are cut as well.
 *
 * <p>Where there is a keyset, the value is encrypted, after it was cut, and a header names the key ({@link SealedLetter}).
 */
final class DeadLetter {

    /** No client needs more for its key, and none for its headers. */
    private static final int LONGEST_KEY = 64 << 10;

    private static final int MOST_HEADERS = 1 << 20;
    private static final int LONGEST_TEXT = 8 << 10;

    private static final Set<String> OURS = Set.of(
            HeaderNames.UNCUT_VALUE_BYTES,
            HeaderNames.UNCUT_KEY_BYTES,
            HeaderNames.DROPPED_HEADERS,
            HeaderNames.SEALED_WITH);

    private final ConsumerRecord<byte[], byte[]> record;
    private final SecretKeys keys;
    private final Headers headers = new RecordHeaders();
    private byte[] key;
    private byte[] value;

    private DeadLetter(ConsumerRecord<byte[], byte[]> record, Exception failure, SecretKeys keys) {
        this.record = record;
        this.keys = keys;
        key = record.key();
        value = record.value();
        Headers errors = errors(record, failure);
        int dropped = 0;
        long room = RecordSize.of(key, value, record.headers()) + RecordSize.of(errors) > RecordSize.MOST
                ? MOST_HEADERS
                : Long.MAX_VALUE;
        for (Header header : record.headers()) {
            if (!OURS.contains(header.key())) {
                long bytes = RecordSize.of(header);
                if (bytes > room) {
                    dropped++;
                } else {
                    room -= bytes;
                    headers.add(header);
                }
            }
        }
        errors.forEach(headers::add);
        if (dropped > 0) {
            add(headers, HeaderNames.DROPPED_HEADERS, Integer.toString(dropped));
        }
        if (isSealed()) {
            add(headers, HeaderNames.SEALED_WITH, SecretKeyNotFoundException.text(keys.storageKey()));
        }
    }

    /**
     * The dead letter of a record, small enough for any topic of ours.
     *
     * @param keys that encrypt its value, if there are any
     */
    static ProducerRecord<byte[], byte[]> of(
            String topic, ConsumerRecord<byte[], byte[]> record, Exception failure, SecretKeys keys) {
        return new DeadLetter(record, failure, keys).to(topic, Math.max(0, record.timestamp()));
    }

    private boolean isSealed() {
        return keys.areThere() && record.value() != null;
    }

    private ProducerRecord<byte[], byte[]> to(String topic, long timestamp) {
        if (beyond() > 0 && key != null && key.length > LONGEST_KEY) {
            add(headers, HeaderNames.UNCUT_KEY_BYTES, Integer.toString(key.length));
            key = Arrays.copyOf(key, LONGEST_KEY);
        }
        if (beyond() > 0 && value != null) {
            add(headers, HeaderNames.UNCUT_VALUE_BYTES, Integer.toString(value.length));
            value = Arrays.copyOf(value, Math.toIntExact(value.length - beyond()));
        }
        byte[] kept = isSealed()
                ? SealedLetter.seal(keys, value, record.topic(), record.partition(), record.offset())
                : value;
        return new ProducerRecord<>(topic, null, timestamp, key, kept, headers);
    }

    private long beyond() {
        return RecordSize.of(key, value, headers) + (isSealed() ? SealedLetter.ADDED_BYTES : 0) - RecordSize.MOST;
    }

    /* The names are Kafka's own. The message and the trace are of exceptions of ours, which quote nothing. */
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
        headers.add(name, Problem.cut(text, LONGEST_TEXT).getBytes(StandardCharsets.UTF_8));
    }
}
