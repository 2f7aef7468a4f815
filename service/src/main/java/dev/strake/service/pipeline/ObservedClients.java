package dev.strake.service.pipeline;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Kafka Streams, with producers that tell when a transaction ends.
 *
 * <p>There is no other place to learn it: Streams calls nobody after a commit. Under exactly-once every stream thread has
 * one producer, processes and commits with it in turn, and so whatever a thread processed before {@code
 * commitTransaction} returns on it is visible to consumers then, and nothing else is. If it throws, nobody is told:
 * Streams aborts, or closes the tasks.
 *
 * @param clients where they come from: Kafka's own, unless {@code default.client.supplier} says otherwise
 */
record ObservedClients(KafkaClientSupplier clients, PipelineObserver observer) implements KafkaClientSupplier {

    @Override
    @SuppressWarnings("unchecked") // the proxy has exactly this interface
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        Producer<byte[], byte[]> producer = clients.getProducer(config);
        return (Producer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Producer.class},
                (proxy, method, arguments) -> call(producer, method, arguments));
    }

    private Object call(Producer<byte[], byte[]> producer, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("abortTransaction")) {
            observer.aborted(); // told first: whatever comes of the abort, these changes did not happen
        }
        Object result;
        try {
            result = method.invoke(producer, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (method.getName().equals("commitTransaction")) {
            observer.committed();
        }
        return result;
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
