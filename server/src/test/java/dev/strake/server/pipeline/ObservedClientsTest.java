package dev.strake.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.Test;

/** The clients of the pipeline, and the events of their transactions. */
class ObservedClientsTest {

    private static final GroupCommit COMMITS = new GroupCommit(Duration.ofMillis(10), System::nanoTime);

    private final MockProducer<byte[], byte[]> given =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final List<String> told = new ArrayList<>();

    private final PipelineObserver observer = new PipelineObserver() {
        @Override
        public void committed() {
            told.add("committed " + given.transactionCommitted());
        }

        @Override
        public void aborted() {
            told.add("aborted " + given.transactionAborted());
        }
    };

    private final DefaultKafkaClientSupplier supplier = new DefaultKafkaClientSupplier() {
        @Override
        public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
            return given;
        }
    };

    private Producer<byte[], byte[]> producer() {
        Producer<byte[], byte[]> producer = new ObservedClients(supplier, observer, COMMITS).getProducer(Map.of());
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    @Test
    void shouldReportACommitAfterItAndAnAbortBeforeIt() {
        Producer<byte[], byte[]> producer = producer();
        producer.commitTransaction();
        producer.beginTransaction();
        producer.abortTransaction();
        assertThat(told).containsExactly("committed true", "aborted false");
        assertThat(given.transactionAborted()).isTrue();
    }

    @Test
    void shouldBeFencedAfterAnAbortSoThatAllTasksOfTheThreadRestart() {
        Producer<byte[], byte[]> producer = producer();
        producer.abortTransaction();
        assertThatThrownBy(producer::beginTransaction)
                .as("what Streams takes for a reason to begin all tasks of the thread again")
                .isInstanceOf(ProducerFencedException.class);
        Producer<byte[], byte[]> next = new ObservedClients(supplier, observer, COMMITS).getProducer(Map.of());
        assertThatNoException().as("of the next producer").isThrownBy(next::beginTransaction);
    }

    @Test
    void shouldNotReportAFailedCommit() {
        Producer<byte[], byte[]> producer = producer();
        given.commitTransactionException = new KafkaException("the broker is away");
        assertThatThrownBy(producer::commitTransaction)
                .as("as it was thrown")
                .isSameAs(given.commitTransactionException);
        assertThat(told).isEmpty();
    }
}
