package dev.strake.server.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {

    private static final String TOPIC = "letters";

    @TempDir
    Path directory;

    @Test
    void shouldKeepCommittedRecordsAcrossARestartOnAnotherPort() throws Exception {
        byte[] large = new byte[EmbeddedBroker.MAX_MESSAGE_BYTES - 1024];
        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0)) {
            createTopic(broker);
            try (KafkaProducer<byte[], byte[]> producer = transactionalProducer(broker)) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(TOPIC, "first".getBytes(UTF_8)))
                        .get();
                producer.send(new ProducerRecord<>(TOPIC, large)).get();
                producer.commitTransaction();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(TOPIC, "never".getBytes(UTF_8)))
                        .get();
                producer.abortTransaction();
            }
        }

        try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0)) {
            assertThat(readAll(broker)).containsExactly("first".getBytes(UTF_8), large);
        }
    }

    @Test
    void shouldRefuseADirectoryThatAnotherBrokerUses() {
        try (EmbeddedBroker first = EmbeddedBroker.start(directory, 0)) {
            assertThat(first.port()).isPositive();
            assertThatThrownBy(() -> EmbeddedBroker.start(directory, 0))
                    .isInstanceOf(BrokerStartException.class)
                    .hasMessageContainingAll(directory.toString(), "in use");
        }
        EmbeddedBroker.start(directory, 0).close();
    }

    @Test
    void shouldRefuseABusyPortAndLeaveTheDirectoryFree() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            assertThatThrownBy(() -> EmbeddedBroker.start(directory, busy.getLocalPort()))
                    .isInstanceOf(BrokerStartException.class)
                    .hasMessageContainingAll(
                            "Port " + busy.getLocalPort(), "If a Strake runs there, use it", "--kafka-port");
        }
        EmbeddedBroker.start(directory, 0).close();
    }

    private static void createTopic(EmbeddedBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        }
    }

    private static KafkaProducer<byte[], byte[]> transactionalProducer(EmbeddedBroker broker) {
        return new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "transactional.id",
                        "letter-writer",
                        "max.request.size",
                        EmbeddedBroker.MAX_MESSAGE_BYTES),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static List<byte[]> readAll(EmbeddedBroker broker) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        List<byte[]> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(5))) {
                    values.add(record.value());
                }
            }
        }
        return values;
    }
}
