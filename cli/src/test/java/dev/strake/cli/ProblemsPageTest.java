package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.command.CapturedTerminal;
import dev.strake.cli.command.ExitCode;
import dev.strake.engine.problem.ProblemCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every code has its section in docs/problems.md, and the documents there have the problem that they are an example of. */
class ProblemsPageTest {

    private static final Path PAGE = Path.of("../docs/problems.md");
    private static final Pattern EXAMPLE = Pattern.compile("```(yaml|text)\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    private final CapturedTerminal terminal = CapturedTerminal.pipe();

    @Test
    void shouldHaveASectionForEachCodeAndNoOthers() throws IOException {
        List<String> sections = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
        assertThat(sections)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProblemCode.values())
                        .map(ProblemCode::code)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void shouldGiveAnExampleThatHasTheProblem(ProblemCode code) throws IOException {
        assertThat(Strake.run(terminal.terminal(), "problem", code.code())).isEqualTo(ExitCode.FINE);
        String section = terminal.out();
        assertThat(section).startsWith("## " + code.code() + "\n");
        Matcher example = EXAMPLE.matcher(section);
        assertThat(example.find()).isTrue();
        if (example.group(1).equals("yaml")) {
            String page = Files.readString(PAGE);
            Matcher policy = EXAMPLE.matcher(page.substring(0, page.indexOf("\n## ")));
            assertThat(policy.find()).isTrue();
            Files.writeString(folder.resolve("all.yaml"), policy.group(2) + "---\n" + example.group(2));
            CapturedTerminal validating = CapturedTerminal.pipe();
            Strake.run(validating.terminal(), "validate", folder.toString());
            assertThat(validating.out() + validating.err()).contains(" " + code.code() + ": ");
        }
    }

    @Test
    void shouldListTheCodesWhenThereIsNoSuchOne() {
        assertThat(Strake.run(terminal.terminal(), "problem", "Nothing")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err())
                .contains("there is no problem 'Nothing'", "InvalidYaml, DuplicateKey, InvalidChange");
    }
}
