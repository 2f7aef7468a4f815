package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.Strake;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One {@code strake serve} in a separate JVM with a separate state folder, to be killed, paused and restarted. */
final class Instance {

    /** Kept revisions of each workspace: so few that pruning is always active. */
    static final int KEPT = 50;

    private static final int MEGABYTES = 256;

    /* This number of additional threads renders documents in parallel, on any number of processors. */
    private static final String RENDERING_THREADS = "-Djava.util.concurrent.ForkJoinPool.common.parallelism=3";

    /* Dead instances are detected after six seconds, their transactions aborted after eight, to keep tests short. */
    private static final Map<String, String> TIME_LIMITS =
            Map.of("session.timeout.ms", "6000", "heartbeat.interval.ms", "1500", "transaction.timeout.ms", "8000");

    private static final String CLIENTS = "default.client.supplier";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private final String name;
    private final Path home;
    private final Jvm jvm;
    private final String bootstrapServers;
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<String, String> own = new TreeMap<>();
    private Surroundings surroundings = Surroundings.OURS;
    private Clock clock;
    private String failpoint;
    private boolean isAsShipped;

    Instance(String name, Path home, String bootstrapServers, int partitions) {
        this.name = name;
        this.home = home;
        this.jvm = new Jvm(name, home, MEGABYTES);
        this.bootstrapServers = bootstrapServers;
        settings.putAll(TIME_LIMITS);
        set("strake.partitions", Integer.toString(partitions));
        set("strake.history.revisions", Integer.toString(KEPT));
        set("strake.threads", "2");
        set("strake.replication-factor", "1");
    }

    /** With the default timeouts, threads and log instead of those for tests. */
    Instance asShipped() {
        isAsShipped = true;
        settings.keySet().removeAll(TIME_LIMITS.keySet());
        own.remove("strake.threads");
        return this;
    }

    /** With a setting of Kafka. */
    Instance with(String setting, String value) {
        settings.put(setting, value);
        return this;
    }

    /** With a setting of Strake. */
    Instance set(String setting, String value) {
        own.put(setting, value);
        return this;
    }

    /** In another locale and time zone. */
    Instance in(Surroundings elsewhere) {
        surroundings = elsewhere;
        return this;
    }

    /** With a clock that can be set. */
    Instance with(Clock ownClock) {
        clock = ownClock;
        return this;
    }

    /** Makes the next start halt at a failpoint, with special clients of Kafka. */
    Instance haltingAt(Failpoint point, int passes) {
        failpoint = point + ":" + passes;
        return this;
    }

    void start() {
        Path config = home.resolve("kafka.properties");
        try {
            Files.createDirectories(home);
            List<String> lines = new ArrayList<>();
            settings.forEach((name, value) -> lines.add(name + "=" + value));
            if (failpoint != null) {
                lines.add(CLIENTS + "=" + Failpoint.Clients.class.getName());
            }
            Files.write(config, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> options = new ArrayList<>(surroundings.options());
        options.add(RENDERING_THREADS);
        if (failpoint != null) {
            options.add("-D" + Failpoint.PROPERTY + "=" + failpoint);
        }
        List<String> arguments = new ArrayList<>(List.of(
                "serve",
                "--bootstrap-servers",
                bootstrapServers,
                "--kafka-config",
                config.toString(),
                "--data",
                state().toString(),
                "--http-port",
                "0"));
        own.forEach((setting, value) -> arguments.addAll(List.of("--set", setting + "=" + value)));
        Map<String, String> environment = new TreeMap<>(clock == null ? Map.of() : clock.environment());
        if (!isAsShipped) {
            environment.put("STRAKE_KAFKA_LOG", "info");
        }
        jvm.start(Strake.class, options, arguments, environment);
    }

    private boolean isReady() {
        return ask("/health/ready").map(answer -> answer.statusCode() == 200).orElse(false);
    }

    /** The folder of its stores. */
    Path state() {
        return home.resolve("data");
    }

    boolean isRunning() {
        return jvm.isRunning();
    }

    /** Waits until it has joined the group. It may have no tasks, because other instances have the state. */
    void awaitReady() {
        if (isAsShipped) {
            await(name + " is ready").atMost(Duration.ofMinutes(10)).until(() -> !isRunning() || isReady());
            assertThat(isRunning()).as(says()).isTrue(); // it may be waiting again, for another member to join
        } else {
            awaitSays("from REBALANCING to RUNNING", Duration.ofMinutes(3));
        }
    }

    /** Waits until its output contains a text; fails if it exits before. */
    void awaitSays(String text, Duration patience) {
        jvm.awaitSays(text, patience);
    }

    String says() {
        return jvm.says();
    }

    /** The URL of its HTTP server. */
    String url() {
        awaitSays("HTTP   http", Duration.ofMinutes(1));
        return says().lines()
                .filter(line -> line.startsWith("HTTP "))
                .findFirst()
                .map(line -> line.substring(line.indexOf("http://")))
                .orElseThrow();
    }

    /** The number of its active tasks, as it reports; 0 if it does not answer. */
    int tasks() {
        return ask("/info")
                .map(answer -> (MapValue) JsonReader.read(answer.body()))
                .map(info -> ((ListValue) info.get("active")).size())
                .orElse(0);
    }

    /* The response of its HTTP server; empty if it does not answer. */
    private Optional<HttpResponse<byte[]>> ask(String path) {
        if (!isRunning() || !says().contains("HTTP   http")) {
            return Optional.empty();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return Optional.of(HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void collectGarbage() {
        jvm.collectGarbage();
    }

    /** As {@code kill -9}. */
    void kill() {
        jvm.kill();
    }

    /** As {@code kill}: allows a graceful shutdown. */
    void stop() {
        jvm.stop();
    }

    /** Waits until it exits; returns its exit code. */
    int awaitExit() {
        return jvm.awaitExit();
    }

    void pause() {
        jvm.pause();
    }

    void resume() {
        jvm.resume();
    }

    @Override
    public String toString() {
        return name;
    }
}
