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
 * A page that is followed as a reader would follow it: its files are written, its commands are typed in a shell, and what they
 * print is compared with the page. Times, ids and masks may be others.
 */
public final class TypedPage {

    /** The program as these tests have it, for {@link #TypedPage}. */
    public static final List<String> OF_THIS_CLASS_PATH =
            List.of("-cp", System.getProperty("java.class.path"), "dev.strake.cli.Strake");

    /** A file with its name before it, or commands with what they print. */
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

    /** A command, and all that it prints. */
    private record Typed(String command, String printed) {

        /** Whether it asks for something that may take a while to be there. */
        boolean asks() {
            return command.startsWith("strake get ");
        }
    }

    /**
     * A page to follow.
     *
     * @param text of the page
     * @param folder where its reader begins
     * @param program the arguments by which Java starts the program
     * @param environment what the reader has set
     */
    public TypedPage(String text, Path folder, List<String> program, Map<String, String> environment)
            throws IOException {
        this.text = text;
        this.folder = folder;
        this.environment = Map.copyOf(environment);
        this.program = write(folder.resolve("bin"), program);
    }

    /** The program that its reader calls {@code strake}. */
    public Path program() {
        return program;
    }

    /** Fails at the first command that prints something else than the page says; the number of commands. */
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

    /* On a busy machine a broker may be slow, and a command says so. */
    private static String steady(String printed) {
        String answered = printed.replaceAll("(?m)^strake: .* does not answer; still trying\\.\n", "");
        return VARYING.matcher(answered).replaceAll("varies");
    }

    /* As the launcher would start it, without building. */
    private static Path write(Path programs, List<String> arguments) throws IOException {
        Files.createDirectories(programs);
        Path strake = programs.resolve("strake");
        Files.writeString(strake, """
                #!/bin/sh
                exec "%s" -Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "%s" "$@"
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
