package dev.strake.checks.chaos;

import dev.strake.serdes.TopicNames;
import dev.strake.server.kafka.KafkaSettings;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * All committed records in the topics of an installation, the input of the checker. Can be saved to a file to judge a
 * run again (compressed by gzip, numbers big-endian, texts as {@link DataOutputStream#writeUTF}):
 *
 * <pre>
 *  text "strake-history-3"   text prefix   int partitions   int topics
 *  topic:   text name without prefix   int records
 *  record:  int partition   long offset   long timestamp   bytes key   bytes value   int headers
 *  header:  text name   bytes value
 *  bytes:   int length, -1 for null, and as many bytes
 * </pre>
 *
 * <p>A history is complete only if nothing was compacted or deleted; the checker detects if something was.
 *
 * @param prefix of the topic names, with its dot
 * @param partitions of every topic
 * @param records by topic, without its prefix; in order of partition and offset
 */
public record History(String prefix, int partitions, Map<String, List<ConsumerRecord<byte[], byte[]>>> records) {

    static final List<String> TOPICS = List.of(
            TopicNames.CHANGES, TopicNames.RENDERED, TopicNames.OUTCOMES, TopicNames.PROBLEMS, TopicNames.DEAD_LETTERS);

    private static final String MAGIC = "strake-history-3";
    private static final int NULL = -1;

    /** The longest time without a record. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Returns the records of a topic, by its name without prefix. */
    public List<ConsumerRecord<byte[], byte[]>> topic(String name) {
        return records.getOrDefault(name, List.of());
    }

    /**
     * Reads all topics of a cluster up to their current ends.
     *
     * @throws IllegalStateException if records do not arrive in time, for example because of an open transaction
     */
    public static History read(KafkaSettings kafka, String prefix) {
        Map<String, Object> config =
                kafka.cluster().with(Map.of("isolation.level", "read_committed", "enable.auto.commit", false));
        Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
        int partitions = 0;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            for (String topic : TOPICS) {
                List<ConsumerRecord<byte[], byte[]>> all = read(consumer, prefix + topic);
                all.sort(Comparator.<ConsumerRecord<byte[], byte[]>>comparingInt(ConsumerRecord::partition)
                        .thenComparingLong(ConsumerRecord::offset));
                records.put(topic, all);
            }
            partitions = consumer.partitionsFor(prefix + TopicNames.CHANGES).size();
        }
        return new History(prefix, partitions, records);
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaConsumer<byte[], byte[]> consumer, String topic) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
            ConsumerRecords<byte[], byte[]> some = consumer.poll(Duration.ofMillis(200));
            some.forEach(records::add);
            if (!some.isEmpty()) {
                deadline = System.nanoTime() + PATIENCE.toNanos();
            } else if (System.nanoTime() > deadline) {
                throw new IllegalStateException("no record of " + topic + " came for " + PATIENCE.toSeconds()
                        + " s, and there are more; is the broker up, is a transaction open?");
            }
        }
        return records;
    }

    /** Writes a file for {@link #load}. */
    public void save(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        try (DataOutputStream out = new DataOutputStream(
                new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(file)), 1 << 16))) {
            out.writeUTF(MAGIC);
            out.writeUTF(prefix);
            out.writeInt(partitions);
            out.writeInt(records.size());
            for (Map.Entry<String, List<ConsumerRecord<byte[], byte[]>>> topic : records.entrySet()) {
                out.writeUTF(topic.getKey());
                out.writeInt(topic.getValue().size());
                for (ConsumerRecord<byte[], byte[]> each : topic.getValue()) {
                    write(out, each);
                }
            }
        }
    }

    private static void write(DataOutputStream out, ConsumerRecord<byte[], byte[]> record) throws IOException {
        out.writeInt(record.partition());
        out.writeLong(record.offset());
        out.writeLong(record.timestamp());
        write(out, record.key());
        write(out, record.value());
        Header[] headers = record.headers().toArray();
        out.writeInt(headers.length);
        for (Header header : headers) {
            out.writeUTF(header.key());
            write(out, header.value());
        }
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes == null ? NULL : bytes.length);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    /**
     * Reads a saved history.
     *
     * @throws IOException if the file is not a history or is truncated
     */
    public static History load(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(
                new GZIPInputStream(new BufferedInputStream(Files.newInputStream(file)), 1 << 16))) {
            if (!in.readUTF().equals(MAGIC)) {
                throw new IOException(file + " is no history of this version; it would begin with " + MAGIC);
            }
            String prefix = in.readUTF();
            int partitions = in.readInt();
            int topics = in.readInt();
            Map<String, List<ConsumerRecord<byte[], byte[]>>> records = new TreeMap<>();
            for (int topic = 0; topic < topics; topic++) {
                String name = in.readUTF();
                int count = in.readInt();
                List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>(count);
                for (int i = 0; i < count; i++) {
                    all.add(readRecord(in, prefix + name));
                }
                records.put(name, all);
            }
            return new History(prefix, partitions, records);
        }
    }

    private static ConsumerRecord<byte[], byte[]> readRecord(DataInputStream in, String topic) throws IOException {
        int partition = in.readInt();
        long offset = in.readLong();
        long timestamp = in.readLong();
        byte[] key = readBytes(in);
        byte[] value = readBytes(in);
        Headers headers = new RecordHeaders();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            headers.add(in.readUTF(), readBytes(in));
        }
        return record(topic, partition, offset, timestamp, key, value, headers);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length == NULL ? null : in.readNBytes(length);
    }

    static ConsumerRecord<byte[], byte[]> record(
            String topic, int partition, long offset, long timestamp, byte[] key, byte[] value, Headers headers) {
        return new ConsumerRecord<>(
                topic,
                partition,
                offset,
                timestamp,
                TimestampType.CREATE_TIME,
                key == null ? -1 : key.length,
                value == null ? -1 : value.length,
                key,
                value,
                headers,
                Optional.empty());
    }

    /** Returns the text of a header; null if the record has none of this name. */
    static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
