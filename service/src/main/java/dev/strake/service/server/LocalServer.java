package dev.strake.service.server;

import dev.strake.service.broker.EmbeddedBroker;
import dev.strake.service.kafka.KafkaSettings;
import dev.strake.service.pipeline.PipelineSettings;
import dev.strake.topology.TopologySettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/**
 * All of Strake in one process: a broker and a server that works on it, both on the loopback interface.
 *
 * <pre>
 *  DIR/kafka     the broker's logs: all topics, among them the changelogs of the stores
 *  DIR/streams   the stores
 * </pre>
 */
public final class LocalServer implements AutoCloseable {

    private static final String NAME = "strake";

    private final EmbeddedBroker broker;
    private final Server server;

    private LocalServer(EmbeddedBroker broker, Server server) {
        this.broker = broker;
        this.server = server;
    }

    /**
     * What may be different from one local Strake to another.
     *
     * @param data the directory that survives restarts
     * @param kafkaPort where the broker listens, 0 for any free port
     * @param httpPort where HTTP listens, 0 for any free port
     * @param partitions of the topics when they are created
     * @param acceptEmptyState start although the changelogs are not whole
     * @param work how the work is done
     */
    public record Settings(
            Path data,
            int kafkaPort,
            int httpPort,
            int partitions,
            int threads,
            boolean acceptEmptyState,
            TopologySettings work) {

        /** For a data directory that is new, or whole. */
        public Settings(Path data, int kafkaPort, int httpPort, int partitions, int threads, TopologySettings work) {
            this(data, kafkaPort, httpPort, partitions, threads, false, work);
        }
    }

    /**
     * Starts the broker and waits for it, then starts the server.
     *
     * @throws dev.strake.service.broker.BrokerStartException if the directory is in use or a port is busy
     * @throws java.net.BindException if the port for HTTP is busy
     */
    public static LocalServer start(Settings settings) throws IOException {
        Path data = settings.data().toAbsolutePath().normalize();
        EmbeddedBroker broker = EmbeddedBroker.start(data.resolve("kafka"), settings.kafkaPort());
        try {
            PipelineSettings pipeline = new PipelineSettings(
                    KafkaSettings.of(broker.bootstrapServers()),
                    NAME,
                    "strake.",
                    settings.partitions(),
                    Optional.of((short) 1),
                    settings.threads(),
                    data.resolve("streams"),
                    Optional.of(NAME),
                    settings.acceptEmptyState(),
                    settings.work());
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            return new LocalServer(
                    broker, Server.start(pipeline, new InetSocketAddress(loopback, settings.httpPort())));
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
