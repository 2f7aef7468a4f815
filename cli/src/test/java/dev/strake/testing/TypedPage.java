package dev.strake.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows a page like a reader: writes its files, runs its commands in a shell, and compares their output with the
 * page. Times, ids and masks may differ.
 */
public final class TypedPage {

    /** The program on the class path of the tests, as an argument of {@link #TypedPage}. */
    public static final List<String> OF_THIS_CLASS_PATH =
            List.of("-cp", System.getProperty("java.class.path"), "dev.strake.cli.Strake");

    /** A file with its name, or commands with their output. */
    private static final Pattern STEP = Pattern.compile(
            "^`(?<name>[\\w/.-]+)`\n\n```\\w*\n(?<content>.*?)^```$|^```console\n(?<commands>.*?)^```$",
            Pattern.DOTALL | Pattern.MULTILINE);

    private static final Pattern VARYING = Pattern.compile(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=\\*{6} )[0-9a-f]{16}");
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final String text;
    private final Path folder;
    private final Map<String, String> environment;
    private final Path program;

    /** A command and its complete output. */
    private record Typed(String command, String printed) {

        /** Whether the command queries something that may appear later. */
        boolean asks() {
            return command.startsWith("strake get ");
        }
    }

    /**
     * Creates a page to follow.
     *
     * @param text the text of the page
     * @param folder the working directory of the reader
     * @param program the arguments with which Java starts the program
     * @param environment the reader's environment variables
     */
    public TypedPage(String text, Path folder, List<String> program, Map<String, String> environment)
            throws IOException {
        this.text = text;
        this.folder = folder;
        this.environment = Map.copyOf(environment);
        this.program = write(folder.resolve("bin"), program);
    }

    /** The program that the reader calls {@code strake}. */
    public Path program() {
        return program;
    }

    /** Runs all commands; returns their number. Fails at the first one whose output differs from the page. */
    public int follow() throws Exception {
        Matcher step = STEP.matcher(text);
        int commands = 0;
        while (step.find()) {
            if (step.group("name") != null) {
                Path file = folder.resolve(step.group("name"));
                Files.createDirectories(file.getParent());
                Files.writeString(file, step.group("content"));
                continue;
            }
            for (Typed typed : typed(step.group("commands"))) {
                commands++;
                if (typed.asks()) {
                    await().atMost(PATIENCE).untilAsserted(() -> compare(typed));
                } else {
                    compare(typed);
                }
            }
        }
        return commands;
    }

    private static List<Typed> typed(String block) {
        List<Typed> all = new ArrayList<>();
        for (String part : block.split("^\\$ |\n\\$ ", -1)) {
            if (!part.isEmpty()) {
                int end = part.indexOf('\n');
                all.add(new Typed(
                        end < 0 ? part : part.substring(0, end),
                        end < 0 ? "" : part.substring(end + 1).stripTrailing()));
            }
        }
        return all;
    }

    private void compare(Typed typed) throws IOException, InterruptedException {
        assertThat(steady(type(typed.command()))).as("$ " + typed.command()).isEqualTo(steady(typed.printed()));
    }

    /* On a busy machine, a command may report that the broker is slow. */
    private static String steady(String printed) {
        String answered = printed.replaceAll("(?m)^strake: .* does not answer; still trying\\.\n", "");
        return VARYING.matcher(answered).replaceAll("varies");
    }

    /* Writes a script that starts the program like the launcher, without building it. */
    private static Path write(Path programs, List<String> arguments) throws IOException {
        Files.createDirectories(programs);
        Path strake = programs.resolve("strake");
        Files.writeString(strake, """
                #!/bin/sh
                exec "%s" -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dsun.misc.unsafe.memory.access=allow "%s" "$@"
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), String.join("\" \"", arguments)));
        assertThat(strake.toFile().setExecutable(true)).isTrue();
        return strake;
    }

    private String type(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("typed", ".out");
        try {
            ProcessBuilder shell = new ProcessBuilder(List.of("/bin/sh", "-c", command))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            shell.environment().putAll(environment);
            shell.environment().put("PATH", program.getParent() + File.pathSeparator + System.getenv("PATH"));
            Process process = shell.start();
            boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(ended).as(command + " ends").isTrue();
            return Files.readString(output, UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("SLF4J"))
                    .reduce("", (all, line) -> all + line + "\n")
                    .stripTrailing();
        } finally {
            Files.delete(output);
        }
    }
}
