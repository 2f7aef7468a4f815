package dev.strake.checks.chaos;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * A place in the work at which an instance halts, says so and waits to be killed. Everything that happens to a change is
 * seen by the clients of Kafka, so the places are in them, and Strake itself knows nothing of it:
 *
 * <pre>
 *  poll ───► process: stores ───► rendered … rendered ───► outcome ───► offsets ───► commit ───►
 *        ▲                    ▲            ▲                       ▲             ▲            ▲
 *     BEFORE_              AFTER_         MID_                   AFTER_        BEFORE_      AFTER_
 *     PROCESS            STORE_WRITE    FORWARD                 FORWARD        COMMIT       COMMIT
 * </pre>
 */
enum Failpoint {
    /** Changes were read, none of them was processed. */
    BEFORE_PROCESS,
    /** A store was written, and its changelog; nothing was published. */
    AFTER_STORE_WRITE,
    /** A rendered record was published, the rest of its revision was not. */
    MID_FORWARD,
    /** The outcome was published. */
    AFTER_FORWARD,
    /** Everything is in the transaction but its end. */
    BEFORE_COMMIT,
    /** The transaction has ended, and the instance does not get to know anything more. */
    AFTER_COMMIT;

    /** Names the failpoint and how many times to pass it, {@code AFTER_COMMIT:17}. */
    static final String PROPERTY = "strake.failpoint";

    /** What an instance says when it halts. */
    static final String HALTED = "halted at ";

    private static final AtomicInteger PASSED = new AtomicInteger();

    private void reach() {
        String[] wanted = System.getProperty(PROPERTY, ":").split(":", 2);
        if (name().equals(wanted[0]) && PASSED.incrementAndGet() == Integer.parseInt(wanted[1])) {
            System.out.println(HALTED + name());
            System.out.flush();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("was to be killed here, and not to be interrupted", e);
            }
        }
    }

    /** Gives Kafka Streams clients with failpoints in them, by its setting {@code default.client.supplier}. */
    public static final class Clients implements KafkaClientSupplier {

        @Override
        public Admin getAdmin(Map<String, Object> config) {
            return Admin.create(config);
        }

        @Override
        public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
            return new HaltingProducer(config);
        }

        @Override
        public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
            return new HaltingConsumer(config);
        }

        @Override
        public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
            return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
            return getRestoreConsumer(config);
        }
    }

    private static final class HaltingConsumer extends KafkaConsumer<byte[], byte[]> {

        HaltingConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
            if (!records.isEmpty()) {
                BEFORE_PROCESS.reach();
            }
            return records;
        }
    }

    private static final class HaltingProducer extends KafkaProducer<byte[], byte[]> {

        HaltingProducer(Map<String, Object> config) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            Future<RecordMetadata> sent = super.send(record, callback);
            if (record.topic().endsWith("-changelog")) {
                AFTER_STORE_WRITE.reach();
            } else if (record.topic().endsWith("rendered-documents")) {
                flushFor(MID_FORWARD);
                MID_FORWARD.reach();
            } else if (record.topic().endsWith("outcomes")) {
                flushFor(AFTER_FORWARD);
                AFTER_FORWARD.reach();
            }
            return sent;
        }

        @Override
        public void sendOffsetsToTransaction(
                Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
            super.sendOffsetsToTransaction(offsets, group);
            BEFORE_COMMIT.reach();
        }

        @Override
        public void commitTransaction() {
            super.commitTransaction();
            AFTER_COMMIT.reach();
        }

        /* Without, what was sent would die in the producer's buffer, and the broker would never see it. */
        private void flushFor(Failpoint failpoint) {
            if (System.getProperty(PROPERTY, "").startsWith(failpoint.name())) {
                flush();
            }
        }
    }
}
