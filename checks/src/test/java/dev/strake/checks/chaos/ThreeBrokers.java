package dev.strake.checks.chaos;

import static org.awaitility.Awaitility.await;

import dev.strake.server.broker.ClusterNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;

/**
 * Three brokers, each of them a controller, too, in JVMs of their own. Every record is on all of them, and two have to have it
 * before it counts.
 */
final class ThreeBrokers implements Kafka {

    static final int NODES = 3;

    private static final int MEGABYTES = 384;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path home;
    private final String clusterId = Uuid.randomUuid().toString();
    private final Map<Integer, Node> nodes = new TreeMap<>();

    /** A node and the ports at which it listens. */
    private record Node(int id, Jvm jvm, Path settings, int clients, int internal, int controller) {}

    ThreeBrokers(Path home) {
        this.home = home;
        for (int id : ids()) {
            Path directory = home.resolve("node-" + id);
            List<Integer> ports = freePorts(3);
            Jvm jvm = new Jvm("node-" + id, directory, MEGABYTES);
            nodes.put(id, new Node(id, jvm, directory.resolve("settings"), ports.get(0), ports.get(1), ports.get(2)));
        }
        nodes.values().forEach(this::describe);
    }

    static List<Integer> ids() {
        return IntStream.rangeClosed(1, NODES).boxed().toList();
    }

    private void describe(Node node) {
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                "" + node.id(),
                "log.dirs",
                home.resolve("node-" + node.id()).resolve("data").toString(),
                "controller.listener.names",
                "CONTROLLER",
                "inter.broker.listener.name",
                "INTERNAL",
                "min.insync.replicas",
                "2",
                "default.replication.factor", // what Strake makes must not depend on it
                "1",
                "auto.create.topics.enable",
                "false",
                "message.max.bytes",
                "" + (24 << 20),
                "replica.fetch.max.bytes",
                "" + (24 << 20)));
        for (String internal : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            settings.put(internal + ".num.partitions", "3");
            settings.put(internal + ".replication.factor", "" + NODES);
        }
        // The dead are noticed early, as by the instances: tests must not wait longer.
        settings.putAll(Map.of(
                "transaction.state.log.min.isr", "2",
                "share.coordinator.state.topic.min.isr", "2",
                "broker.session.timeout.ms", "6000",
                "broker.heartbeat.interval.ms", "1000",
                "replica.lag.time.max.ms", "6000",
                "replica.socket.timeout.ms", "6000",
                "group.initial.rebalance.delay.ms", "0",
                "log.cleaner.dedupe.buffer.size", "" + (8 << 20),
                "num.network.threads", "2",
                "num.io.threads", "2"));
        settings.put(
                "listeners",
                "CLIENTS://127.0.0.1:%d,INTERNAL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                        .formatted(node.clients(), node.internal(), node.controller()));
        settings.put("listener.security.protocol.map", "CLIENTS:PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put(
                "controller.quorum.voters",
                nodes.values().stream()
                        .map(each -> each.id() + "@127.0.0.1:" + each.controller())
                        .collect(Collectors.joining(",")));
        try {
            Files.createDirectories(node.settings().getParent());
            try (OutputStream out = Files.newOutputStream(node.settings())) {
                settings.store(out, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /* Of those that the system gives to nobody by itself: a node has to find its port free again when it is restarted. */
    private static List<Integer> freePorts(int count) {
        List<Integer> ports = new ArrayList<>();
        Random random = new Random();
        while (ports.size() < count) {
            int port = 12_000 + random.nextInt(20_000);
            if (!ports.contains(port) && isFree(port)) {
                ports.add(port);
            }
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void start() {
        ids().forEach(this::launch);
        nodes.values().forEach(node -> node.jvm().awaitSays(ClusterNode.STARTED, PATIENCE));
    }

    private void launch(int id) {
        Node node = nodes.get(id);
        node.jvm().start(ClusterNode.class, List.of(), List.of(node.settings().toString(), clusterId), Map.of());
    }

    /** Starts one node again. */
    void start(int id) {
        launch(id);
        nodes.get(id).jvm().awaitSays(ClusterNode.STARTED, PATIENCE);
    }

    /** As {@code kill -9}. */
    void kill(int id) {
        nodes.get(id).jvm().kill();
    }

    void stop(int id) {
        nodes.get(id).jvm().stop();
    }

    /** Stops a node where it is: nothing is refused and nothing answered, as when it is cut off. It takes itself for what it was. */
    void pause(int id) {
        nodes.get(id).jvm().pause();
    }

    void resume(int id) {
        nodes.get(id).jvm().resume();
    }

    /** Waits until every partition is on all nodes again: only then may the next one go. */
    void awaitInSync() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            await("all replicas in sync")
                    .atMost(Duration.ofMinutes(10))
                    .pollInterval(Duration.ofMillis(200))
                    .ignoreExceptions()
                    .until(() -> isInSync(admin));
        }
    }

    private static boolean isInSync(Admin admin) throws ExecutionException, InterruptedException {
        Map<String, TopicDescription> topics = admin.describeTopics(
                        admin.listTopics().names().get())
                .allTopicNames()
                .get();
        return topics.values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> partition.isr().size() == NODES && partition.leader() != null);
    }

    @Override
    public String bootstrapServers() {
        return nodes.values().stream()
                .map(node -> "127.0.0.1:" + node.clients())
                .collect(Collectors.joining(","));
    }

    @Override
    public short replicas() {
        return NODES;
    }

    /* All at once: the last of a quorum could not leave in order. */
    @Override
    public void stop() {
        nodes.values().stream()
                .filter(node -> node.jvm().isRunning())
                .forEach(node -> node.jvm().kill());
    }

    @Override
    public boolean isRunning() {
        return nodes.values().stream().anyMatch(node -> node.jvm().isRunning());
    }
}
