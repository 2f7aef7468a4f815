package dev.strake.server.broker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.SharedServer;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.BrokerRegistration;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.apache.kafka.server.fault.LoggingFaultHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * What a broker leaves behind that was killed: for the controller it still lives and leads its partitions.
 *
 * <p>Started over it as it is, Kafka 4.3 loses ends of transactions. The new broker takes itself for the leader first and
 * sends the markers of decided transactions to its own port, which is not open yet; then its predecessor is fenced, no
 * partition has a leader, and the coordinator takes that for "deleted" ({@code
 * TransactionMarkerChannelManager.addTxnMarkersToBrokerQueue}) and calls the transaction complete without a marker. What
 * follows in those partitions stays invisible for ever. So the controller runs alone first, until the predecessor is
 * fenced: then the new broker leads nothing before it can be reached.
 */
final class KilledBroker {

    private static final Logger LOG = LoggerFactory.getLogger(KilledBroker.class);

    /** Written by an orderly shutdown, removed by the next start. */
    private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";

    private static final int SESSION_MILLIS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private KilledBroker() {}

    /** Whether the last broker of a directory did not stop in order. */
    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve("meta.properties")) && !Files.exists(directory.resolve(CLEAN_SHUTDOWN));
    }

    /**
     * Lets the controller of a directory find out that the broker is gone.
     *
     * @param settings of the node, with ports that are free
     * @throws BrokerStartException if the controller does not start, or not find out
     */
    static void fence(Map<String, Object> settings, int nodeId) {
        Map<String, Object> alone = new HashMap<>(settings);
        alone.put("process.roles", "controller");
        alone.put("listeners", alone.get("listeners").toString().replaceAll("^.*,", ""));
        alone.remove("advertised.listeners");
        alone.remove("inter.broker.listener.name");
        alone.put("broker.session.timeout.ms", SESSION_MILLIS);
        alone.put("broker.heartbeat.interval.ms", SESSION_MILLIS / 3); // nobody sends any; the two are checked together
        ControllerServer controller = controller(new KafkaConfig(alone, false));
        try {
            controller.startup();
            Fenced fenced = new Fenced(nodeId);
            controller
                    .sharedServer()
                    .loader()
                    .installPublishers(List.of(fenced))
                    .get();
            fenced.done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            controller.sharedServer().loader().removeAndClosePublisher(fenced).get();
        } catch (ExecutionException | TimeoutException e) {
            throw new BrokerStartException(
                    "The embedded broker was killed, and its data in %s does not open again: %s"
                            .formatted(settings.get("log.dirs"), e),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerStartException("The start of the embedded broker was interrupted", e);
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
    }

    /* As KafkaRaftServer makes it, which hides the metadata loader. */
    private static ControllerServer controller(KafkaConfig config) {
        Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> directories =
                KafkaRaftServer.initializeLogDirs(config, LOG, "");
        SharedServer shared = new SharedServer(
                config,
                directories._1(),
                Time.SYSTEM,
                new Metrics(),
                CompletableFuture.completedFuture(
                        QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
                QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
                // Logs only: what goes wrong here shows as a start that fails, and must not halt the JVM.
                (name, fatal, action) -> new LoggingFaultHandler(name, action),
                ServerSocketFactory.INSTANCE);
        return new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2());
    }

    /** Completes as soon as the metadata says that a broker is fenced, or was never registered. */
    private static final class Fenced implements MetadataPublisher {

        private final int nodeId;
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        Fenced(int nodeId) {
            this.nodeId = nodeId;
        }

        @Override
        public String name() {
            return "killed-broker";
        }

        @Override
        public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
            BrokerRegistration registration = image.cluster().broker(nodeId);
            if (registration == null || registration.fenced()) {
                done.complete(null);
            }
        }

        @Override
        public void close() {} // nothing is held
    }
}
