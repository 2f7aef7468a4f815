package dev.strake.server.pipeline;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.internals.SubscriptionState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.utils.BufferSupplier;

/**
 * Weighs what a fetch brought before Kafka's consumer sees it, and keeps from it what would be too heavy once it is unpacked.
 *
 * <p>Kafka's consumer takes each record onto the heap as a whole, however much it unpacks to, and asks nobody before. The one
 * place to look at packed batches is where the answer to a fetch comes in: at the consumer's network client. There is no
 * public way to it, so this class takes the place of that client in a private field.
 *
 * <p>The weight of a fetch is what the consumer may have unpacked of it at once: its largest record, as {@link PollBudget}
 * makes the consumer stop between records; all records without key and value, which no deserializer sees; and what a codec
 * holds. The headers of packed blocks tell that most fetches are light. Where they do not, the lengths in the records are
 * read.
 *
 * <p>A fetch that is too heavy beside the others that wait comes to the consumer empty. Its partition is paused, so that it is
 * not fetched again at once. What to do then is known to {@link BoundedConsumer}.
 *
 * <p>An answer also tells the id of its topic. A topic that was deleted and created anew has the same name and the same
 * offsets, so its records would be taken for those of the old one. They are withheld, too, until the pipeline stops.
 *
 * <p>Answers come in on the thread that polls, or on that of the consumer's heartbeats.
 */
final class WeighedFetches implements InvocationHandler {

    private final KafkaClient client;
    private final SubscriptionState subscriptions;
    private final Map<String, Uuid> ids;
    private final long most;
    private final BufferSupplier buffers = BufferSupplier.create();
    private final Map<Uuid, String> topics = new HashMap<>();
    private final Map<TopicPartition, Waiting> waiting = new HashMap<>();
    private final Set<TopicPartition> heavy = new HashSet<>();

    /** A fetch of which records may still be unpacked: those before the end. */
    private record Waiting(long weight, long end) {

        static final Waiting TOO_HEAVY = new Waiting(Long.MAX_VALUE, 0);
    }

    /** A batch as it was fetched. */
    private record Packed(DefaultRecordBatch batch, UnpackedBound bound) {

        static List<Packed> of(MemoryRecords records) {
            List<Packed> batches = new ArrayList<>();
            ByteBuffer bytes = records.buffer();
            for (MutableRecordBatch batch : records.batches()) {
                ByteBuffer packed = bytes.slice(bytes.position(), batch.sizeInBytes())
                        .position(DefaultRecordBatch.RECORD_BATCH_OVERHEAD);
                bytes.position(bytes.position() + batch.sizeInBytes());
                // all topics of ours have this form
                batches.add(new Packed((DefaultRecordBatch) batch, UnpackedBound.of(batch.compressionType(), packed)));
            }
            return batches;
        }
    }

    private WeighedFetches(KafkaClient client, SubscriptionState subscriptions, Map<String, Uuid> ids, long most) {
        this.client = client;
        this.subscriptions = subscriptions;
        this.ids = ids;
        this.most = most;
    }

    /**
     * Weighs what a consumer fetches from now on.
     *
     * @param ids of topics by their names; nothing comes in from another topic of such a name, which was created after this one was deleted
     * @param most bytes that it may have unpacked at once
     * @throws IllegalStateException if the consumer is not of the version of Kafka that this program is made with, or is
     *     one of the newer group protocols
     */
    static WeighedFetches of(KafkaConsumer<?, ?> consumer, Map<String, Uuid> ids, long most) {
        try {
            Object classic = field(KafkaConsumer.class, "delegate").get(consumer);
            Object network = field(classic.getClass(), "client").get(classic);
            Field place = field(network.getClass(), "client");
            WeighedFetches weighed = new WeighedFetches(
                    (KafkaClient) place.get(network),
                    (SubscriptionState)
                            field(classic.getClass(), "subscriptions").get(classic),
                    ids,
                    most);
            place.set(
                    network,
                    Proxy.newProxyInstance(
                            KafkaClient.class.getClassLoader(), new Class<?>[] {KafkaClient.class}, weighed));
            return weighed;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this consumer of Kafka is not one whose fetches can be weighed. Use the kafka-clients that this"
                            + " program comes with",
                    e);
        }
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Partitions with records that were fetched and not handed out. */
    synchronized Set<TopicPartition> waiting() {
        return new HashSet<>(waiting.keySet());
    }

    /** Partitions whose last fetch was too heavy, and which are paused since. Each is told once. */
    synchronized Set<TopicPartition> takeHeavy() {
        Set<TopicPartition> taken = new HashSet<>(heavy);
        heavy.clear();
        return taken;
    }

    /** These are paused by somebody else, and stay so. */
    synchronized void leavePaused(Collection<TopicPartition> partitions) {
        heavy.removeAll(partitions);
    }

    /** What was fetched of these will not be unpacked any more. */
    synchronized void forget(Collection<TopicPartition> partitions) {
        heavy.removeAll(partitions);
        waiting.keySet().removeAll(partitions);
    }

    /** All before this offset was handed out. */
    synchronized void passed(TopicPartition partition, long offset) {
        waiting.computeIfPresent(partition, (key, fetch) -> fetch.end <= offset ? null : fetch);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("send")) {
            arguments[0] = weighing((ClientRequest) arguments[0]);
        }
        try {
            return method.invoke(client, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private ClientRequest weighing(ClientRequest request) {
        if (request.apiKey() != ApiKeys.FETCH) {
            return request;
        }
        noteTopics((FetchRequest.Builder) request.requestBuilder());
        RequestCompletionHandler then = request.callback();
        return new ClientRequest(
                request.destination(),
                request.requestBuilder(),
                request.correlationId(),
                request.makeHeader(request.requestBuilder().latestAllowedVersion())
                        .clientId(),
                request.createdTimeMs(),
                request.expectResponse(),
                request.requestTimeoutMs(),
                answer -> {
                    try {
                        weigh(answer);
                    } finally { // or the consumer would wait for it for ever
                        then.onComplete(answer);
                    }
                });
    }

    /* Answers name topics by ids. A request tells each once in a session with a broker. */
    private synchronized void noteTopics(FetchRequest.Builder request) {
        request.fetchData().forEach((partition, asked) -> topics.put(asked.topicId, partition.topic()));
    }

    private void weigh(ClientResponse answer) {
        if (answer.responseBody() instanceof FetchResponse fetched) {
            for (FetchableTopicResponse topic : fetched.data().responses()) {
                topic.partitions().forEach(each -> weigh(topic, each));
            }
        }
    }

    private synchronized void weigh(FetchableTopicResponse topic, PartitionData fetched) {
        String name = topic.topic().isEmpty() ? topics.get(topic.topicId()) : topic.topic();
        if (name == null || !(fetched.records() instanceof MemoryRecords records) || records.sizeInBytes() == 0) {
            return;
        }
        TopicPartition partition = new TopicPartition(name, fetched.partitionIndex());
        if (isAnother(name, topic.topicId())) {
            withhold(partition, fetched);
            return;
        }
        waiting.remove(partition); // a partition is fetched when all of its last fetch was handed out
        long room = most - waiting.values().stream().mapToLong(Waiting::weight).sum();
        Waiting brought = weighed(partition, records, room);
        if (brought.weight <= room) {
            waiting.put(partition, brought);
        } else if (withhold(partition, fetched)) {
            heavy.add(partition);
        }
    }

    /* Answers of earlier versions have no ids. Then the watch for topics alone sees it, some seconds later. */
    private boolean isAnother(String name, Uuid id) {
        return ids.containsKey(name) && !id.equals(Uuid.ZERO_UUID) && !id.equals(ids.get(name));
    }

    /* Where somebody else has paused the partition, or it is given up, it is fetched again when it is wanted. */
    private boolean withhold(TopicPartition partition, PartitionData fetched) {
        fetched.setRecords(MemoryRecords.EMPTY);
        synchronized (subscriptions) {
            boolean isFetched = subscriptions.isAssigned(partition) && !subscriptions.isPaused(partition);
            if (isFetched) {
                subscriptions.pause(partition);
            }
            return isFetched;
        }
    }

    /* What cannot be read is for the one to tell who reads by hand. */
    private Waiting weighed(TopicPartition partition, MemoryRecords records, long room) {
        try {
            List<Packed> batches = Packed.of(records);
            long most = mostWeight(batches, room);
            return new Waiting(most <= room ? most : weight(partition, batches, room), end(batches));
        } catch (IOException | RuntimeException e) {
            return Waiting.TOO_HEAVY;
        }
    }

    private static long end(List<Packed> batches) {
        return batches.isEmpty() ? 0 : batches.get(batches.size() - 1).batch.nextOffset();
    }

    /* As if all there was were headers. */
    private static long mostWeight(List<Packed> batches, long room) {
        long most = 0;
        for (Packed each : batches) {
            if (each.bound.bytes() > (room - most) / BatchReader.HEAP_OF_HEADER_BYTE) {
                return Long.MAX_VALUE;
            }
            most += each.bound.bytes() * BatchReader.HEAP_OF_HEADER_BYTE;
        }
        return most;
    }

    private long weight(TopicPartition partition, List<Packed> batches, long room) throws IOException {
        long largest = 0;
        long withoutContent = 0;
        long unpacked = 0;
        long held = batches.stream().mapToLong(each -> each.bound.held()).max().orElse(0);
        if (held > room) {
            return Long.MAX_VALUE;
        }
        for (Packed each : batches) {
            try (BatchReader reader = new BatchReader(partition, each.batch, buffers)) {
                while (reader.next()) {
                    long record = reader.bytes() > room ? reader.bytes() : reader.mostHeap();
                    if (reader.hasContent()) {
                        largest = Math.max(largest, record);
                    } else {
                        withoutContent += record;
                    }
                    if (largest + withoutContent + held > room || unpacked + reader.unpacked() > most) {
                        return Long.MAX_VALUE;
                    }
                }
                unpacked += reader.unpacked();
            }
        }
        return largest + withoutContent + held;
    }
}
