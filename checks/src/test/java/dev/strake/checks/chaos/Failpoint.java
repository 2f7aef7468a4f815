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
 * A point at which an instance halts, reports it and waits to be killed. Kafka's clients see all stages of a change, so
 * the failpoints are in the clients, and Strake itself contains no code for them:
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
    /** A store and its changelog were written; nothing was published. */
    AFTER_STORE_WRITE,
    /** A rendered record was published, the rest of its revision was not. */
    MID_FORWARD,
    /** The outcome was published. */
    AFTER_FORWARD,
    /** The transaction is complete except for its commit. */
    BEFORE_COMMIT,
    /** The transaction is committed, and the instance does not learn of it. */
    AFTER_COMMIT;

    /** The system property with the failpoint and how many times to pass it, {@code AFTER_COMMIT:17}. */
    static final String PROPERTY = "strake.failpoint";

    /** The output of an instance that halts. */
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

    /** Supplies Kafka clients with failpoints, by the Kafka Streams setting {@code default.client.supplier}. */
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

        /* Without a flush, records would be lost in the producer's buffer, and the broker would never see them. */
        private void flushFor(Failpoint failpoint) {
            if (System.getProperty(PROPERTY, "").startsWith(failpoint.name())) {
                flush();
            }
        }
    }
}
