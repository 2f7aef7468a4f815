package dev.strake.cli.local;

import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** End to end on the official Kafka image, where Docker answers. */
class OfficialKafkaEndToEndIT extends EndToEnd {

    private static final String IMAGE = "apache/kafka:4.4.0";

    private KafkaContainer kafka;

    @Override
    String startBroker() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            System.out.println(
                    "No Docker here: the end-to-end tests ran on the embedded broker only, not on " + IMAGE + ".");
            Assumptions.abort("no Docker");
        }
        kafka = new KafkaContainer(IMAGE);
        kafka.start();
        return kafka.getBootstrapServers();
    }

    @Override
    void stopBroker() {
        if (kafka != null) {
            kafka.stop();
        }
    }
}
