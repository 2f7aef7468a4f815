package dev.strake.chaos;

import static org.awaitility.Awaitility.await;

import dev.strake.service.Strake;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** One {@code strake serve} in a JVM of its own, with a state folder of its own, to be killed, paused and started again. */
final class Instance {

    private static final Duration EXIT = Duration.ofSeconds(60);

    /** Revisions of each workspace: so few that pruning is always at work. */
    static final int KEPT = 50;

    /* The dead are noticed after six seconds, and what they left open is ended after eight: tests must not wait longer. */
    private static final Map<String, String> TIME_LIMITS =
            Map.of("session.timeout.ms", "6000", "heartbeat.interval.ms", "1500", "transaction.timeout.ms", "8000");

    private final String name;
    private final Path home;
    private final String bootstrapServers;
    private final int partitions;
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<String, String> own = new TreeMap<>(Map.of("strake.history.revisions", String.valueOf(KEPT)));
    private String failpoint;
    private Process process;
    private File log;
    private int starts;

    Instance(String name, Path home, String bootstrapServers, int partitions) {
        this.name = name;
        this.home = home;
        this.bootstrapServers = bootstrapServers;
        this.partitions = partitions;
        settings.putAll(TIME_LIMITS);
        settings.put("default.client.supplier", Failpoint.Clients.class.getName());
    }

    /** With the time limits that users have, instead of those of tests. */
    Instance asShipped() {
        settings.keySet().removeAll(TIME_LIMITS.keySet());
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

    /** From its next start on it halts at a failpoint. */
    Instance haltingAt(Failpoint point, int passes) {
        failpoint = point + ":" + passes;
        return this;
    }

    void start(String... options) {
        try {
            Files.createDirectories(home);
            Path config = home.resolve("kafka.properties");
            List<String> lines = settings.entrySet().stream()
                    .map(each -> each.getKey() + "=" + each.getValue())
                    .toList();
            Files.write(config, lines);
            log = home.resolve("log-" + starts++ + ".txt").toFile();
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Dlogback.configurationFile=logback.xml", // the program's own, and not that of tests
                    "-cp",
                    System.getProperty("java.class.path")));
            if (failpoint != null) {
                command.add("-D" + Failpoint.PROPERTY + "=" + failpoint);
            }
            command.addAll(List.of(
                    Strake.class.getName(),
                    "serve",
                    "--bootstrap-servers",
                    bootstrapServers,
                    "--kafka-config",
                    config.toString(),
                    "--data",
                    state().toString(),
                    "--http-port",
                    "0",
                    "--partitions",
                    Integer.toString(partitions),
                    "--replication-factor",
                    "1",
                    "--threads",
                    "1"));
            own.forEach((setting, value) -> command.addAll(List.of("--set", setting + "=" + value)));
            command.addAll(List.of(options));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
            builder.environment().put("STRAKE_KAFKA_LOG", "info");
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where its stores are. */
    Path state() {
        return home.resolve("data");
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Waits until it takes part. It need not have work: what it could do may be with others that have its state. */
    void awaitReady() {
        awaitSays("from REBALANCING to RUNNING", Duration.ofMinutes(3));
    }

    /** Waits until it has written this to its output; fails if it ends before. */
    void awaitSays(String text, Duration patience) {
        await(name + " says '" + text + "'").atMost(patience).until(() -> {
            if (says().contains(text)) {
                return true;
            }
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " ended with " + process.exitValue() + ": " + says());
            }
            return false;
        });
    }

    String says() {
        try {
            return Files.readString(log.toPath(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where its HTTP is. */
    String url() {
        awaitSays("HTTP   http", Duration.ofMinutes(1));
        return says().lines()
                .filter(line -> line.startsWith("HTTP "))
                .findFirst()
                .map(line -> line.substring(line.indexOf("http://")))
                .orElseThrow();
    }

    /** Lets it throw away what it does not need, so that what it does can be measured. */
    void collectGarbage() {
        String tool = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        run("collection of garbage", tool, Long.toString(process.pid()), "GC.run");
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** As {@code kill}: it may finish what it is at. */
    void stop() {
        process.destroy();
        awaitExit();
    }

    /** Waits for its end; returns its exit code. If there is none in time, the failure has what its threads are at. */
    int awaitExit() {
        try {
            if (!process.waitFor(EXIT.toSeconds(), TimeUnit.SECONDS)) {
                signal("-QUIT");
                awaitSays("Full thread dump", EXIT);
                process.waitFor(1, TimeUnit.SECONDS); // it is still writing
                throw new IllegalStateException(name + " does not end: " + says());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void pause() {
        signal("-STOP");
    }

    void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        run("kill " + signal, "kill", signal, Long.toString(process.pid()));
    }

    private void run(String what, String... command) {
        try {
            int code = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException(what + " of " + name + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
