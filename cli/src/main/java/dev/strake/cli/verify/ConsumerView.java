package dev.strake.cli.verify;

import dev.strake.client.PartitionReader;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.SecretHeaders;
import dev.strake.server.kafka.KafkaSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a consumer holds that reads one workspace as docs/consuming.md says: the last record of each key, valid or not,
 * and the last outcome.
 */
final class ConsumerView implements AutoCloseable {

    private final String topic;
    private final byte[] workspace;
    private final byte[] prefix;
    private final PartitionReader rendered;
    private final PartitionReader outcomes;
    private final Map<ByteBuffer, Held> held = new TreeMap<>(); // an author could give all keys the same hash code
    private final List<String> unreadableOutcomes = new ArrayList<>();
    private Outcome last;

    /**
     * A record that the consumer holds.
     *
     * @param key null if the record's key is not that of a rendered document
     * @param digest its part of the content hash
     * @param derivedFrom {@code schema/name} of the document from which it is derived; null if it is not derived
     * @param secrets where its data has secrets, and in which form
     */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    record Held(DocumentKey key, long offset, byte[] value, Digest digest, String derivedFrom, SecretHeaders secrets) {}

    ConsumerView(KafkaSettings kafka, String topicPrefix, String workspace, Duration timeout) {
        this.topic = topicPrefix + TopicNames.RENDERED;
        this.workspace = workspace.getBytes(StandardCharsets.UTF_8);
        this.prefix = (workspace + "|").getBytes(StandardCharsets.UTF_8);
        this.rendered = PartitionReader.open(kafka.cluster(), topic, workspace, true, timeout);
        try {
            this.outcomes =
                    PartitionReader.open(kafka.cluster(), topicPrefix + TopicNames.OUTCOMES, workspace, true, timeout);
        } catch (RuntimeException e) {
            rendered.close();
            throw e;
        }
    }

    /** Reads both topics to their ends, outcomes first: the records of the last outcome exist by then. */
    void catchUp(long deadline) {
        outcomes.readToEnd(deadline, this::hear);
        rendered.readToEnd(deadline, this::hold);
    }

    private void hear(ConsumerRecord<byte[], byte[]> message) {
        if (!Arrays.equals(message.key(), workspace)) {
            return;
        }
        try {
            Outcome outcome = OutcomeJson.read(message.value() == null ? new byte[0] : message.value());
            // An unreadable change has no revision, and the revision of a dry run was never created.
            last = outcome.revision() == null || outcome.status() == OutcomeStatus.PLANNED ? last : outcome;
        } catch (IllegalArgumentException e) {
            unreadableOutcomes.add(place(message));
        }
    }

    private void hold(ConsumerRecord<byte[], byte[]> message) {
        byte[] key = message.key();
        if (key == null
                || key.length < prefix.length
                || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
            return;
        }
        if (message.value() == null) {
            held.remove(ByteBuffer.wrap(key));
        } else {
            byte[] document = Arrays.copyOfRange(key, prefix.length, key.length);
            held.put(
                    ByteBuffer.wrap(key),
                    new Held(
                            key(key),
                            message.offset(),
                            message.value(),
                            Digest.of(document, message.value()),
                            HeaderNames.text(message.headers(), HeaderNames.DERIVED_FROM),
                            secrets(message)));
        }
    }

    /* A record with unreadable headers differs from every expected one. */
    private static SecretHeaders secrets(ConsumerRecord<byte[], byte[]> message) {
        try {
            return SecretHeaders.read(message.headers());
        } catch (IllegalArgumentException e) {
            return SecretHeaders.NONE;
        }
    }

    /* Two keys of invalid UTF-8 may decode to the same text, so a valid key must encode to the same bytes. */
    private static DocumentKey key(byte[] bytes) {
        try {
            RenderedKey key = RenderedKey.of(bytes);
            return Arrays.equals(key.bytes(), bytes) ? key.document() : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String place(ConsumerRecord<byte[], byte[]> message) {
        return message.topic() + "-" + message.partition() + "@" + message.offset();
    }

    /** The position of a record, {@code topic-partition@offset}. */
    String place(Held record) {
        return topic + "-" + rendered.partition() + "@" + record.offset();
    }

    Collection<Held> held() {
        return held.values();
    }

    /** The last outcome with a revision; null if the topic holds none. */
    Outcome lastOutcome() {
        return last;
    }

    /** The positions of records in the topic of outcomes that are not outcomes. */
    List<String> unreadableOutcomes() {
        return unreadableOutcomes;
    }

    /** The content hash that a consumer computes. */
    String contentHash() {
        return held.values().stream()
                .map(Held::digest)
                .reduce(Digest.ZERO, Digest::plus)
                .toString();
    }

    @Override
    public void close() {
        rendered.close();
        outcomes.close();
    }
}
