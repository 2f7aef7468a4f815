package dev.strake.checks.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.StrakeCommand;
import dev.strake.cli.local.DeployedFiles;
import dev.strake.cli.local.Packaged;
import dev.strake.cli.local.TestStrake;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.server.settings.Catalogue;
import dev.strake.testing.TypedPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Follows the tutorial pages as a reader would, with a running Strake. */
@Order(1) // slow
class PagesIT {

    @TempDir
    static Path directory;

    @AutoClose
    private static TestStrake strake;

    private static List<String> program;

    @BeforeAll
    static void startStrake() throws Exception {
        Path keys = directory.resolve("keys.json");
        StrakeCommand.run(ExitCode.FINE, "keys", "create", keys.toString());
        strake = TestStrake.start(
                directory.resolve("data"),
                settings -> settings.with(Catalogue.PARTITIONS, 2).with(Catalogue.SECRETS_KEYSET, keys));
        program = Packaged.arguments();
    }

    /* In one folder, as a reader would who continues: neither page changes files of the other. */
    @Test
    void shouldPrintTheOutputOfReadmeAndTutorial() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("reader"));
        assertThat(follow(page("README.md"), folder)).isGreaterThan(6);
        assertThat(follow(page("docs/tutorial.md"), folder)).isGreaterThan(30);
    }

    /* Needs programs that may be missing on a machine. */
    @Test
    void shouldPrintTheOutputOfThePageForPublishers() throws Exception {
        Tool.named("kcat");
        Tool.named("jq");
        Tool.pythonWithKafka();
        String page = page("docs/publishing.md")
                .replace("site-a", "site-p") // the tutorial has another site-a
                .replace("$ python3 ", "$ " + Tool.pythonWithKafka().program() + " ");
        assertThat(follow(page, Files.createDirectory(directory.resolve("publisher"))))
                .isGreaterThan(15);
    }

    private static String page(String file) throws Exception {
        return Files.readString(DeployedFiles.PROJECT.resolve(file))
                .replace("localhost:9092", strake.bootstrapServers())
                .replace("--url http://127.0.0.1:8080", "--url " + strake.url());
    }

    private static int follow(String page, Path folder) throws Exception {
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
    void shouldListEveryCommandInTheReadme() throws Exception {
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
