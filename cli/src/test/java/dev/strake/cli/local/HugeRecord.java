package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.apache.kafka.common.utils.internals.LogContext;

/** A record of zeros that is packed while it is written, and sent as no producer can: without ever being on the heap. */
final class HugeRecord {

    private static final int TIMEOUT_MILLIS = 60_000;

    private HugeRecord() {}

    /**
     * Sends it to partition 0.
     *
     * @return what the broker answers
     */
    static Errors send(String bootstrapServers, String topic, String workspace, int bytes) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
        Node leader;
        try (Admin admin = Admin.create(settings)) {
            leader = await().atMost(Duration.ofMinutes(10))
                    .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
                    .until(
                            () -> admin.describeTopics(List.of(topic))
                                    .allTopicNames()
                                    .get()
                                    .get(topic)
                                    .partitions()
                                    .get(0)
                                    .leader(),
                            Objects::nonNull);
        }
        ProducerConfig config = new ProducerConfig(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class));
        TopicProduceData data = new TopicProduceData()
                .setName(topic)
                .setPartitionData(List.of(new PartitionProduceData()
                        .setIndex(0)
                        .setRecords(MemoryRecords.readableRecords(batch(workspace.getBytes(UTF_8), bytes)))));
        ProduceRequestData request = new ProduceRequestData()
                .setAcks((short) -1)
                .setTimeoutMs(TIMEOUT_MILLIS)
                .setTopicData(new TopicProduceDataCollection(List.of(data).iterator()));
        try (Metrics metrics = new Metrics();
                NetworkClient client = client(config, metrics, leader)) {
            NetworkClientUtils.awaitReady(client, leader, Time.SYSTEM, TIMEOUT_MILLIS);
            ProduceResponse answer = (ProduceResponse) NetworkClientUtils.sendAndReceive(
                            client,
                            client.newClientRequest(
                                    leader.idString(),
                                    ProduceRequest.builder(request, true),
                                    System.currentTimeMillis(),
                                    true),
                            Time.SYSTEM)
                    .responseBody();
            return Errors.forCode(answer.data()
                    .responses()
                    .iterator()
                    .next()
                    .partitionResponses()
                    .get(0)
                    .errorCode());
        }
    }

    private static NetworkClient client(ProducerConfig config, Metrics metrics, Node leader) {
        return ClientUtils.createNetworkClient(
                config,
                config.getList(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG),
                "huge-record",
                metrics,
                "huge-record",
                new LogContext(),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                TIMEOUT_MILLIS,
                null,
                new ManualMetadataUpdater(List.of(leader)),
                new DefaultHostResolver(),
                null,
                null);
    }

    private static ByteBuffer batch(byte[] key, int zeros) throws IOException {
        ByteBufferOutputStream packed = new ByteBufferOutputStream(1 << 16);
        packed.position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
        try (DataOutputStream out = new DataOutputStream(
                Compression.of(CompressionType.ZSTD).build().wrapForOutput(packed, RecordBatch.MAGIC_VALUE_V2))) {
            // Attributes, differences of time and offset, and no headers take a byte each.
            int bytes = 4 + ByteUtils.sizeOfVarint(key.length) + key.length + ByteUtils.sizeOfVarint(zeros) + zeros;
            ByteUtils.writeVarint(bytes, out);
            out.write(new byte[3]);
            ByteUtils.writeVarint(key.length, out);
            out.write(key);
            ByteUtils.writeVarint(zeros, out);
            byte[] piece = new byte[1 << 20];
            for (int left = zeros; left > 0; left -= piece.length) {
                out.write(piece, 0, Math.min(left, piece.length));
            }
            ByteUtils.writeVarint(0, out);
        }
        ByteBuffer batch = packed.buffer().duplicate();
        batch.flip();
        long now = System.currentTimeMillis();
        DefaultRecordBatch.writeHeader(
                batch,
                0,
                0,
                batch.limit(),
                RecordBatch.MAGIC_VALUE_V2,
                CompressionType.ZSTD,
                TimestampType.CREATE_TIME,
                now,
                now,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_SEQUENCE,
                false,
                false,
                false,
                RecordBatch.NO_PARTITION_LEADER_EPOCH,
                1);
        batch.position(0);
        return batch;
    }
}
