package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.StrakeCommand;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.Packaged;
import dev.strake.cli.local.TestStrake;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.testing.TypedPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages from which people learn, followed as a reader would follow them beside a running Strake. */
@Order(1) // it takes long
class PagesIT {

    @TempDir
    static Path directory;

    private static TestStrake strake;
    private static List<String> program;

    @BeforeAll
    static void startStrake() throws Exception {
        strake = TestStrake.start(directory.resolve("data"));
        program = Packaged.arguments();
    }

    @AfterAll
    static void stopStrake() {
        strake.close();
    }

    @Test
    void shouldPrintWhatTheTutorialSays() throws Exception {
        assertThat(follow("docs/tutorial.md", "site-t")).isGreaterThan(18);
    }

    @Test
    void shouldPrintWhatTheReadmeSays() throws Exception {
        assertThat(follow("README.md", "site-r")).isGreaterThan(6);
    }

    /* It needs programs that a machine need not have. */
    @Test
    void shouldPrintWhatThePageOfPublishersSays() throws Exception {
        Tool.named("kcat");
        Tool.named("jq");
        Tool.pythonWithKafka();
        assertThat(follow("docs/publishing.md", "site-p")).isGreaterThan(15);
    }

    private static int follow(String file, String workspace) throws Exception {
        Path folder = Files.createDirectory(directory.resolve("reader-of-" + workspace));
        String page = Files.readString(DeployedFiles.PROJECT.resolve(file))
                .replace("site-a", workspace)
                .replace("localhost:9092", strake.bootstrapServers());
        if (page.contains("$ python3 ")) {
            page = page.replace("$ python3 ", "$ " + Tool.pythonWithKafka().program() + " ");
        }
        Map<String, String> environment =
                Map.of("KAFKA_BOOTSTRAP_SERVERS", strake.bootstrapServers(), "STRAKE_URL", strake.url());
        return new TypedPage(page, folder, program, environment).follow();
    }

    @Test
    void shouldRenderTheFirstExampleOfTheReadmeFromAPipe() throws Exception {
        Matcher example = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(DeployedFiles.PROJECT.resolve("README.md")));
        assertThat(example.find()).isTrue();
        Path file = Files.writeString(directory.resolve("first.yaml"), example.group(1));
        assertThat(Tool.named("sh")
                        .run(
                                "-c",
                                "cat '" + file + "' | " + new TypedPage("", directory, program, Map.of()).program()
                                        + " render -o json -"))
                .contains("\"data\":{\"image\":\"db:1\",\"replicas\":3}");
    }

    @Test
    void shouldHaveEveryCommandInTheTableOfTheReadme() throws Exception {
        String readme = Files.readString(DeployedFiles.PROJECT.resolve("README.md"));
        String table = readme.substring(readme.indexOf("\n## Commands\n"), readme.indexOf("\n| exit code |"));
        Set<String> listed = new TreeSet<>();
        table.lines()
                .filter(line -> line.startsWith("| `"))
                .forEach(row -> Pattern.compile("`([a-z][a-z-]+)[^`]*`")
                        .matcher(row.substring(0, row.indexOf(" | ")))
                        .results()
                        .forEach(name -> listed.add(name.group(1))));
        Set<String> commands = new TreeSet<>();
        String help = StrakeCommand.run(ExitCode.FINE, "--help");
        Pattern.compile("^  ([a-z][a-z-]+),? ", Pattern.MULTILINE)
                .matcher(help.substring(help.indexOf("Commands:"), help.indexOf("Exit codes")))
                .results()
                .forEach(name -> commands.add(name.group(1)));
        commands.remove("generate-completion");
        assertThat(listed).isEqualTo(commands);
    }
}
