package dev.strake.server.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.ByteBufferOutputStream;
import org.apache.kafka.common.utils.ByteUtils;
import org.apache.kafka.common.utils.Time;
import org.xerial.snappy.Snappy;

/** A batch that is packed while it is written, so that its records may be larger than the heap of a test. */
public final class PackedBatch {

    private static final int TIMEOUT_MILLIS = 60_000;

    private final CompressionType codec;
    private final boolean isOneBlock;
    private final ByteBufferOutputStream packed = new ByteBufferOutputStream(1 << 16);
    private final DataOutputStream out;
    private final long timestamp = System.currentTimeMillis();
    private int records;

    public PackedBatch(String codec) {
        this(CompressionType.forName(codec), Compression.of(codec).build());
    }

    private PackedBatch(CompressionType codec, Compression compression) {
        this.codec = codec;
        this.isOneBlock = codec != compression.type();
        packed.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        out = new DataOutputStream(compression.wrapForOutput(packed, RecordBatch.MAGIC_VALUE_V2));
    }

    /** Packed by snappy as one block, as clients of Kafka in other languages write it: this one is on the heap as a whole. */
    public static PackedBatch inOneBlock() {
        return new PackedBatch(CompressionType.SNAPPY, Compression.NONE);
    }

    /**
     * Adds a record.
     *
     * @param key null for none
     * @param value with which its value begins; null for no value
     * @param blanks that follow
     * @param headers names and values in turn
     */
    public PackedBatch add(String key, String value, int blanks, String... headers) throws IOException {
        byte[] ofKey = key == null ? null : key.getBytes(UTF_8);
        byte[] ofValue = value == null ? null : value.getBytes(UTF_8);
        long valueBytes = value == null ? -1 : (long) ofValue.length + blanks;
        long bytes = 1
                + ByteUtils.sizeOfVarlong(0)
                + ByteUtils.sizeOfVarint(records)
                + sizeOf(ofKey == null ? -1 : ofKey.length)
                + sizeOf(valueBytes)
                + ByteUtils.sizeOfVarint(headers.length / 2);
        for (String header : headers) {
            bytes += sizeOf(header.length());
        }
        ByteUtils.writeVarint(Math.toIntExact(bytes), out);
        out.writeByte(0);
        ByteUtils.writeVarlong(0, out);
        ByteUtils.writeVarint(records++, out);
        write(ofKey);
        ByteUtils.writeVarint((int) valueBytes, out);
        if (value != null) {
            out.write(ofValue);
            writeBlanks(blanks);
        }
        ByteUtils.writeVarint(headers.length / 2, out);
        for (String header : headers) {
            write(header.getBytes(UTF_8));
        }
        return this;
    }

    /** The most blanks that a record without a header may have: more than a JVM gives to any array. */
    public int mostBlanks(String key, String value) {
        return Integer.MAX_VALUE - 64 - key.length() - value.length();
    }

    private static long sizeOf(long length) {
        return ByteUtils.sizeOfVarint((int) length) + Math.max(0, length);
    }

    private void write(byte[] bytes) throws IOException {
        ByteUtils.writeVarint(bytes == null ? -1 : bytes.length, out);
        if (bytes != null) {
            out.write(bytes);
        }
    }

    private void writeBlanks(int count) throws IOException {
        byte[] piece = new byte[1 << 20];
        Arrays.fill(piece, (byte) ' ');
        for (int left = count; left > 0; left -= piece.length) {
            out.write(piece, 0, Math.min(left, piece.length));
        }
    }

    /** The batch as it is sent. Nothing can be added any more. */
    public ByteBuffer bytes() throws IOException {
        out.close();
        if (isOneBlock) {
            int begin = DefaultRecordBatch.RECORD_BATCH_OVERHEAD;
            byte[] block = Snappy.rawCompress(
                    Arrays.copyOfRange(packed.buffer().array(), begin, packed.position()), packed.position() - begin);
            packed.position(begin);
            packed.write(block);
        }
        ByteBuffer batch = packed.buffer().duplicate();
        batch.flip();
        DefaultRecordBatch.writeHeader(
                batch,
                0,
                records - 1,
                batch.limit(),
                RecordBatch.MAGIC_VALUE_V2,
                codec,
                TimestampType.CREATE_TIME,
                timestamp,
                timestamp,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                false,
                false,
                RecordBatch.NO_PARTITION_LEADER_EPOCH,
                records);
        batch.position(0);
        return batch;
    }

    /** Sends a batch as no producer can: without its records on the heap. */
    public static void send(String bootstrapServers, TopicPartition to, ByteBuffer batch) throws Exception {
        Node leader;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            leader = admin.describeTopics(List.of(to.topic()))
                    .allTopicNames()
                    .get()
                    .get(to.topic())
                    .partitions()
                    .get(to.partition())
                    .leader();
        }
        ConsumerConfig config = new ConsumerConfig(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "request.timeout.ms",
                TIMEOUT_MILLIS,
                "key.deserializer",
                ByteArrayDeserializer.class,
                "value.deserializer",
                ByteArrayDeserializer.class));
        TopicProduceData topic = new TopicProduceData()
                .setName(to.topic())
                .setPartitionData(List.of(new PartitionProduceData()
                        .setIndex(to.partition())
                        .setRecords(MemoryRecords.readableRecords(batch.duplicate()))));
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(TIMEOUT_MILLIS)
                .setTopicData(new TopicProduceDataCollection(List.of(topic).iterator()));
        try (Metrics metrics = new Metrics();
                NetworkClient client = RawFetch.client(config, metrics, leader)) {
            NetworkClientUtils.awaitReady(client, leader, Time.SYSTEM, TIMEOUT_MILLIS);
            ClientResponse answer = NetworkClientUtils.sendAndReceive(
                    client,
                    client.newClientRequest(
                            leader.idString(), ProduceRequest.builder(request, true), System.currentTimeMillis(), true),
                    Time.SYSTEM);
            ProduceResponseData.PartitionProduceResponse written = ((ProduceResponse) answer.responseBody())
                    .data()
                    .responses()
                    .iterator()
                    .next()
                    .partitionResponses()
                    .get(0);
            Errors.forCode(written.errorCode()).maybeThrow();
        }
    }
}
