package dev.strake.checks.chaos;

import dev.strake.server.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * The broker of a run, in a separate JVM. A test can kill it independently of the instances, and restart it with the
 * same files and port.
 */
final class Broker implements Kafka {

    private static final String LISTENS = "listens at port ";
    private static final int MEGABYTES = 512;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Jvm jvm;
    private final Path data;
    private int port;

    Broker(Path home) {
        this.jvm = new Jvm("broker", home, MEGABYTES);
        this.data = home.resolve("data");
    }

    @Override
    public void start() {
        jvm.start(Program.class, List.of(), List.of(data.toString(), Integer.toString(port)), Map.of());
        jvm.awaitSays(LISTENS, PATIENCE);
        if (port == 0) {
            port = jvm.says()
                    .lines()
                    .filter(line -> line.startsWith(LISTENS))
                    .map(line -> Integer.parseInt(line.substring(LISTENS.length())))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Override
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    @Override
    public short replicas() {
        return 1;
    }

    @Override
    public void stop() {
        jvm.stop();
    }

    /** As {@code kill -9}. */
    void kill() {
        jvm.kill();
    }

    @Override
    public boolean isRunning() {
        return jvm.isRunning();
    }

    /** Runs until it is terminated. */
    static final class Program {

        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            EmbeddedBroker broker = EmbeddedBroker.start(Path.of(args[0]), Integer.parseInt(args[1]));
            Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stops-broker"));
            System.out.println(LISTENS + broker.port());
            System.out.flush();
            new CountDownLatch(1).await();
        }
    }
}
