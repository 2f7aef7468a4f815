package dev.strake.server.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A real Kafka broker in this JVM: a single node that is both broker and controller. It listens on the loopback
 * interface only and keeps its data across restarts.
 *
 * <p>This class uses internal classes of Kafka, which the rest of Strake does not. {@code EmbeddedBrokerIT} tests what
 * it relies on.
 */
public final class EmbeddedBroker implements AutoCloseable {

    /** More than the largest rendered document (8 MiB), its headers and the outcome together. */
    public static final int MAX_MESSAGE_BYTES = 24 << 20;

    private static final String LOOPBACK = "127.0.0.1";
    private static final int NODE_ID = 1;

    private final KafkaRaftServer server;
    private final DirectoryLock lock;
    private final int port;

    private EmbeddedBroker(KafkaRaftServer server, DirectoryLock lock, int port) {
        this.server = server;
        this.lock = lock;
        this.port = port;
    }

    /**
     * Starts a broker and returns when it is ready: about two seconds in a fresh JVM.
     *
     * @param directory where the broker keeps its data; formatted on first use
     * @param port where clients connect; 0 for any free port
     * @throws BrokerStartException if the directory or the port is in use, or Kafka itself fails to start
     */
    public static EmbeddedBroker start(Path directory, int port) {
        return start(directory, port, Map.of());
    }

    /**
     * As {@link #start(Path, int)}, with further broker settings.
     *
     * @param more settings that override those of this class
     */
    public static EmbeddedBroker start(Path directory, int port, Map<String, Object> more) {
        Path home = directory.toAbsolutePath().normalize();
        DirectoryLock lock = DirectoryLock.acquire(home);
        try {
            Ports ports = Ports.choose(port);
            if (KilledBroker.isIn(home)) {
                KilledBroker.fence(settings(home, Ports.choose(0), more), NODE_ID);
            }
            format(home, NODE_ID, Uuid.randomUuid());
            return new EmbeddedBroker(launch(settings(home, ports, more)), lock, ports.clients());
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** Runs the action instead of ending the JVM when a broker has a fatal error, for example a full disk. */
    public static void insteadOfEndingTheProcess(Runnable action) {
        Exit.setHaltProcedure((code, message) -> action.run());
        Exit.setExitProcedure((code, message) -> action.run());
    }

    /** Returns the value for {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return LOOPBACK + ":" + port;
    }

    public int port() {
        return port;
    }

    /** Shuts the broker down cleanly, so that the next start needs no recovery, and releases the directory. */
    @Override
    public void close() {
        try {
            server.shutdown();
            server.awaitShutdown();
        } finally {
            lock.close();
        }
    }

    static KafkaRaftServer launch(Map<String, Object> settings) {
        KafkaRaftServer server = null;
        try {
            // false: do not log the settings, about three hundred.
            server = new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
            server.startup();
            return server;
        } catch (RuntimeException e) {
            if (server != null) {
                server.shutdown();
            }
            throw new BrokerStartException(
                    "The embedded broker did not start: %s. If its data directory %s was written by a newer version, choose another one."
                            .formatted(e.getMessage(), settings.get("log.dirs")),
                    e);
        }
    }

    /** Gives a new directory its cluster id and node id. A formatted directory stays unchanged. */
    static void format(Path directory, int nodeId, Uuid clusterId) {
        if (Files.exists(directory.resolve("meta.properties"))) {
            return;
        }
        try (PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setNodeId(nodeId)
                    .setClusterId(clusterId.toString())
                    .addDirectory(directory.toString())
                    .setMetadataLogDirectory(directory.toString())
                    .setControllerListenerName("CONTROLLER")
                    .setPrintStream(silent)
                    .run();
        } catch (Exception e) {
            // The formatter declares Exception; it throws I/O failures and exceptions of its own.
            throw new BrokerStartException(
                    "The data directory %s cannot be formatted for Kafka: %s".formatted(directory, e.getMessage()), e);
        }
    }

    private static Map<String, Object> settings(Path directory, Ports ports, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", NODE_ID);
        settings.put("log.dirs", directory.toString());
        settings.put(
                "listeners",
                "CLIENTS://%s:%d,CONTROLLER://%s:%d"
                        .formatted(LOOPBACK, ports.clients(), LOOPBACK, ports.controller()));
        settings.put("advertised.listeners", "CLIENTS://%s:%d".formatted(LOOPBACK, ports.clients()));
        settings.put("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "CLIENTS");
        settings.put("controller.listener.names", "CONTROLLER");
        // A static voter is not written to disk, so the controller's port may change with each start.
        settings.put("controller.quorum.voters", "%d@%s:%d".formatted(NODE_ID, LOOPBACK, ports.controller()));

        for (String internal :
                new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
            settings.put(internal + ".num.partitions", 1);
            settings.put(internal + ".replication.factor", (short) 1);
        }
        settings.put("transaction.state.log.min.isr", 1);
        settings.put("share.coordinator.state.topic.min.isr", (short) 1);
        settings.put("auto.create.topics.enable", false);
        settings.put("message.max.bytes", MAX_MESSAGE_BYTES);
        settings.put("replica.fetch.max.bytes", MAX_MESSAGE_BYTES);
        // Committed offsets outlive any pause: a laptop that sleeps for weeks must not read its changes again.
        settings.put("offsets.retention.minutes", 10 * 365 * 24 * 60);

        // The only broker must not be fenced while it runs, even if the machine pauses it. Its partitions would
        // have no leader, and the coordinator would treat them as deleted (see KilledBroker).
        settings.put("broker.session.timeout.ms", 24 * 60 * 60 * 1000);
        settings.put("broker.heartbeat.interval.ms", 300);

        // A single node waits for no other members. With the defaults, a group would wait for seconds.
        settings.put("group.initial.rebalance.delay.ms", 0);
        settings.put("group.streams.initial.rebalance.delay.ms", 0);
        settings.put("group.streams.assignment.interval.ms", 0);
        settings.put("group.streams.min.session.timeout.ms", 3000);
        settings.put("group.streams.session.timeout.ms", 3000);
        settings.put("group.streams.min.heartbeat.interval.ms", 300);
        settings.put("group.streams.heartbeat.interval.ms", 300);

        // Sized for a process with other work; the cleaner's buffer alone has 128 MB by default.
        settings.put("log.cleaner.dedupe.buffer.size", 8L << 20);
        settings.put("num.network.threads", 2);
        settings.put("num.io.threads", 2);
        settings.putAll(more);
        return settings;
    }

    /**
     * The two ports of the broker, checked to be free. Kafka must not find a busy port itself: if the controller's port
     * is busy, Kafka halts the JVM without running shutdown hooks.
     */
    private record Ports(int clients, int controller) {

        static Ports choose(int wanted) {
            // Both probes are open at once, so the ports differ.
            try (ServerSocket clients = bind(wanted);
                    ServerSocket controller = bind(0)) {
                return new Ports(clients.getLocalPort(), controller.getLocalPort());
            } catch (BindException e) {
                throw new BrokerStartException(
                        "Port %d on %s is busy. If a Strake runs there, use it; otherwise stop what listens there, or choose another port with --kafka-port."
                                .formatted(wanted, LOOPBACK),
                        e);
            } catch (IOException e) {
                throw new BrokerStartException("No free port on %s: %s".formatted(LOOPBACK, e.getMessage()), e);
            }
        }

        private static ServerSocket bind(int port) throws IOException {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
                return socket;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }
    }
}
