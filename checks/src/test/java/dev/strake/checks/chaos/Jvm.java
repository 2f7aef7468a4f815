package dev.strake.checks.chaos;

import static org.awaitility.Awaitility.await;

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
import java.util.concurrent.TimeUnit;

/** A program in a separate JVM, which can be killed, paused and restarted; each start has an output file. */
final class Jvm {

    private static final Duration EXIT = Duration.ofMinutes(10);

    private final String name;
    private final Path home;
    private final int megabytes;
    private Process process;
    private File log;
    private int starts;

    /**
     * @param home the folder of the output files
     * @param megabytes the largest heap
     */
    Jvm(String name, Path home, int megabytes) {
        this.name = name;
        this.home = home;
        this.megabytes = megabytes;
    }

    /** Starts a program of this class path. */
    void start(Class<?> program, List<String> options, List<String> arguments, Map<String, String> environment) {
        List<String> command = new ArrayList<>(List.of(
                tool("java"),
                "-Xmx" + megabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=logback.xml")); // that of the program, not that of tests
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(arguments);
        try {
            Files.createDirectories(home);
            log = home.resolve("log-" + starts++ + ".txt").toFile();
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log);
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Waits until its output contains a text; fails if it exits before. */
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

    /** Its output since the last start. */
    String says() {
        try {
            // The encoding does not matter, because the expected texts are ASCII.
            return new String(Files.readAllBytes(log.toPath()), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@code kill -9}. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** As {@code kill}: allows a graceful shutdown. */
    void stop() {
        process.destroy();
        awaitExit();
    }

    /** Waits until it exits; returns its exit code. After the timeout, the failure contains its stack traces. */
    int awaitExit() {
        try {
            if (!process.waitFor(EXIT.toSeconds(), TimeUnit.SECONDS)) {
                signal("-QUIT");
                awaitSays("Full thread dump", EXIT);
                process.waitFor(1, TimeUnit.SECONDS); // time to write its output
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

    /** Triggers a garbage collection, so that the live heap can be measured. */
    void collectGarbage() {
        run("collection of garbage", tool("jcmd"), Long.toString(process.pid()), "GC.run");
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
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
}
