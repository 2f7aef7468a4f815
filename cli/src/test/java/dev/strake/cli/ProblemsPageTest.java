package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.heat.source.FaultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every code has a section in docs/problems.md or docs/template-problems.md. The documents and trees there have the
 * problem that they illustrate.
 */
class ProblemsPageTest {

    private static final Path PAGE = Path.of("../docs/problems.md");
    private static final Path TEMPLATES = Path.of("../docs/template-problems.md");
    private static final Pattern EXAMPLE = Pattern.compile("```(yaml|text)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern FILE = Pattern.compile("(?m)^# (\\S+\\.yaml)$");

    @TempDir
    Path folder;

    private final CapturedTerminal terminal = CapturedTerminal.pipe();

    @Test
    void shouldHaveASectionForEachCodeAndNoOthers() throws IOException {
        assertThat(sections(PAGE))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProblemCode.values())
                        .map(ProblemCode::code)
                        .toList());
        assertThat(sections(TEMPLATES))
                .containsExactlyElementsOf(
                        Arrays.stream(FaultCode.values()).map(FaultCode::code).toList());
    }

    private static List<String> sections(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void shouldGiveAnExampleThatHasTheProblem(ProblemCode code) throws IOException {
        Matcher example = example(code.code());
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

    private Matcher example(String code) {
        terminal.run(ExitCode.FINE, "problem", code);
        String section = terminal.out();
        assertThat(section).startsWith("## " + code + "\n");
        Matcher example = EXAMPLE.matcher(section);
        assertThat(example.find()).isTrue();
        return example;
    }

    @ParameterizedTest
    @EnumSource(FaultCode.class)
    void shouldGiveATreeThatHasTheFault(FaultCode code) throws IOException {
        Matcher example = example(code.code());
        if (example.group(1).equals("yaml")) {
            assertThat(validated(example.group(2))).contains(": " + code.code() + ": ");
        }
    }

    private String validated(String files) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("template-validate"));
        Matcher file = FILE.matcher(files);
        int begin = file.find() ? file.end() : 0;
        String name = file.group(1);
        while (name != null) {
            boolean more = file.find();
            Path path = folder.resolve(name);
            Files.writeString(path, files.substring(begin, more ? file.start() : files.length()));
            if (name.equals("top.yaml") || name.startsWith("env")) {
                arguments.addAll(List.of(name.startsWith("env") ? "-e" : "-t", path.toString()));
            }
            name = more ? file.group(1) : null;
            begin = more ? file.end() : 0;
        }
        CapturedTerminal validating = CapturedTerminal.pipe();
        Strake.run(validating.terminal(), arguments.toArray(String[]::new));
        return validating.err();
    }

    @Test
    void shouldListTheCodesWhenOneIsUnknown() {
        terminal.run(ExitCode.USAGE, "problem", "Nothing");
        assertThat(terminal.err())
                .contains("there is no problem code 'Nothing'", "InvalidYaml, DuplicateKey, InvalidChange");
    }
}
