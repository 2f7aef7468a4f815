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
 * Three brokers in separate JVMs, which are controllers, too. All of them replicate every record, and two have to
 * acknowledge it.
 *
 * <pre>
 *  clients ─── link ─────► CLIENTS of node k
 *  node j ──── link ─────► FROM-j of node k          each node's listener for the others has j's name, so that the way
 *  node j ──── link ─────► CONTROLLER of node k      from each to each is one of its own, and can be cut
 * </pre>
 *
 * <p>All controllers share one listener, and publish its address to each other. So node k publishes a name,
 * {@code controller-k}, which each node resolves to another address: that of the link from this node.
 */
final class ThreeBrokers implements Kafka {

    static final int NODES = 3;

    private static final int MEGABYTES = 384;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path home;
    private final String clusterId = Uuid.randomUuid().toString();
    private final Map<Integer, Node> nodes = new TreeMap<>();
    private final Map<Integer, List<Link>> links = new TreeMap<>();
    private final Map<Integer, Link> linksOfClients = new TreeMap<>();

    /** A node and its ports. */
    private record Node(
            int id, Jvm jvm, Path settings, Path hosts, int clients, int controller, Map<Integer, Integer> from) {}

    ThreeBrokers(Path home) {
        this.home = home;
        for (int id : ids()) {
            Path directory = home.resolve("node-" + id);
            List<Integer> ports = freePorts(NODES + 2);
            Map<Integer, Integer> from = new TreeMap<>();
            ids().forEach(other -> from.put(other, ports.get(other + 1)));
            Jvm jvm = new Jvm("node-" + id, directory, MEGABYTES);
            Path settings = directory.resolve("settings");
            nodes.put(id, new Node(id, jvm, settings, directory.resolve("hosts"), ports.get(0), ports.get(1), from));
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
                "FROM-" + node.id(),
                "min.insync.replicas",
                "2",
                "default.replication.factor", // Strake's topics must not depend on it
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
        // Dead nodes are detected early, as for instances, to keep tests short.
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
        StringBuilder listeners = new StringBuilder("CLIENTS://127.0.0.1:" + node.clients());
        linksOfClients.put(node.id(), new Link(node.clients()));
        StringBuilder advertised = new StringBuilder(
                "CLIENTS://127.0.0.1:" + linksOfClients.get(node.id()).port());
        StringBuilder protocols = new StringBuilder("CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT");
        List<String> voters = new ArrayList<>();
        List<String> hosts = new ArrayList<>(List.of("127.0.0.1 localhost"));
        for (int other : ids()) {
            boolean isSelf = other == node.id();
            int port = node.from().get(other);
            listeners.append(",FROM-" + other + "://127.0.0.1:" + port);
            advertised.append(",FROM-" + other + "://127.0.0.1:" + (isSelf ? port : link(other, node.id(), port)));
            protocols.append(",FROM-" + other + ":PLAINTEXT");
            int controller = nodes.get(other).controller();
            voters.add(other + "@" + controllerName(other) + ":" + controller);
            hosts.add((isSelf ? "127.0.0.1" : linkToController(node.id(), other, controller)) + " "
                    + controllerName(other));
        }
        settings.put("listeners", listeners + ",CONTROLLER://127.0.0.1:" + node.controller());
        settings.put(
                "advertised.listeners",
                advertised + ",CONTROLLER://" + controllerName(node.id()) + ":" + node.controller());
        settings.put("listener.security.protocol.map", protocols.toString());
        settings.put("controller.quorum.voters", String.join(",", voters));
        try {
            Files.createDirectories(node.settings().getParent());
            Files.write(node.hosts(), hosts);
            try (OutputStream out = Files.newOutputStream(node.settings())) {
                settings.store(out, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int link(int from, int to, int port) {
        Link link = new Link(port);
        add(from, to, link);
        return link.port();
    }

    /* Returns the unique address of a link to a controller; the port is that of the controller. */
    private String linkToController(int from, int to, int port) {
        InetAddress address = Link.loopback(from, to + 1);
        add(from, to, new Link(address, port, port));
        return address.getHostAddress();
    }

    /* Adds a link between two nodes; it is cut if one of them is cut off. */
    private void add(int from, int to, Link link) {
        links.computeIfAbsent(from, id -> new ArrayList<>()).add(link);
        links.computeIfAbsent(to, id -> new ArrayList<>()).add(link);
    }

    private static String controllerName(int id) {
        return "controller-" + id;
    }

    /* Outside the range of ephemeral ports, so that a restarted node finds its port free. */
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
        try (ServerSocket socket = new ServerSocket(port, 50, Link.loopback(0, 1))) {
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
        node.jvm()
                .start(
                        ClusterNode.class,
                        List.of("-Djdk.net.hosts.file=" + node.hosts()),
                        List.of(node.settings().toString(), clusterId),
                        Map.of());
    }

    /** Restarts one node. */
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

    /** Cuts a node off from the other nodes. Clients still reach it, and it still believes to be a leader. */
    void cutOff(int id) {
        links.get(id).forEach(Link::cut);
    }

    /** Cuts a node off from the other nodes and from clients. */
    void cutOffFromAll(int id) {
        cutOff(id);
        linksOfClients.get(id).cut();
    }

    void mend(int id) {
        links.get(id).forEach(Link::mend);
        linksOfClients.get(id).mend();
    }

    /** Waits until every partition is in sync on all nodes, because only then another node may fail. */
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
        return linksOfClients.values().stream()
                .map(link -> "127.0.0.1:" + link.port())
                .collect(Collectors.joining(","));
    }

    @Override
    public short replicas() {
        return NODES;
    }

    /* Stops all nodes at once: the last members of a quorum could not leave gracefully. */
    @Override
    public void stop() {
        nodes.values().stream()
                .filter(node -> node.jvm().isRunning())
                .forEach(node -> node.jvm().kill());
        links.values().forEach(all -> all.forEach(Link::close));
        linksOfClients.values().forEach(Link::close);
    }

    @Override
    public boolean isRunning() {
        return nodes.values().stream().anyMatch(node -> node.jvm().isRunning());
    }
}
