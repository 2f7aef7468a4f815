package dev.strake.service.server;

import dev.strake.service.broker.EmbeddedBroker;
import dev.strake.service.kafka.KafkaSettings;
import dev.strake.service.pipeline.PipelineSettings;
import dev.strake.service.settings.Catalogue;
import dev.strake.service.settings.Settings;
import dev.strake.service.settings.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * All of Strake in one process: a broker and a server that works on it, both on the loopback interface.
 *
 * <pre>
 *  DIR/kafka     the broker's logs: all topics, among them the changelogs of the stores
 *  DIR/streams   the stores
 * </pre>
 */
public final class LocalServer implements AutoCloseable {

    /** What one process with one broker has instead of the usual defaults. */
    public static final Source DEFAULTS = Source.of(
            "default of 'strake up'",
            Map.of(
                    Catalogue.PARTITIONS, "4",
                    Catalogue.REPLICATION_FACTOR, "1",
                    Catalogue.INSTANCE_ID, "strake",
                    Catalogue.THREADS,
                            Integer.toString(Math.min(4, Runtime.getRuntime().availableProcessors()))));

    private final EmbeddedBroker broker;
    private final Server server;

    private LocalServer(EmbeddedBroker broker, Server server) {
        this.broker = broker;
        this.server = server;
    }

    /**
     * Starts the broker and waits for it, then starts the server.
     *
     * @throws dev.strake.service.broker.BrokerStartException if the directory is in use or a port is busy
     * @throws java.net.BindException if the port for HTTP is busy
     */
    public static LocalServer start(Settings settings) throws IOException {
        Path data = settings.get(Catalogue.DATA).toAbsolutePath().normalize();
        EmbeddedBroker broker = EmbeddedBroker.start(data.resolve("kafka"), settings.get(Catalogue.KAFKA_PORT));
        try {
            KafkaSettings kafka = KafkaSettings.of(broker.bootstrapServers());
            return new LocalServer(broker, Server.start(new PipelineSettings(kafka, settings)));
        } catch (IOException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    public String url() {
        return "http://127.0.0.1:" + server.httpPort();
    }

    public Server server() {
        return server;
    }

    /** Ends the pipeline before the broker, so that it can commit what it has done. */
    @Override
    public void close() {
        try {
            server.close();
        } finally {
            broker.close();
        }
    }
}
