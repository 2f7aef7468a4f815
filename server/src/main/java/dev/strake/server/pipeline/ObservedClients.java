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
 * The clients of Kafka Streams, with producers that tell when a transaction ends, and that are used no more after one
 * that was aborted.
 *
 * <p>There is no other place to learn of an end: Streams calls nobody after a commit. Under exactly-once every stream
 * thread has one producer, processes and commits with it in turn, and so whatever a thread processed before {@code
 * commitTransaction} returns on it is visible to consumers then, and nothing else is. If it throws, nobody is told:
 * Streams aborts, or closes the tasks.
 *
 * @param clients where they come from: Kafka's own, unless {@code default.client.supplier} says otherwise
 * @param commits told when a thread begins to commit, and when it is done
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
     * A producer of one stream thread, and used by no other.
     *
     * <p>The transaction is that of all tasks of the thread. Where one of them is found corrupted while the group
     * rebalances, Streams (4.4.0) closes that task, aborts the transaction, and goes on with the others as if what they
     * had processed in it were not undone; with their next commit those changes are gone. It happens to an instance that
     * was killed, comes back to its old state, and has work to do at once. So after an abort the thread is told that its
     * producer is fenced: it gives all its tasks back, with their local state, and begins again from what was committed,
     * with a new producer.
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
                    observer.aborted(); // told first: whatever comes of the abort, these changes did not happen
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
