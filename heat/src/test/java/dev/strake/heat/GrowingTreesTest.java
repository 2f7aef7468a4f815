package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Small documents that would expand to a huge tree of stacks get a problem, in a small heap. */
class GrowingTreesTest {

    private static final int SHAPES = 27;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES) // only prevents hanging
    void shouldBoundTheSizeOfATreeInEveryShape() throws IOException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-Xss4m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GrowingTrees.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines;
        try {
            lines = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } finally {
            program.destroyForcibly();
        }
        assertThat(lines)
                .hasSize(2 * SHAPES)
                .contains("nests itself 20 times, deep: LimitExceeded")
                .allSatisfy(line -> assertThat(line).matches(".*: (LimitExceeded|InvalidTemplateTree|sound)"));
    }
}
