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
 * Recovery from a killed broker, which the controller still considers alive and leader of its partitions.
 *
 * <p>A plain restart over such data loses transaction markers in Kafka 4.3. The new broker first considers itself the
 * leader, and sends the markers of decided transactions to its own port, which is not open yet. Then its predecessor is
 * fenced, and no partition has a leader. The coordinator takes such partitions for "deleted"
 * ({@code TransactionMarkerChannelManager.addTxnMarkersToBrokerQueue}) and completes the transaction without a marker.
 * Later records in those partitions stay invisible forever. Therefore the controller first runs alone until it has
 * fenced the predecessor. Then the new broker leads no partition before its port is open.
 */
final class KilledBroker {

    private static final Logger LOG = LoggerFactory.getLogger(KilledBroker.class);

    /** A clean shutdown writes this file; the next start removes it. */
    private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";

    private static final int SESSION_MILLIS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private KilledBroker() {}

    /** Whether the last broker of a directory was not shut down cleanly. */
    static boolean isIn(Path directory) {
        return Files.exists(directory.resolve("meta.properties")) && !Files.exists(directory.resolve(CLEAN_SHUTDOWN));
    }

    /**
     * Runs the controller of a directory until it has fenced the broker.
     *
     * @param settings of the node, with free ports
     * @throws BrokerStartException if the controller does not start, or does not fence the broker in time
     */
    static void fence(Map<String, Object> settings, int nodeId) {
        Map<String, Object> alone = new HashMap<>(settings);
        alone.put("process.roles", "controller");
        alone.put("listeners", alone.get("listeners").toString().replaceAll("^.*,", ""));
        alone.remove("advertised.listeners");
        alone.remove("inter.broker.listener.name");
        alone.put("broker.session.timeout.ms", SESSION_MILLIS);
        alone.put("broker.heartbeat.interval.ms", SESSION_MILLIS / 3); // Kafka checks the two together
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

    /* Builds the controller as KafkaRaftServer does, which does not expose the metadata loader. */
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
                // Only logs: a fault here must not halt the JVM; the start fails instead.
                (name, fatal, action) -> new LoggingFaultHandler(name, action),
                ServerSocketFactory.INSTANCE);
        return new ControllerServer(shared, KafkaRaftServer.configSchema(), directories._2());
    }

    /** Completes when the metadata shows that the broker is fenced or not registered. */
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
        public void close() {} // nothing to close
    }
}
