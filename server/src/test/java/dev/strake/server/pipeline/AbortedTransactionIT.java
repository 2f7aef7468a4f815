package dev.strake.server.pipeline;

import static dev.strake.server.Installation.POLICY;
import static dev.strake.server.Installation.TIMEOUT;
import static org.awaitility.Awaitility.await;

import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.Installation;
import dev.strake.server.settings.Catalogue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A task is corrupted during a rebalance after another task of its thread has processed changes. Streams then aborts
 * the transaction of both tasks.
 */
class AbortedTransactionIT {

    private static final int PARTITIONS = 4;

    /** One workspace in each partition. */
    private static final List<String> WORKSPACES = IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> Installation.workspaceOf("ws", partition, PARTITIONS))
            .toList();

    @TempDir
    Path directory;

    private final Map<String, Integer> sent = new HashMap<>();
    private final Map<String, Integer> answered = new HashMap<>();

    /** Kafka clients whose producers fail to write a change of a store when the test demands it. */
    public static final class FailingClients extends DefaultKafkaClientSupplier {

        private static volatile int failingPartition = -1;
        private static volatile long beganAt;
        private static volatile boolean open;

        static boolean isOpenFor(Duration time) {
            return open && System.nanoTime() - beganAt > time.toNanos();
        }

        @Override
        @SuppressWarnings("unchecked") // the proxy has exactly this interface
        public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
            Producer<byte[], byte[]> producer = super.getProducer(config);
            return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Producer.class},
                    (proxy, method, arguments) -> call(producer, method, arguments));
        }

        private static Object call(Producer<byte[], byte[]> producer, Method method, Object[] arguments)
                throws Throwable {
            switch (method.getName()) {
                case "beginTransaction" -> {
                    beganAt = System.nanoTime();
                    open = true;
                }
                case "commitTransaction", "abortTransaction" -> open = false;
                case "send" -> {
                    ProducerRecord<?, ?> record = (ProducerRecord<?, ?>) arguments[0];
                    if (record.topic().endsWith("-changelog") && failingPartition == record.partition()) {
                        failingPartition = -1;
                        TimeoutException planted = new TimeoutException("planted");
                        ((Callback) arguments[1]).onCompletion(null, planted);
                        Object failed = CompletableFuture.failedFuture(planted);
                        return failed;
                    }
                }
                default -> {}
            }
            try {
                return method.invoke(producer, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** Kafka clients whose consumers block the group until the test releases them. */
    public static final class HeldClients extends DefaultKafkaClientSupplier {

        private static volatile CountDownLatch released = new CountDownLatch(0);

        @Override
        public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
            return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
                @Override
                public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return super.poll(timeout);
                }
            };
        }
    }

    @Test
    void shouldAnswerTheChangesOfTheOtherTaskAfterAnAbort() throws Exception {
        try (Installation strake = new Installation("aborted", directory, PARTITIONS);
                Pipeline one = start(strake, "one", FailingClients.class);
                Pipeline other = start(strake, "other", HeldClients.class);
                KafkaConsumer<byte[], byte[]> outcomes = strake.reader(TopicNames.OUTCOMES)) {
            await().atMost(TIMEOUT)
                    .until(() -> heldBy(one).size() == 2 && heldBy(other).size() == 2);
            String sound = heldBy(one).get(0);
            String corrupted = heldBy(one).get(1);

            HeldClients.released = new CountDownLatch(1);
            try (Pipeline joining = start(strake, "joining", DefaultKafkaClientSupplier.class)) {
                // Streams commits every few milliseconds, but not while the group rebalances.
                await().atMost(TIMEOUT).until(() -> {
                    publish(strake, sound);
                    return FailingClients.isOpenFor(Duration.ofSeconds(1));
                });
                FailingClients.failingPartition = WorkspaceKey.partition(corrupted, PARTITIONS);
                publish(strake, corrupted);
                await().atMost(TIMEOUT).until(() -> !FailingClients.open);
                HeldClients.released.countDown();
                await().atMost(TIMEOUT).until(() -> {
                    outcomes.poll(Duration.ofMillis(100))
                            .forEach(record ->
                                    answered.merge(new String(record.key(), StandardCharsets.UTF_8), 1, Integer::sum));
                    return answered.equals(sent);
                });
                joining.awaitReady(TIMEOUT);
            } finally {
                HeldClients.released.countDown();
            }
        }
    }

    private static List<String> heldBy(Pipeline pipeline) {
        return WORKSPACES.stream().filter(pipeline.placement()::holds).toList();
    }

    private void publish(Installation strake, String workspace) throws Exception {
        int number = sent.merge(workspace, 1, Integer::sum);
        strake.publish(workspace, POLICY.replace("site", "site, layer-" + number), "ce_id", "change-" + number);
    }

    private Pipeline start(Installation strake, String instance, Class<?> clients) {
        return strake.with(Catalogue.DATA, directory.resolve(instance))
                .startPipeline(Map.of("KAFKA_DEFAULT_CLIENT_SUPPLIER", clients.getName()));
    }
}
