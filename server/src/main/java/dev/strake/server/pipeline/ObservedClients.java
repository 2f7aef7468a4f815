package dev.strake.server.pipeline;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The clients of Kafka Streams. Their producers report the end of each transaction, and are not reused after an aborted
 * one.
 *
 * <p>Streams has no callback after a commit. Under exactly-once each stream thread has one producer, and alternates
 * between processing and committing. So when {@code commitTransaction} returns, exactly the records that its thread
 * processed before are visible to consumers. If it throws, nothing is reported: Streams aborts the transaction or
 * closes the tasks.
 *
 * @param clients creates the clients: Kafka's default, unless {@code default.client.supplier} is set
 * @param commits notified when a thread starts a commit, and when the commit ends
 */
record ObservedClients(KafkaClientSupplier clients, PipelineObserver observer, GroupCommit commits)
        implements KafkaClientSupplier {

    static ObservedClients of(Properties streamsSettings, PipelineObserver observer, GroupCommit commits) {
        return new ObservedClients(new StreamsConfig(streamsSettings).getKafkaClientSupplier(), observer, commits);
    }

    @Override
    @SuppressWarnings("unchecked") // the proxy has exactly this interface
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Producer.class},
                new ObservedProducer(clients.getProducer(config), observer, commits));
    }

    /**
     * The producer of one stream thread; no other thread uses it.
     *
     * <p>The transaction covers all tasks of the thread. If a task is found corrupted during a rebalance, Streams
     * (4.4.0) closes that task and aborts the transaction. But it keeps the other tasks, whose changes were undone with
     * that transaction, and their next commit loses these changes. This happens to an instance that was killed,
     * restarts with its old state, and has work at once. Therefore an aborted producer reports that it is fenced. The
     * thread then closes all tasks with their local state, and restarts from the last commit with a new producer.
     */
    private static final class ObservedProducer implements InvocationHandler {

        private final Producer<byte[], byte[]> producer;
        private final PipelineObserver observer;
        private final GroupCommit commits;
        private boolean aborted;

        ObservedProducer(Producer<byte[], byte[]> producer, PipelineObserver observer, GroupCommit commits) {
            this.producer = producer;
            this.observer = observer;
            this.commits = commits;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "beginTransaction" -> refuseAfterAbort();
                case "flush" -> commits.begins();
                case "abortTransaction" -> {
                    aborted = true;
                    observer.aborted(); // before the abort: whatever its result, these changes are undone
                }
                default -> {}
            }
            Object result;
            try {
                result = method.invoke(producer, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (method.getName().equals("commitTransaction")) {
                commits.ended();
                observer.committed();
            }
            return result;
        }

        private void refuseAfterAbort() {
            if (aborted) {
                throw new ProducerFencedException(
                        "the last transaction of this thread was aborted: its tasks begin again from what was committed");
            }
        }
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return clients.getAdmin(config);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return clients.getConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return clients.getRestoreConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return clients.getGlobalConsumer(config);
    }
}
