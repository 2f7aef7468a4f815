package dev.strake.cli.local;

import dev.strake.client.MisconfiguredException;
import dev.strake.server.Server;
import dev.strake.server.broker.BrokerStartException;
import dev.strake.server.broker.EmbeddedBroker;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * All of Strake in one process: a broker on the loopback interface and a server that uses it.
 *
 * <pre>
 *  DIR/kafka     the broker's logs: all topics, among them the changelogs of the stores
 *  DIR/streams   the stores
 * </pre>
 */
public final class LocalServer implements AutoCloseable {

    private final EmbeddedBroker broker;
    private final Server server;
    private final String url;

    private LocalServer(EmbeddedBroker broker, Server server, String url) {
        this.broker = broker;
        this.server = server;
        this.url = url;
    }

    /** As {@link #start(Settings, int)}, with the broker at any free port. */
    public static LocalServer start(Settings settings) throws IOException {
        return start(settings, 0);
    }

    /**
     * Starts the broker, waits until it is ready, and starts the server.
     *
     * @param kafkaPort the port of the broker; 0 for any free port
     * @throws MisconfiguredException if the directory is in use, or the port of the broker is busy
     * @throws java.net.BindException if the port for HTTP is busy
     */
    public static LocalServer start(Settings settings, int kafkaPort) throws IOException {
        Path data = settings.get(Catalogue.DATA).toAbsolutePath().normalize();
        EmbeddedBroker broker;
        try {
            broker = EmbeddedBroker.start(data.resolve("kafka"), kafkaPort);
        } catch (BrokerStartException e) {
            throw new MisconfiguredException(e.getMessage(), e);
        }
        try {
            // A fixed instance id returns the tasks at once after a kill. The broker is in this process, so a
            // short backoff is harmless; a first start retries often until its topics are created.
            KafkaSettings kafka = KafkaSettings.of(
                    Optional.of(broker.bootstrapServers()),
                    Optional.empty(),
                    Map.of("KAFKA_GROUP_INSTANCE_ID", "strake", "KAFKA_RETRY_BACKOFF_MS", "10"));
            Server server = Server.start(new PipelineSettings(kafka, withEnoughThreads(settings)));
            String scheme = settings.get(Catalogue.HTTP_TLS_CERTIFICATE).isPresent() ? "https" : "http";
            return new LocalServer(
                    broker, server, scheme + "://" + settings.get(Catalogue.HTTP_HOST) + ":" + server.httpPort());
        } catch (IOException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    /* No other instance will ever share the partitions, so additional threads would be idle. */
    private static Settings withEnoughThreads(Settings settings) {
        int most = Math.min(settings.get(Catalogue.PARTITIONS), PipelineSettings.defaultThreads());
        return settings.get(Catalogue.THREADS).isPresent() ? settings : settings.with(Catalogue.THREADS, most);
    }

    public String bootstrapServers() {
        return broker.bootstrapServers();
    }

    public String url() {
        return url;
    }

    public Server server() {
        return server;
    }

    /** Stops the pipeline before the broker, so that the pipeline can commit. */
    @Override
    public void close() {
        try {
            server.close();
        } finally {
            broker.close();
        }
    }
}
