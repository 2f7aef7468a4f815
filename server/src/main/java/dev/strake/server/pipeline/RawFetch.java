package dev.strake.server.pipeline;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * Fetches batches as they lie in a partition, packed, which no consumer gives. It asks the leader over a connection of its
 * own, with the settings of the consumer in whose place it asks: it is needed so rarely that no connection is kept.
 *
 * @param settings of that consumer
 * @param ids of topics by their names. A topic without one is asked for by its name; so are all on brokers before 3.1
 */
record RawFetch(Map<String, Object> settings, Map<String, Uuid> ids) {

    /** The last version of a fetch that names topics instead of their ids. Brokers know it. */
    private static final short LAST_WITH_NAMES = 12;

    private static final long NO_LOG_START = -1;

    /**
     * One answer.
     *
     * @param visible what a consumer reads: neither control batches nor those of aborted transactions
     * @param end the offset behind all batches, visible or not
     */
    record Batches(List<DefaultRecordBatch> visible, long end) {}

    /**
     * The batches from an offset on, as many as the consumer would fetch at once. The first may begin before the offset.
     *
     * @throws org.apache.kafka.common.errors.RetriableException if the leader is away, or is another one, or the topic was
     *     deleted
     */
    Batches from(TopicPartition partition, long offset, Node leader) {
        Map<String, Object> known = new HashMap<>(settings);
        known.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        known.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        ConsumerConfig config = new ConsumerConfig(known);
        try (Metrics metrics = new Metrics();
                NetworkClient client = client(config, metrics, leader)) {
            int timeout = config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG);
            if (!NetworkClientUtils.awaitReady(client, leader, Time.SYSTEM, timeout)) {
                throw new IOException("no connection in " + timeout + " ms");
            }
            FetchRequest.Builder request =
                    request(partition, offset, config.getInt(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG));
            ClientRequest asked = client.newClientRequest(leader.idString(), request, Time.SYSTEM.milliseconds(), true);
            FetchResponse answer = (FetchResponse) NetworkClientUtils.sendAndReceive(client, asked, Time.SYSTEM)
                    .responseBody();
            fail(answer.error());
            FetchResponseData.PartitionData data =
                    answer.data().responses().get(0).partitions().get(0);
            Errors error = Errors.forCode(data.errorCode());
            if (error == Errors.OFFSET_OUT_OF_RANGE) {
                return new Batches(List.of(), offset); // what to do about it is known to the consumer
            }
            fail(error);
            return visible(data, offset);
        } catch (IOException e) {
            throw new DisconnectException("broker " + leader.idString() + " cannot be asked for " + partition, e);
        }
    }

    /** A client that knows one broker. */
    static NetworkClient client(ConsumerConfig config, Metrics metrics, Node leader) {
        return ClientUtils.createNetworkClient(
                config,
                config.getString(ConsumerConfig.CLIENT_ID_CONFIG) + "-raw",
                metrics,
                "raw-fetch",
                new LogContext(),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                config.getInt(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                null,
                new ManualMetadataUpdater(List.of(leader)),
                new DefaultHostResolver(),
                null,
                null);
    }

    /* Answered at once, whether something lies there or not. A first batch that is larger than this comes as a whole. */
    private FetchRequest.Builder request(TopicPartition partition, long offset, int mostBytes) {
        Uuid id = ids.getOrDefault(partition.topic(), Uuid.ZERO_UUID);
        short last = id.equals(Uuid.ZERO_UUID) ? LAST_WITH_NAMES : ApiKeys.FETCH.latestVersion();
        FetchRequest.PartitionData from =
                new FetchRequest.PartitionData(id, offset, NO_LOG_START, mostBytes, Optional.empty());
        return FetchRequest.Builder.forConsumer(last, 0, 0, Map.of(partition, from))
                .isolationLevel(IsolationLevel.READ_COMMITTED)
                .setMaxBytes(mostBytes);
    }

    private static void fail(Errors error) {
        if (error != Errors.NONE) {
            throw error.exception();
        }
    }

    /* The broker tells where aborted transactions begin. Each lasts until the next marker of its producer. */
    static Batches visible(FetchResponseData.PartitionData data, long offset) {
        Queue<AbortedTransaction> begins = new PriorityQueue<>(Comparator.comparing(AbortedTransaction::firstOffset));
        if (data.abortedTransactions() != null) {
            begins.addAll(data.abortedTransactions());
        }
        Set<Long> aborting = new HashSet<>();
        List<DefaultRecordBatch> visible = new ArrayList<>();
        long end = offset;
        for (RecordBatch batch : FetchResponse.recordsOrFail(data).batches()) {
            while (!begins.isEmpty() && begins.peek().firstOffset() <= batch.lastOffset()) {
                aborting.add(begins.remove().producerId());
            }
            boolean isAborted = batch.isTransactional() && aborting.contains(batch.producerId());
            if (batch.isControlBatch()) {
                aborting.remove(batch.producerId());
            } else if (!isAborted && batch.lastOffset() >= offset) {
                visible.add((DefaultRecordBatch) batch); // all topics of ours have this form
            }
            end = Math.max(end, batch.nextOffset());
        }
        return new Batches(visible, end);
    }
}
