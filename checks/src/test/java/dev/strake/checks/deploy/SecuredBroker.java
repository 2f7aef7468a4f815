package dev.strake.checks.deploy;

import dev.strake.testing.TestAuthority;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * A broker with TLS that authenticates users by password (SASL/SCRAM) and denies requests without an ACL, as Strimzi's
 * does. The password of a user is its name and {@code -secret}; {@link #ADMIN} is a super user.
 */
final class SecuredBroker implements AutoCloseable {

    static final String ADMIN = "admin";

    private static final String MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule required";

    private static final TestAuthority AUTHORITY = TestAuthority.create();

    private final KafkaRaftServer server;
    private final int port;
    private final Path authority;

    private SecuredBroker(KafkaRaftServer server, int port, Path authority) {
        this.server = server;
        this.port = port;
        this.authority = authority;
    }

    static SecuredBroker start(Path directory, List<String> users) throws Exception {
        List<Integer> ports = freePorts();
        format(directory, users);
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings(directory, ports), false), Time.SYSTEM);
        server.startup();
        return new SecuredBroker(server, ports.get(0), AUTHORITY.file(directory));
    }

    /** The value of {@code sasl.jaas.config} for a user. */
    static String login(String user) {
        return login(user, user + "-secret");
    }

    static String login(String user, String password) {
        return MODULE + " username=\"" + user + "\" password=\"" + password + "\";";
    }

    String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** The certificate of the authority that signed the broker's certificate. */
    Path authority() {
        return authority;
    }

    /** The settings of a client that authenticates as this user. */
    Map<String, Object> client(String user) {
        return client(user, user + "-secret");
    }

    Map<String, Object> client(String user, String password) {
        return Map.of(
                "bootstrap.servers",
                bootstrapServers(),
                "security.protocol",
                "SASL_SSL",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                authority.toString(),
                "sasl.mechanism",
                "SCRAM-SHA-512",
                "sasl.jaas.config",
                login(user, password));
    }

    private static Map<String, Object> settings(Path directory, List<Integer> ports) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", 1);
        settings.put("log.dirs", directory.toString());
        settings.put(
                "listeners",
                "CLIENTS://127.0.0.1:%d,INSIDE://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
                        .formatted(ports.get(0), ports.get(1), ports.get(2)));
        settings.put("listener.security.protocol.map", "CLIENTS:SASL_SSL,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "INSIDE");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("controller.quorum.voters", "1@127.0.0.1:" + ports.get(2));
        settings.put("authorizer.class.name", StandardAuthorizer.class.getName());
        // The broker's own requests are anonymous.
        settings.put("super.users", "User:" + ADMIN + ";User:ANONYMOUS");
        TestAuthority.Issued own = AUTHORITY.issue(TestAuthority.ask("127.0.0.1"));
        settings.put("listener.name.clients.ssl.keystore.type", "PEM");
        settings.put("listener.name.clients.ssl.keystore.certificate.chain", own.pem());
        settings.put("listener.name.clients.ssl.keystore.key", own.key());
        settings.put("listener.name.clients.sasl.enabled.mechanisms", "SCRAM-SHA-512");
        settings.put("listener.name.clients.scram-sha-512.sasl.jaas.config", MODULE + ";");
        for (String internal : List.of("offsets.topic", "transaction.state.log")) {
            settings.put(internal + ".num.partitions", 1);
            settings.put(internal + ".replication.factor", (short) 1);
        }
        settings.put("transaction.state.log.min.isr", 1);
        settings.put("auto.create.topics.enable", false);
        settings.put("group.initial.rebalance.delay.ms", 0);
        settings.put("log.cleaner.dedupe.buffer.size", 8L << 20);
        return settings;
    }

    private static void format(Path directory, List<String> users) throws Exception {
        Files.createDirectories(directory);
        try (PrintStream silent = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setNodeId(1)
                    .setClusterId(Uuid.randomUuid().toString())
                    .addDirectory(directory.toString())
                    .setMetadataLogDirectory(directory.toString())
                    .setControllerListenerName("CONTROLLER")
                    .setScramArguments(Stream.concat(users.stream(), Stream.of(ADMIN))
                            .map(user -> "SCRAM-SHA-512=[name=%s,password=%s-secret]".formatted(user, user))
                            .toList())
                    .setPrintStream(silent)
                    .run();
        }
    }

    private static List<Integer> freePorts() throws IOException {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (ServerSocket a = new ServerSocket(0, 1, loopback);
                ServerSocket b = new ServerSocket(0, 1, loopback);
                ServerSocket c = new ServerSocket(0, 1, loopback)) {
            return List.of(a.getLocalPort(), b.getLocalPort(), c.getLocalPort());
        }
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
