package dev.strake.cli.local;

import static dev.strake.testing.Site.POLICY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of Strake on a broker: commands publish, a pipeline processes, and commands read. */
@Order(1) // slow: starts first
class EndToEndIT {

    private static final String PARENT = """
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {name: parent}
              layeringDefinition: {layer: global}
            data: {a: 1, b: 1}
            """;

    private static final String CHILD = """
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition:
                layer: site
                parentSelector: {name: parent}
                actions: [{method: merge, path: .}]
            data: {b: 2}
            """;

    private static final String STRANGER = """
            schema: example/Kind/v1
            metadata:
              schema: metadata/Document/v1
              name: stranger
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data: {c: 3}
            """;

    @TempDir
    Path directory;

    private static final TestStrake strake = TestStrake.shared();

    private String workspace;
    private Path site;
    private CapturedTerminal terminal;

    @BeforeEach
    void writeSite() throws Exception {
        workspace = "site-" + System.nanoTime();
        site = Files.createDirectories(directory.resolve("site"));
        Files.writeString(site.resolve("policy.yaml"), POLICY);
        Files.writeString(site.resolve("parent.yaml"), PARENT);
        Files.writeString(site.resolve("others.yaml"), CHILD + "---\n" + STRANGER);
    }

    @Test
    void shouldPublishExactlyTheRenderedDocumentsThatAChangeAffects() throws Exception {
        MapValue first = publish(ExitCode.FINE, site.toString());
        assertThat(text(first, "status")).isEqualTo("rendered");
        assertThat(number(first, "emitted")).isEqualTo(4);
        assertThat(watch(4))
                .extracting(line -> text(line, "name"))
                .containsExactlyInAnyOrder("layering-policy", "parent", "child", "stranger");

        Files.writeString(site.resolve("parent.yaml"), PARENT.replace("a: 1", "a: 7"));
        MapValue second = publish(ExitCode.FINE, site.toString());
        assertThat(number(second, "revision")).isEqualTo(2);
        assertThat(number(second, "emitted")).isEqualTo(2);
        List<MapValue> lines = watch(6);
        assertThat(lines.subList(4, 6)).extracting(line -> text(line, "name")).containsExactly("child", "parent");
        assertThat(lines.subList(4, 6))
                .extracting(line -> number(line, "revision"))
                .containsOnly(2L);
        assertThat(data(lines.get(4)))
                .isEqualTo(MapValue.builder()
                        .put("a", Num.of(7))
                        .put("b", Num.of(2))
                        .build());

        // The child overrides b, so its rendering stays the same and is not published again.
        Files.writeString(site.resolve("parent.yaml"), PARENT.replace("a: 1, b: 1", "a: 7, b: 5"));
        MapValue third = publish(ExitCode.FINE, site.toString());
        assertThat(number(third, "emitted")).isEqualTo(1);

        assertThat(text(publish(ExitCode.FINE, site.toString()), "status")).isEqualTo("unchanged");
    }

    @Test
    void shouldShowStateAndDifferences() throws Exception {
        publish(ExitCode.FINE, site.toString());
        Files.delete(site.resolve("parent.yaml"));
        publish(ExitCode.FINE, site.toString());

        get(ExitCode.FINE, "revisions", "-o", "json");
        assertThat(terminal.out()).contains("\"revision\":1,", "\"revision\":2,");
        get(ExitCode.FINE, "documents", "--revision", "1");
        assertThat(terminal.out()).contains("parent").hasLineCount(5);
        get(ExitCode.FINE, "rendered", "-o", "yaml");
        assertThat(terminal.out()).contains("name: child").doesNotContain("name: parent\n  storagePolicy");
        get(ExitCode.FINE, "buckets");
        assertThat(terminal.out()).contains("default", "3");

        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "1", "2", "-o", "table");
        assertThat(terminal.out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("1 document differs, 2 rendered documents differ"),
                        line -> assertThat(line).startsWith("WHAT"),
                        line -> assertThat(line).matches("document +deleted +example/Kind/v1/parent +global +1"),
                        line -> assertThat(line).matches("rendered +modified +example/Kind/v1/child +- +1"),
                        line -> assertThat(line).matches("rendered +deleted +example/Kind/v1/parent +- +1"));
        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "1", "2", "--document", "child", "-o", "table");
        assertThat(terminal.out())
                .startsWith("0 documents differ, 1 rendered document differs")
                .hasLineCount(3);
        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "1", "2", "--schema", "example/Kind", "--document", "parent");
        assertThat(terminal.out()).startsWith("1 document differs, 1 rendered document differs");
        ask(ExitCode.FINE, "diff", "1", "2", "--document", "layering-policy");
        assertThat(terminal.out()).isEmpty();
        ask(ExitCode.USAGE, "diff", "1", "2", "--document", "example/Other/v1/parent");
        assertThat(terminal.err()).contains("there is no document example/Other/v1/parent on either side");
        ask(ExitCode.USAGE, "diff", "0", "2", "--schema", "example/Other");
        ask(ExitCode.USAGE, "diff", "--files", site.toString(), "--document", "nope");
        ask(ExitCode.FINE, "diff", "2", "2");
        assertThat(terminal.out()).isEmpty();
        get(ExitCode.DIFFERENT_OR_INVALID, "documents", "--revision", "9");
        assertThat(terminal.err()).contains("no revision 9");
    }

    @Test
    void shouldShowDifferencesByPath() throws Exception {
        publish(ExitCode.FINE, site.toString());
        run(ExitCode.FINE, "tag", "-w", workspace, "1", "v1", "--wait");
        Files.writeString(site.resolve("parent.yaml"), PARENT.replace("a: 1", "a: 1.0"));
        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "--files", site.toString(), "-o", "diff");
        String ofFiles = terminal.out();
        publish(ExitCode.FINE, site.toString());

        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "v1", "2");
        assertThat(terminal.out()).isEqualToNormalizingNewlines("""
                1 document differs, 2 rendered documents differ
                Documents as published
                modified example/Kind/v1/parent
                @ .data.a
                - 1
                + 1.0
                Rendered documents
                modified example/Kind/v1/child
                @ .data.a
                - 1
                + 1.0
                modified example/Kind/v1/parent
                @ .data.a
                - 1
                + 1.0
                """).isEqualTo(ofFiles);
        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "v1", "-o", "markdown");
        assertThat(terminal.out()).contains("<details><summary>modified <code>example/Kind/v1/child</code>");
        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "v1", "-o", "json");
        assertThat(terminal.out()).contains("\"changes\":[{\"path\":\".data.a\",\"before\":1,\"after\":1.0}]");
        ask(ExitCode.FINE, "diff", "--files", site.toString());
        assertThat(terminal.out()).isEmpty();
        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "v1", "--files", site.toString());
        ask(
                ExitCode.DIFFERENT_OR_INVALID,
                "diff",
                "v1",
                "--files",
                site.toString(),
                "--document",
                "example/Kind/v1/child");
        assertThat(terminal.out()).startsWith("0 documents differ, 1 rendered document differs");
        ask(ExitCode.USAGE, "diff", "v1", "--files", site.toString(), "--schema", "example/Other");
        assertThat(terminal.err()).contains("example/Other");

        ask(ExitCode.USAGE, "diff", "-1", "2");
        ask(ExitCode.USAGE, "diff", "v2", "v1");
        assertThat(terminal.err()).contains("no revision with the tag v2");
        ask(ExitCode.USAGE, "diff", "1", "9");
        ask(ExitCode.USAGE, "diff", "1", "2", "3");
        ask(ExitCode.USAGE, "diff");
        Files.writeString(
                site.resolve("others.yaml"), CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        ask(ExitCode.RENDER_PROBLEMS, "diff", "--files", site.toString());
    }

    @Test
    void shouldGetTheRequestedDocuments() throws Exception {
        publish(ExitCode.FINE, "--message", "first", site.toString());

        get(ExitCode.FINE, "documents", "parent", "-o", "json");
        assertThat(terminal.out()).contains("\"name\":\"parent\"").doesNotContain("stranger");
        get(ExitCode.FINE, "rendered", "example/Kind/v1/child", "-o", "json");
        assertThat(terminal.out()).contains("\"data\":{\"a\":1,\"b\":2}");
        get(ExitCode.DIFFERENT_OR_INVALID, "rendered", "example/Kind/v1/nobody");
        assertThat(terminal.err()).contains("no rendered document example/Kind/v1/nobody in revision 1");
        get(ExitCode.FINE, "rendered", "--schema", "example/Kind");
        assertThat(terminal.out()).hasLineCount(4).doesNotContain("layering-policy");
        get(ExitCode.FINE, "documents", "-l", "name=parent");
        assertThat(terminal.out()).hasLineCount(2).contains("parent");
        get(ExitCode.FINE, "documents", "-l", "name=parent", "-l", "x=y");
        assertThat(terminal.out()).hasLineCount(1);

        get(ExitCode.FINE, "rendered", "--query", "$.data.b");
        assertThat(terminal.out().lines().skip(1))
                .satisfiesExactly(
                        line -> assertThat(line).matches("example/Kind/v1/child +\\.data\\.b +2"),
                        line -> assertThat(line).matches("example/Kind/v1/parent +\\.data\\.b +1"));
        get(ExitCode.FINE, "rendered", "--query", "$.data.c", "-o", "json");
        assertThat(terminal.out())
                .contains("\"name\":\"stranger\",\"selected\":[{\"path\":\".data.c\",\"value\":3}]}")
                .hasLineCount(3);
        get(ExitCode.USAGE, "rendered", "--query", "data");
        get(ExitCode.USAGE, "buckets", "--query", "$.data");
        get(ExitCode.USAGE, "revisions", "--revision", "1");

        run(ExitCode.FINE, "tag", "-w", workspace, "1", "v1", "--data", "ticket=7", "--wait");
        get(ExitCode.FINE, "tags");
        assertThat(terminal.out().lines().skip(1))
                .satisfiesExactly(line -> assertThat(line).matches("v1 +1 +\\S+Z +ticket=7"));
        get(ExitCode.FINE, "documents", "--revision", "v1");
        run(ExitCode.FINE, "get", "workspaces", "--url", url());
        assertThat(terminal.out().lines().skip(1))
                .anySatisfy(line -> assertThat(line).matches(workspace + " +1 +rendered +4 +4 +\\S+Z"));
        run(ExitCode.FINE, "get", "outcomes", "-w", workspace, "-o", "json");
        assertThat(terminal.out())
                .contains("\"type\":\"dev.strake.bucket.put\"", "\"type\":\"dev.strake.revision.tag\"");
        run(ExitCode.FINE, "get", "outcomes", "-w", workspace, "--last", "1");
        assertThat(terminal.out()).hasLineCount(2);
        run(ExitCode.DIFFERENT_OR_INVALID, "get", "outcomes", "nobody", "-w", workspace);
        assertThat(terminal.err()).contains("no outcome of change nobody");
        run(ExitCode.DIFFERENT_OR_INVALID, "get", "outcomes", "-w", "site-b");
        assertThat(terminal.err()).contains("workspace site-b has no outcomes in Kafka");
    }

    @Test
    void shouldReportThatConsumersHoldNothingWhileTheFirstRevisionFails() throws Exception {
        Files.writeString(
                site.resolve("others.yaml"), CHILD.replace("method: merge, path: .", "method: delete, path: .x"));
        publish(ExitCode.DIFFERENT_OR_INVALID, site.toString());
        ask(ExitCode.RENDER_PROBLEMS, "explain", "example/Kind/v1/child");
        assertThat(terminal.err()).contains("revision 1, the head, failed; consumers hold nothing yet.");
    }

    @Test
    void shouldReportTheRevisionOfConsumersWhileTheHeadFails() throws Exception {
        publish(ExitCode.FINE, site.toString());
        Path child = Files.writeString(
                directory.resolve("child.yaml"),
                CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        publish(ExitCode.DIFFERENT_OR_INVALID, "--add", child.toString());

        get(ExitCode.FINE, "rendered");
        assertThat(terminal.out()).doesNotContain("child");
        assertThat(terminal.err()).contains("revision 2, the head, failed", "consumers hold revision 1", "--published");
        get(ExitCode.FINE, "rendered", "--published");
        assertThat(terminal.out()).contains("child");
        assertThat(terminal.err()).isEmpty();

        ask(ExitCode.RENDER_PROBLEMS, "explain", "example/Kind/v1/child", ".a");
        assertThat(terminal.err()).contains("MissingDocumentKey", "consumers hold revision 1 (use --published)");
        ask(ExitCode.FINE, "explain", "example/Kind/v1/stranger");
        assertThat(terminal.err()).contains("revision 2, the head, failed", "consumers hold revision 1");
        ask(ExitCode.FINE, "affected", "example/Kind/v1/parent");
        assertThat(terminal.out()).contains("child");
        assertThat(terminal.err())
                .contains("revision 2, the head, failed; consumers hold revision 1 (use --published)");
        ask(ExitCode.FINE, "affected", "example/Kind/v1/parent", "--published");
        assertThat(terminal.err()).isEmpty();
        ask(ExitCode.FINE, "explain", "example/Kind/v1/child", ".a", "--revision", "published");
        assertThat(terminal.out()).startsWith(".a: 1\n");
        assertThat(terminal.err()).isEmpty();
        ask(ExitCode.USAGE, "explain", "example/Kind/v1/child", ".a", "--published", "--revision", "1");
        run(ExitCode.FINE, "tag", "-w", workspace, "1", "good", "--wait");
        ask(ExitCode.FINE, "affected", "example/Kind/v1/parent", ".a", "--revision", "good");
        assertThat(terminal.out()).contains("example/Kind/v1/child");
        ask(ExitCode.USAGE, "affected", "example/Kind/v1/parent", "--revision", "-1");
        ask(ExitCode.DIFFERENT_OR_INVALID, "explain", "example/Kind/v1/child", "--why", "--revision", "nowhere");
        assertThat(terminal.err()).contains("no revision with the tag nowhere");

        ask(ExitCode.DIFFERENT_OR_INVALID, "diff", "published", "head", "-o", "table");
        assertThat(terminal.out()).containsPattern("rendered +not rendered +example/Kind/v1/child");
        get(ExitCode.FINE, "problems", "child");
        assertThat(terminal.out()).contains("MissingDocumentKey");
        rollback(ExitCode.DIFFERENT_OR_INVALID, "nowhere");
        assertThat(terminal.err()).contains("no revision with the tag nowhere");
        rollback(ExitCode.USAGE, "+1");
        rollback(ExitCode.FINE, "published");
        assertThat(terminal.err()).contains("published is revision 1");
        get(ExitCode.FINE, "revisions");
        assertThat(terminal.out().lines().skip(1))
                .satisfiesExactly(
                        line -> assertThat(line).contains("  publish default  "),
                        line -> assertThat(line).contains("  failed    add to default  "),
                        line -> assertThat(line).contains("  rendered  rollback to 1  "));
        run(ExitCode.FINE, "tag", "-w", workspace, "1", "later");
        assertThat(terminal.out())
                .matches("Revision 1 of " + workspace
                        + " will be tagged later\\. Published as change [0-9a-f-]{36}; --wait waits for it\\.\n");
        run(ExitCode.FINE, "tag", "-w", workspace, "2", "bad", "--wait");
        rollback(ExitCode.DIFFERENT_OR_INVALID, "bad");
        assertThat(terminal.err()).contains("bad is revision 2");
        get(ExitCode.DIFFERENT_OR_INVALID, "problems", "stranger");
    }

    @Test
    void shouldPrintTheResultOfAQueryWhenItChanges() throws Exception {
        publish(ExitCode.FINE, site.toString());
        ExecutorService watching = Executors.newSingleThreadExecutor();
        CapturedTerminal screen = CapturedTerminal.pipe();
        try {
            String watch = "watch -w " + workspace + " --query $.data.b -o table --count 1 --timeout 60"
                    + " --bootstrap-servers " + strake.bootstrapServers();
            Future<?> watched = watching.submit(() -> screen.runLine(ExitCode.FINE, watch));
            await().atMost(Duration.ofMinutes(10)).until(() -> screen.out().contains("DOCUMENT"));
            Path parent = Files.writeString(directory.resolve("parent.yaml"), PARENT.replace("a: 1", "a: 5"));
            publish(ExitCode.FINE, "--add", parent.toString());
            Files.writeString(parent, PARENT.replace("b: 1", "b: 9"));
            publish(ExitCode.FINE, "--add", parent.toString());
            watched.get();
        } finally {
            watching.shutdownNow();
        }
        assertThat(screen.out().lines().skip(1))
                .satisfiesExactly(
                        line -> assertThat(line).matches("\\S+Z +3 +rendered +example/Kind/v1/parent"),
                        line -> assertThat(line).isEqualTo("  .data.b  9"));
    }

    @Test
    void shouldReportAnUnknownWorkspaceOnWatch() throws Exception {
        publish(ExitCode.FINE, site.toString());
        run(ExitCode.FINE, "watch", "-w", "site-b", "--timeout", "1");
        assertThat(terminal.err()).contains("workspace site-b has no rendered documents yet");
        run(ExitCode.FINE, "watch", "-w", workspace, "--timeout", "1");
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldReportRejectedAndFailedChangesByTheExitCode() throws Exception {
        publish(ExitCode.FINE, site.toString());
        Path child = Files.writeString(directory.resolve("child.yaml"), "\n\n" + CHILD);

        run(ExitCode.DIFFERENT_OR_INVALID, "publish", "-w", workspace, "-b", "other", "--wait", child.toString());
        assertThat(terminal.out()).contains("rejected");
        assertThat(terminal.err()).startsWith(child + ":3:1: DuplicateDocumentExists: ");

        Files.writeString(child, CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        MapValue failed = publish(ExitCode.DIFFERENT_OR_INVALID, "--add", child.toString());
        assertThat(text(failed, "status")).isEqualTo("failed");
        assertThat(number(failed, "renderedRevision")).isEqualTo(1);
        get(ExitCode.FINE, "problems");
        assertThat(terminal.out()).contains("MissingDocumentKey");

        assertThat(number(publish(ExitCode.FINE, "--rollback", "1"), "renderedRevision"))
                .isEqualTo(3);
        Files.writeString(child, "[{schema: example/Kind/v1, layer: site, name: child}]");
        assertThat(number(publish(ExitCode.FINE, "--delete", child.toString()), "removed"))
                .isEqualTo(1);
    }

    @Test
    void shouldExplainAValueAndListAffectedDocuments() throws Exception {
        publish(ExitCode.FINE, site.toString());
        Path parent = Files.writeString(directory.resolve("parent.yaml"), PARENT.replace("a: 1", "a: 5"));
        publish(ExitCode.FINE, "--add", parent.toString());

        ask(ExitCode.FINE, "explain", "example/Kind/v1/child", ".b");
        assertThat(terminal.out())
                .startsWith(".b: 2\n")
                .containsPattern(
                        "won +2 +action 0, merge . +example/Kind/v1/child in site +.*/others.yaml:[0-9]+, revision 1")
                .containsPattern(
                        "lost +1 +own data +example/Kind/v1/parent in global +.*/parent.yaml:[0-9]+, revision 2");
        ask(ExitCode.FINE, "explain", "example/Kind/v1/child", ".a", "--revision", "1");
        assertThat(terminal.out()).startsWith(".a: 1\n").contains("revision 1").doesNotContain("revision 2");
        ask(ExitCode.DIFFERENT_OR_INVALID, "explain", "example/Kind/v1/nobody");
        assertThat(terminal.err()).contains("no document example/Kind/v1/nobody");
        ask(ExitCode.DIFFERENT_OR_INVALID, "explain", "example/Kind/v1/child", ".nothing");
        ask(ExitCode.USAGE, "explain", "nobody");

        ask(ExitCode.FINE, "explain", "example/Kind/v1/child", "--why");
        assertThat(terminal.out()).isEqualTo("""
                example/Kind/v1/child in site in revision 2: rendered again
                  example/Kind/v1/child in site     layers on example/Kind/v1/parent in global, which changed
                  example/Kind/v1/parent in global  was edited
                """);
        ask(ExitCode.FINE, "explain", "example/Kind/v1/child", "--why", "--revision", "1");
        assertThat(terminal.out()).contains("in revision 1: rendered again", "was edited");
        ask(ExitCode.DIFFERENT_OR_INVALID, "explain", "example/Kind/v1/nobody", "--why");
        ask(ExitCode.DIFFERENT_OR_INVALID, "explain", "example/Kind/v1/child", "--why", "--revision", "0");
        assertThat(terminal.err()).contains("revision 0, the empty workspace");

        ask(ExitCode.FINE, "affected", "example/Kind/v1/parent");
        assertThat(terminal.out())
                .hasLineCount(2)
                .containsPattern("1 +example/Kind/v1/child +site +layers on example/Kind/v1/parent in global");
        ask(ExitCode.FINE, "affected", "example/Kind/v1/parent", ".b");
        assertThat(terminal.out()).isEmpty();

        Path child = Files.writeString(
                directory.resolve("child.yaml"),
                CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        publish(ExitCode.DIFFERENT_OR_INVALID, "--add", child.toString());
        ask(ExitCode.RENDER_PROBLEMS, "explain", "example/Kind/v1/child");
        assertThat(terminal.err()).contains(child + ":1: MissingDocumentKey");
        get(ExitCode.FINE, "problems");
        assertThat(terminal.out()).contains(child + ":1: MissingDocumentKey");
    }

    private void ask(int code, String command, String... args) {
        List<String> all = new ArrayList<>(List.of(command, "-w", workspace, "--url", url()));
        all.addAll(List.of(args));
        run(code, all.toArray(String[]::new));
    }

    @Test
    void shouldNotPublishInvalidDocuments() throws Exception {
        Path wrong = Files.writeString(site.resolve("wrong.yaml"), STRANGER.replace("cleartext", "secret"));
        run(ExitCode.DIFFERENT_OR_INVALID, "publish", "-w", workspace, "--wait", site.toString());
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .startsWith(wrong + ":5:3: InvalidDocumentFormat: ")
                .contains("Nothing was published");
        get(ExitCode.DIFFERENT_OR_INVALID, "revisions");
        assertThat(terminal.err()).contains("no workspace " + workspace);
    }

    @Test
    void shouldWriteWithoutKafka() throws Exception {
        String all = site.toString();
        String parent = site.resolve("parent.yaml").toString();
        assertThat(overHttp(ExitCode.FINE, "publish", "--author", "Ada", "--message", "why", all))
                .contains("rendered");
        assertThat(overHttp(ExitCode.FINE, "publish", "--delete", parent)).contains("rendered");
        assertThat(overHttp(ExitCode.FINE, "publish", "--add", parent)).contains("rendered");
        assertThat(overHttp(ExitCode.FINE, "tag", "1", "good", "--data", "ticket=OPS-7"))
                .isEqualTo("Revision 1 of %s is tagged good.\n".formatted(workspace));
        assertThat(overHttp(ExitCode.FINE, "rollback", "good")).contains("unchanged");
        assertThat(overHttp(ExitCode.FINE, "untag", "1", "good"))
                .isEqualTo("Revision 1 of %s no longer has the tag good.\n".formatted(workspace));
        assertThat(overHttp(ExitCode.DIFFERENT_OR_INVALID, "tag", "99", "good")).contains("rejected");
        assertThat(overHttp(ExitCode.DIFFERENT_OR_INVALID, "publish", "--expect-revision", "1", all))
                .contains("rejected");
        assertThat(overHttp(ExitCode.DIFFERENT_OR_INVALID, "rollback", "99")).contains("rejected");
        assertThat(overHttp(ExitCode.FINE, "delete", "--yes")).contains("rendered");
    }

    /* The port of Kafka refuses connections. */
    private String overHttp(int code, String command, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--wait", "--bootstrap-servers", "127.0.0.1:1"));
        ask(code, command, all.toArray(String[]::new));
        return terminal.out();
    }

    private MapValue publish(int code, String... args) {
        List<String> all = new ArrayList<>(List.of("publish", "-w", workspace, "--wait", "-o", "json"));
        all.addAll(List.of(args));
        run(code, all.toArray(String[]::new));
        return (MapValue) JsonReader.read(terminal.out());
    }

    private List<MapValue> watch(int count) {
        String number = Integer.toString(count);
        run(
                ExitCode.FINE,
                ("watch -w " + workspace + " --from-beginning -o json --count " + number + " --timeout 30").split(" "));
        return terminal.out()
                .lines()
                .map(line -> (MapValue) JsonReader.read(line))
                .toList();
    }

    private void get(int code, String kind, String... args) {
        ask(code, "get", Stream.concat(Stream.of(kind), Stream.of(args)).toArray(String[]::new));
    }

    private String url() {
        return strake.url();
    }

    private void run(int code, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        if (!all.contains("--url")) {
            all.addAll(List.of("--bootstrap-servers", strake.bootstrapServers()));
        }
        terminal = CapturedTerminal.pipe().run(code, all.toArray(String[]::new));
    }

    private void rollback(int code, String revision) {
        ask(code, "rollback", revision, "--wait", "--bootstrap-servers", strake.bootstrapServers());
    }

    private static Value data(MapValue line) {
        return ((MapValue) line.get("document")).get("data");
    }

    private static String text(MapValue json, String name) {
        return ((Text) json.get(name)).value();
    }

    private static long number(MapValue json, String name) {
        return Long.parseLong(((Num) json.get(name)).literal());
    }
}
