package dev.strake.server.broker;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;

/**
 * One node of a cluster, in this JVM: broker and controller at once. Runs until it is terminated.
 *
 * <pre>ClusterNode SETTINGS CLUSTER-ID</pre>
 *
 * <p>The settings are a Kafka properties file with {@code node.id} and {@code log.dirs}.
 */
public final class ClusterNode {

    /** The output once it accepts connections. */
    public static final String STARTED = "node started";

    private ClusterNode() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Properties file = new Properties();
        try (Reader in = Files.newBufferedReader(Path.of(args[0]))) {
            file.load(in);
        }
        Map<String, Object> settings = new HashMap<>();
        file.stringPropertyNames().forEach(name -> settings.put(name, file.getProperty(name)));
        Path directory = Path.of(file.getProperty("log.dirs"));
        EmbeddedBroker.format(directory, Integer.parseInt(file.getProperty("node.id")), Uuid.fromString(args[1]));
        KafkaRaftServer server = EmbeddedBroker.launch(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stops-node"));
        System.out.println(STARTED);
        System.out.flush();
        new CountDownLatch(1).await();
    }
}
