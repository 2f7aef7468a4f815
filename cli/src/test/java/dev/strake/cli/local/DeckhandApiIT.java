package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.strake.cli.StrakeCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deckhand's own API tests, run against {@code strake up} by a Python program. */
class DeckhandApiIT {

    @BeforeAll
    static void findPyYaml() throws Exception {
        assumeTrue(isThere("python3", "-c", "import yaml"), "Deckhand's tests need python3 with the module yaml");
    }

    private static boolean isThere(String... command) throws InterruptedException {
        try {
            return run(command).exitCode() == 0;
        } catch (IOException e) {
            return false; // the program is not installed
        }
    }

    @ParameterizedTest
    @CsvSource({"functional, 137", "own, 78", "historic, 31", "secrets, 16"})
    void shouldAnswerAsDeckhandDoes(String folder, int tests) throws Exception {
        Path files = Path.of(DeckhandApiIT.class.getResource("/deckhand-api").toURI());
        Result result = run(
                "python3",
                files.resolve("gabbi_run.py").toString(),
                TestStrake.shared().url() + "/deckhand/tests-" + folder,
                files.resolve(folder).toString());
        if (result.exitCode() != 0) {
            fail(result.text());
        }
        assertThat(result.text()).contains(tests + " passed, 0 failed, 0 skipped");
    }

    @Test
    void shouldMigrateASiteWithTheScriptOfTheDocs(@TempDir Path directory) throws Exception {
        String site = TestStrake.document("a", "{x: 1}")
                + TestStrake.document("password", "{p: s3cret}").replace("cleartext", "encrypted");
        TestStrake strake = TestStrake.shared();
        strake.publish(0, "airship-before", site, "-b", "design");
        StrakeCommand.run(0, "tag", "-w", "airship-before", "1", "committed", "--url", strake.url());
        Matcher program =
                Pattern.compile("(?s)```python\n(.*?)```").matcher(Files.readString(Path.of("../docs/airship.md")));
        assertThat(program.find()).isTrue();
        Path file = Files.writeString(directory.resolve("move.py"), program.group(1));
        ProcessBuilder move = new ProcessBuilder("python3", file.toString());
        move.environment()
                .putAll(Map.of(
                        "TOKEN",
                        "none",
                        "FROM",
                        strake.url() + "/deckhand/airship-before/api/v1.0",
                        "TO",
                        strake.url() + "/deckhand/airship-after/api/v1.0"));
        assertThat(run(move))
                .isEqualTo(new Result(0, "3 documents of revision 1 are revision 1; 0 of 3 rendered ones differ\n"));
        assertThat(StrakeCommand.run(0, "get", "tags", "-w", "airship-after", "--url", strake.url()))
                .contains("committed");
    }

    private record Result(int exitCode, String text) {}

    private static Result run(String... command) throws IOException, InterruptedException {
        return run(new ProcessBuilder(List.of(command)));
    }

    private static Result run(ProcessBuilder program) throws IOException, InterruptedException {
        Process process = program.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Result(process.waitFor(), text);
    }
}
