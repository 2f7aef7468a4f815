package dev.strake.checks.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.TestStrake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example consumers as their readers would. */
class ExamplesIT {

    private static final Path EXAMPLES = DeployedFiles.DEPLOY.resolve("examples");

    private static final String A = TestStrake.document("a", "{x: 1, name: äöü}");
    private static final String B = TestStrake.document("50% b/c", "[1, 2]");
    private static final String C = TestStrake.document("c", "text");

    @TempDir
    static Path directory;

    private static final TestStrake strake = TestStrake.shared();

    @Test
    void shouldFollowWithTheJavaExample() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                new ArrayList<>(List.of(java, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(EXAMPLES.resolve("RenderedFolder.java").toString());
        follow("java", command);
    }

    @Test
    void shouldFollowWithThePythonExample() throws Exception {
        String python = Tool.pythonWithKafka().program().toString();
        follow("python", List.of(python, EXAMPLES.resolve("rendered_folder.py").toString()));
    }

    @Test
    void shouldReadTheTopicWithKcat() throws Exception {
        Tool.named("kcat");
        Tool shell = Tool.named("sh");
        Path folder = directory.resolve("kcat");
        String script = EXAMPLES.resolve("rendered-folder.sh").toString();
        strake.publish("kcat", A + B);
        shell.run(script, strake.bootstrapServers(), "kcat", folder.toString());
        assertThat(documents(folder)).hasSize(3).isEqualTo(expected("kcat"));
        strake.publish("kcat", A + C);
        shell.run(script, strake.bootstrapServers(), "kcat", folder.toString());
        assertThat(documents(folder)).hasSize(3).isEqualTo(expected("kcat"));
    }

    /** Reads from the beginning to the next revision, and resumes from its position. */
    private static void follow(String workspace, List<String> program) throws Exception {
        Path folder = directory.resolve(workspace);
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(strake.bootstrapServers(), workspace, folder.toString()));
        strake.publish(workspace, A + B);
        try (Running first = new Running(command)) {
            first.awaitLine("revision 1: 3 of 3 documents differ");
            assertThat(documents(folder)).hasSize(3).isEqualTo(expected(workspace));
            strake.publish(workspace, B + C);
            first.awaitLine("revision 2: 2 of 3 documents differ");
            assertThat(documents(folder)).hasSize(3).isEqualTo(expected(workspace));
            assertThat(first.output()).contains("starts from the beginning");
        }
        strake.publish(workspace, C);
        try (Running second = new Running(command)) {
            second.awaitLine("revision 3: 1 of 2 documents differ");
            assertThat(documents(folder)).hasSize(2).isEqualTo(expected(workspace));
            assertThat(second.output())
                    .contains("continues with 3 documents")
                    .doesNotContain("starts from the beginning");
        }
    }

    /** The content of the topic, record by record. */
    private static Map<String, String> expected(String workspace) {
        Map<String, String> documents = new TreeMap<>();
        strake.read("strake.rendered-documents").forEach(message -> {
            String key = new String(message.key(), UTF_8);
            if (key.startsWith(workspace + "|")) {
                String file = key.substring(workspace.length() + 1)
                                .replace("%", "%25")
                                .replace("/", "%2F") + ".json";
                if (message.value() == null) {
                    documents.remove(file);
                } else {
                    documents.put(file, new String(message.value(), UTF_8));
                }
            }
        });
        return documents;
    }

    private static Map<String, String> documents(Path folder) throws IOException {
        Map<String, String> documents = new TreeMap<>();
        for (Path file : DeployedFiles.below(folder, ".json")) {
            documents.put(file.getFileName().toString(), Files.readString(file));
        }
        return documents;
    }

    /** A program that runs until it is terminated. */
    private static final class Running implements AutoCloseable {

        private final Path file = Files.createTempFile(directory, "example", ".out");
        private final Process process;

        Running(List<String> command) throws IOException {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(file.toFile())
                    .start();
        }

        void awaitLine(String line) {
            await().atMost(Duration.ofMinutes(10)).until(() -> {
                assertThat(process.isAlive()).as(this::output).isTrue();
                return output().lines().anyMatch(line::equals);
            });
        }

        String output() {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }
}
