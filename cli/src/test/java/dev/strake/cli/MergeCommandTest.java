package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.remote.apply.patch.MergeAnswers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code merge} at a shell. */
class MergeCommandTest {

    private static final String LIVE = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: api}
            spec:
              replicas: 2
              template:
                spec:
                  containers:
                  - name: api
                    image: api:1
                  - name: injected
            """;

    private static final String DESIRED = """
            apiVersion: apps/v1
            kind: Deployment
            metadata:
              name: api
              labels: {deploy.razee.io/mode: StrategicMergePatch}
            spec:
              template:
                spec:
                  containers:
                  - {name: api, image: "api:2"}
            """;

    @TempDir
    Path folder;

    private CapturedTerminal terminal;

    @Test
    void shouldPrintTheObjectThatAnApplierWouldWrite() throws IOException {
        run(ExitCode.FINE, write("desired.yaml", DESIRED), "--live", write("live.yaml", LIVE));
        assertThat(terminal.out())
                .startsWith("apiVersion: apps/v1\nkind: Deployment\n")
                .contains("image: api:2", "- name: injected", "replicas: 2");
        assertThat(terminal.err()).contains("The last applied object is not known");
    }

    @Test
    void shouldRemoveFieldsOfThePreviousDocument() throws IOException {
        String last = write("last.yaml", DESIRED + "  replicas: 2\n");
        run(
                CapturedTerminal.reading(LIVE),
                ExitCode.FINE,
                (write("desired.yaml", DESIRED) + " --live - --last-applied " + last).split(" "));
        assertThat(terminal.out()).doesNotContain("replicas").contains("- name: injected");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldPrintTheDifferenceOrTheRequest() throws IOException {
        String desired = write("desired.yaml", DESIRED);
        String live = write("live.yaml", LIVE);
        run(ExitCode.DIFFERENT_OR_INVALID, desired, "--live", live, "-o", "diff");
        assertThat(terminal.out())
                .contains("@ .spec.template.spec.containers[0].image\n- api:1\n+ api:2\n")
                .doesNotContain("injected");
        run(ExitCode.FINE, desired, "--live", live, "--mode", "ensureexists", "-o", "diff");
        assertThat(terminal.out()).isEmpty();
        run(ExitCode.FINE, desired, "-o", "json", "--parent", "/me");
        assertThat(terminal.out())
                .startsWith("{\"object\":{")
                .contains(
                        "\"action\":\"create\",\"request\":{\"method\":\"POST\"", "\"deploy.razee.io.parent\":\"/me\"");
    }

    @Test
    void shouldSayWhyAMergeFails() throws IOException {
        String desired = write("desired.yaml", DESIRED.replace("name: api, ", ""));
        run(ExitCode.DIFFERENT_OR_INVALID, desired, "--live", write("live.yaml", LIVE));
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err()).startsWith("missing-merge-key at .spec.template.spec.containers[0]: ");
        String owned = write(
                "owned.yaml", LIVE.replace("{name: api}", "{name: api, annotations: {deploy.razee.io.parent: /x}}"));
        run(
                ExitCode.DIFFERENT_OR_INVALID,
                (write("d.yaml", DESIRED) + " --live " + owned + " --parent /me --parent-alive /x").split(" "));
        assertThat(terminal.err()).contains("belongs to another owner");
        run(ExitCode.DIFFERENT_OR_INVALID, write("broken.yaml", "a: [\n"));
        assertThat(terminal.err()).contains("broken.yaml:", "InvalidYaml");
        run(ExitCode.DIFFERENT_OR_INVALID, write("empty.yaml", "# nothing\n"));
        assertThat(terminal.err()).contains("no document");
    }

    @Test
    void shouldAnswerEveryLineAndContinueAfterABadOne() {
        String requests = """
                {"id":1,"mode":"merge-patch","live":{"a":1},"patch":{"b":2}}
                {"id":2,"secret":s3cret}

                {"id":3,"mode":"no","desired":{}}
                [1,2
                {"id":"4","mode":"merge-patch","live":null,"patch":7.0}""";
        run(CapturedTerminal.reading(requests), ExitCode.DIFFERENT_OR_INVALID, "--requests", "-");
        assertThat(terminal.out().lines().toList()).hasSize(5).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo("{\"id\":1,\"object\":{\"a\":1,\"b\":2}}");
            assertThat(lines.get(1))
                    .startsWith("{\"id\":null,\"error\":{\"kind\":\"invalid-request\"")
                    .endsWith(",\"line\":2}}");
            assertThat(lines.get(2)).startsWith("{\"id\":3,\"error\":").endsWith(",\"line\":4}}");
            assertThat(lines.get(3)).contains("\"line\":5");
            assertThat(lines.get(4)).isEqualTo("{\"id\":\"4\",\"object\":7.0}");
        });
        assertThat(terminal.out() + terminal.err()).doesNotContain("s3cret");
    }

    @Test
    void shouldRefuseALineThatIsTooDeepAndContinue() {
        String deep = "{\"id\":1,\"patch\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";
        run(
                CapturedTerminal.reading(deep + "\n{\"id\":2,\"patch\":1}\n"),
                ExitCode.DIFFERENT_OR_INVALID,
                "--requests",
                "-");
        assertThat(terminal.out().lines().toList()).hasSize(2).last().isEqualTo("{\"id\":2,\"object\":1}");
    }

    @Test
    void shouldReportWrongUsage() throws IOException {
        run(ExitCode.USAGE);
        run(ExitCode.USAGE, "a.yaml", "--requests", "-");
        run(ExitCode.USAGE, "--requests", "-", "--mode", "Apply");
        run(ExitCode.USAGE, "--requests", folder.resolve("none").toString());
        assertThat(terminal.err()).contains("There is no file");
        run(ExitCode.USAGE, "-", "--live", "-");
        run(ExitCode.USAGE, write("desired.yaml", DESIRED), "--mode", "nonsense");
        assertThat(terminal.err()).contains("no mode 'nonsense': the modes are Apply, MergePatch, ");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void shouldAcceptEveryModeThatItNames() throws IOException {
        String desired = write("desired.yaml", DESIRED);
        for (String mode : MergeAnswers.MODES.split(", | and ", -1)) {
            run(ExitCode.FINE, desired, "--mode", mode);
        }
    }

    private void run(int code, String... arguments) {
        run(CapturedTerminal.pipe(), code, arguments);
    }

    private void run(CapturedTerminal at, int code, String... arguments) {
        terminal = at.run(
                code, Stream.concat(Stream.of("merge"), Stream.of(arguments)).toArray(String[]::new));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8)
                .toString();
    }
}
