package dev.strake.cli.option;

import dev.strake.server.kafka.KafkaSettings;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options with which a command connects to a cluster. */
public final class ClusterOptions {

    @Option(
            names = "--bootstrap-servers",
            paramLabel = "SERVERS",
            description = "Where Kafka is, as host:port,host:port. Default: 127.0.0.1:9092, as started by 'strake up'.")
    private Optional<String> bootstrapServers = Optional.empty();

    @Option(
            names = "--kafka-config",
            paramLabel = "FILE",
            defaultValue = "${env:STRAKE_KAFKA_CONFIG}",
            description = "A properties file with further client settings (TLS, SASL, ...). The environment sets them, "
                    + "too: KAFKA_SASL_MECHANISM is sasl.mechanism.")
    private Optional<Path> config = Optional.empty();

    public KafkaSettings settings(Map<String, String> environment) {
        return KafkaSettings.of(bootstrapServers, config, environment);
    }
}
