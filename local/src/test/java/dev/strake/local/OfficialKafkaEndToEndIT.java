package dev.strake.local;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** End to end on the official Kafka image, where Docker answers. */
class OfficialKafkaEndToEndIT extends EndToEnd {

    private static final String IMAGE = "apache/kafka:4.4.0";

    private static KafkaContainer kafka;

    @BeforeAll
    static void startContainer() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            System.out.println(
                    "No Docker here: the end-to-end tests ran on the embedded broker only, not on " + IMAGE + ".");
            Assumptions.abort("no Docker");
        }
        kafka = new KafkaContainer(IMAGE);
        kafka.start();
    }

    @AfterAll
    static void stopContainer() {
        if (kafka != null) {
            kafka.stop();
        }
    }

    @Override
    String bootstrapServers() {
        return kafka.getBootstrapServers();
    }
}
