package dev.strake.checks.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A program that a test needs and that may be missing on a machine. */
public record Tool(Path program) {

    /** Finds a program by its name; skips the test, visibly, if it is missing. */
    public static Tool named(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Tool::new)
                .orElseGet(() -> skip(name));
    }

    /** Python with the library confluent-kafka. */
    static Tool pythonWithKafka() {
        // Debian's own Python, for which Debian has the library; a newer Python in the PATH may lack it.
        return Stream.of("/usr/bin/python3", named("python3").program().toString())
                .filter(Tool::hasKafka)
                .findFirst()
                .map(python -> new Tool(Path.of(python)))
                .orElseGet(() -> skip("python3 with confluent-kafka"));
    }

    private static boolean hasKafka(String python) {
        if (!Files.isExecutable(Path.of(python))) {
            return false;
        }
        try {
            Process process = new ProcessBuilder(python, "-c", "import confluent_kafka")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    static Tool skip(String name) {
        System.out.println("No " + name + " here: what needs it was skipped.");
        return Assumptions.abort("no " + name);
    }

    /** Runs the program, which must exit within a minute, and returns its output and errors. */
    String run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile("tool", ".out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(10, TimeUnit.MINUTES);
            process.destroyForcibly();
            String text = Files.readString(output, UTF_8);
            assertThat(ended).as(() -> command + " did not end: " + text).isTrue();
            assertThat(process.exitValue()).as(() -> command + ": " + text).isZero();
            return text;
        } finally {
            Files.delete(output);
        }
    }
}
