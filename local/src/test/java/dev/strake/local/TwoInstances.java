package dev.strake.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.client.ChangePublisher;
import dev.strake.client.NewChange;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.server.Server;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A broker and two instances that share the work, each of which has some of the workspaces {@code site-0}, {@code site-1}, … */
record TwoInstances(EmbeddedBroker broker, Server one, Server other) implements AutoCloseable {

    static final int WORKSPACES = 6;

    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /** What an instance has of its own, beside what both have. */
    interface OfInstance {
        Settings settings(String name) throws IOException;
    }

    /**
     * Starts them.
     *
     * @param host the name that they know one another by
     */
    static TwoInstances start(Path directory, String host, OfInstance settings) throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
        TwoInstances both = new TwoInstances(
                broker, start(broker, host, settings.settings("one")), start(broker, host, settings.settings("other")));
        // Six partitions, two of them without a workspace: with three each, each has some.
        await().atMost(TIMEOUT)
                .until(() -> !held(both.one).isEmpty()
                        && !held(both.other).isEmpty()
                        && held(both.one).size() + held(both.other).size() == WORKSPACES);
        return both;
    }

    private static Server start(EmbeddedBroker broker, String host, Settings settings) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort(); // the address has to be known before it is listened on
        }
        return Server.start(new PipelineSettings(
                KafkaSettings.of(
                        Optional.of(broker.bootstrapServers()),
                        Optional.empty(),
                        Map.of("KAFKA_NUM_STANDBY_REPLICAS", "1")),
                settings.with(Catalogue.PARTITIONS, 6)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.HTTP_PORT, port)
                        .with(Catalogue.HTTP_ADVERTISED, host + ":" + port)));
    }

    /** The workspaces that an instance has. */
    static Set<String> held(Server server) {
        Set<String> held = new TreeSet<>();
        for (int i = 0; i < WORKSPACES; i++) {
            if (server.pipeline().placement().holds("site-" + i)) {
                held.add("site-" + i);
            }
        }
        return held;
    }

    /** Publishes documents to each workspace, in which {@code %s} is its name. */
    void publishToAll(String documents) {
        for (int i = 0; i < WORKSPACES; i++) {
            String workspace = "site-" + i;
            byte[] body = documents.formatted(workspace).getBytes(StandardCharsets.UTF_8);
            NewChange change = new NewChange(workspace, "first", ChangeType.BUCKET_PUT, "all", List.of(body));
            try (ChangePublisher publisher = new ChangePublisher(
                    KafkaSettings.of(broker.bootstrapServers()).cluster(), "strake.", workspace, TIMEOUT)) {
                publisher.publish(change);
                assertThat(publisher.await("first", pending -> {}).status()).isEqualTo(OutcomeStatus.RENDERED);
            }
        }
    }

    @Override
    public void close() {
        other.close();
        one.close();
        broker.close();
    }
}
