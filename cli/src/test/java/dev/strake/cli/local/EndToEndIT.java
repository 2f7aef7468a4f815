package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.JsonValues;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of Strake on a broker: commands publish, a pipeline processes, and commands read. */
@Order(1) // slow: starts first
class EndToEndIT {

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [global, site]}
            """;

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

    private static TestStrake strake;

    private String workspace;
    private Path site;
    private CapturedTerminal terminal;

    @BeforeAll
    static void start() throws Exception {
        strake = TestStrake.shared();
    }

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

        assertThat(get("revisions", "-o", "json")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("\"revision\":1,").contains("\"revision\":2,");
        assertThat(get("documents", "--revision", "1")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("parent").hasLineCount(5);
        assertThat(get("rendered", "-o", "yaml")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("name: child").doesNotContain("name: parent\n  storagePolicy");
        assertThat(get("buckets")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("default").contains("3");

        assertThat(run("diff", "-w", workspace, "--url", url(), "1", "2", "-o", "table"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("1 document differs, 2 rendered documents differ"),
                        line -> assertThat(line).startsWith("WHAT"),
                        line -> assertThat(line).matches("document +deleted +example/Kind/v1/parent +global +1"),
                        line -> assertThat(line).matches("rendered +modified +example/Kind/v1/child +- +1"),
                        line -> assertThat(line).matches("rendered +deleted +example/Kind/v1/parent +- +1"));
        assertThat(ask("diff", "1", "2", "--document", "child", "-o", "table"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out())
                .startsWith("0 documents differ, 1 rendered document differs")
                .hasLineCount(3);
        assertThat(ask("diff", "1", "2", "--schema", "example/Kind", "--document", "parent"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).startsWith("1 document differs, 1 rendered document differs");
        assertThat(ask("diff", "1", "2", "--document", "layering-policy")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).isEmpty();
        assertThat(ask("diff", "1", "2", "--document", "example/Other/v1/parent"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("there is no document example/Other/v1/parent on either side");
        assertThat(ask("diff", "0", "2", "--schema", "example/Other")).isEqualTo(ExitCode.USAGE);
        assertThat(ask("diff", "--files", site.toString(), "--document", "nope"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("diff", "-w", workspace, "--url", url(), "2", "2")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).isEmpty();
        assertThat(get("documents", "--revision", "9")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("no revision 9");
    }

    @Test
    void shouldShowDifferencesByPath() throws Exception {
        publish(ExitCode.FINE, site.toString());
        assertThat(run("tag", "-w", workspace, "1", "v1", "--wait")).isEqualTo(ExitCode.FINE);
        Files.writeString(site.resolve("parent.yaml"), PARENT.replace("a: 1", "a: 1.0"));
        assertThat(ask("diff", "--files", site.toString(), "-o", "diff")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        String ofFiles = terminal.out();
        publish(ExitCode.FINE, site.toString());

        assertThat(ask("diff", "v1", "2")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
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
        assertThat(ask("diff", "v1", "-o", "markdown")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("<details><summary>modified <code>example/Kind/v1/child</code>");
        assertThat(ask("diff", "v1", "-o", "json")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("\"changes\":[{\"path\":\".data.a\",\"before\":1,\"after\":1.0}]");
        assertThat(ask("diff", "--files", site.toString())).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).isEmpty();
        assertThat(ask("diff", "v1", "--files", site.toString())).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(ask("diff", "v1", "--files", site.toString(), "--document", "example/Kind/v1/child"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).startsWith("0 documents differ, 1 rendered document differs");
        assertThat(ask("diff", "v1", "--files", site.toString(), "--schema", "example/Other"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("example/Other");

        assertThat(ask("diff", "-1", "2")).isEqualTo(ExitCode.USAGE);
        assertThat(ask("diff", "v2", "v1")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("no revision with the tag v2");
        assertThat(ask("diff", "1", "9")).isEqualTo(ExitCode.USAGE);
        assertThat(ask("diff", "1", "2", "3")).isEqualTo(ExitCode.USAGE);
        assertThat(ask("diff")).isEqualTo(ExitCode.USAGE);
        Files.writeString(
                site.resolve("others.yaml"), CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        assertThat(ask("diff", "--files", site.toString())).isEqualTo(ExitCode.RENDER_PROBLEMS);
    }

    @Test
    void shouldGetTheRequestedDocuments() throws Exception {
        publish(ExitCode.FINE, "--message", "first", site.toString());

        assertThat(get("documents", "parent", "-o", "json")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("\"name\":\"parent\"").doesNotContain("stranger");
        assertThat(get("rendered", "example/Kind/v1/child", "-o", "json")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("\"data\":{\"a\":1,\"b\":2}");
        assertThat(get("rendered", "example/Kind/v1/nobody")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("no rendered document example/Kind/v1/nobody in revision 1");
        assertThat(get("rendered", "--schema", "example/Kind")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).hasLineCount(4).doesNotContain("layering-policy");
        assertThat(get("documents", "-l", "name=parent")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).hasLineCount(2).contains("parent");
        assertThat(get("documents", "-l", "name=parent", "-l", "x=y")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).hasLineCount(1);

        assertThat(get("rendered", "--query", "$.data.b")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out().lines().skip(1))
                .satisfiesExactly(
                        line -> assertThat(line).matches("example/Kind/v1/child +\\.data\\.b +2"),
                        line -> assertThat(line).matches("example/Kind/v1/parent +\\.data\\.b +1"));
        assertThat(get("rendered", "--query", "$.data.c", "-o", "json")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .contains("\"name\":\"stranger\",\"selected\":[{\"path\":\".data.c\",\"value\":3}]}")
                .hasLineCount(3);
        assertThat(get("rendered", "--query", "data")).isEqualTo(ExitCode.USAGE);
        assertThat(get("buckets", "--query", "$.data")).isEqualTo(ExitCode.USAGE);
        assertThat(get("revisions", "--revision", "1")).isEqualTo(ExitCode.USAGE);

        assertThat(run("tag", "-w", workspace, "1", "v1", "--data", "ticket=7", "--wait"))
                .isEqualTo(ExitCode.FINE);
        assertThat(get("tags")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out().lines().skip(1))
                .satisfiesExactly(line -> assertThat(line).matches("v1 +1 +\\S+Z +ticket=7"));
        assertThat(get("documents", "--revision", "v1")).isEqualTo(ExitCode.FINE);
        assertThat(run("get", "workspaces", "--url", url())).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out().lines().skip(1))
                .anySatisfy(line -> assertThat(line).matches(workspace + " +1 +rendered +4 +4 +\\S+Z"));
        assertThat(run("get", "outcomes", "-w", workspace, "-o", "json")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .contains("\"type\":\"dev.strake.bucket.put\"", "\"type\":\"dev.strake.revision.tag\"");
        assertThat(run("get", "outcomes", "-w", workspace, "--last", "1")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).hasLineCount(2);
        assertThat(run("get", "outcomes", "nobody", "-w", workspace)).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("no outcome of change nobody");
        assertThat(run("get", "outcomes", "-w", "site-b")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("workspace site-b has no outcomes in Kafka");
    }

    @Test
    void shouldReportThatConsumersHoldNothingWhileTheFirstRevisionFails() throws Exception {
        Files.writeString(
                site.resolve("others.yaml"), CHILD.replace("method: merge, path: .", "method: delete, path: .x"));
        publish(ExitCode.DIFFERENT_OR_INVALID, site.toString());
        assertThat(ask("explain", "example/Kind/v1/child")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.err()).contains("revision 1, the head, failed; consumers hold nothing yet.");
    }

    @Test
    void shouldReportTheRevisionOfConsumersWhileTheHeadFails() throws Exception {
        publish(ExitCode.FINE, site.toString());
        Path child = Files.writeString(
                directory.resolve("child.yaml"),
                CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        publish(ExitCode.DIFFERENT_OR_INVALID, "--add", child.toString());

        assertThat(get("rendered")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).doesNotContain("child");
        assertThat(terminal.err()).contains("revision 2, the head, failed", "consumers hold revision 1", "--published");
        assertThat(get("rendered", "--published")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("child");
        assertThat(terminal.err()).isEmpty();

        assertThat(ask("explain", "example/Kind/v1/child", ".a")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.err()).contains("MissingDocumentKey", "consumers hold revision 1 (ask with --published)");
        assertThat(ask("explain", "example/Kind/v1/stranger")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).contains("revision 2, the head, failed", "consumers hold revision 1");
        assertThat(ask("affected", "example/Kind/v1/parent")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("child");
        assertThat(terminal.err())
                .contains("revision 2, the head, failed; consumers hold revision 1 (ask with --published)");
        assertThat(ask("affected", "example/Kind/v1/parent", "--published")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).isEmpty();
        assertThat(ask("explain", "example/Kind/v1/child", ".a", "--revision", "published"))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).startsWith(".a: 1\n");
        assertThat(terminal.err()).isEmpty();
        assertThat(ask("explain", "example/Kind/v1/child", ".a", "--published", "--revision", "1"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(run("tag", "-w", workspace, "1", "good", "--wait")).isEqualTo(ExitCode.FINE);
        assertThat(ask("affected", "example/Kind/v1/parent", ".a", "--revision", "good"))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("example/Kind/v1/child");
        assertThat(ask("affected", "example/Kind/v1/parent", "--revision", "-1"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(ask("explain", "example/Kind/v1/child", "--why", "--revision", "nowhere"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("no revision with the tag nowhere");

        assertThat(ask("diff", "published", "head", "-o", "table")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).containsPattern("rendered +not rendered +example/Kind/v1/child");
        assertThat(get("problems", "child")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("MissingDocumentKey");
        assertThat(rollback("nowhere")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("no revision with the tag nowhere");
        assertThat(rollback("+1")).isEqualTo(ExitCode.USAGE);
        assertThat(rollback("published")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).contains("published is revision 1");
        assertThat(get("revisions")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out().lines().skip(1))
                .satisfiesExactly(
                        line -> assertThat(line).contains("  publish default  "),
                        line -> assertThat(line).contains("  failed    add to default  "),
                        line -> assertThat(line).contains("  rendered  rollback to 1  "));
        assertThat(run("tag", "-w", workspace, "1", "later")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .matches("Revision 1 of " + workspace
                        + " is to be tagged later\\. Published as change [0-9a-f-]{36}; --wait waits for it\\.\n");
        assertThat(run("tag", "-w", workspace, "2", "bad", "--wait")).isEqualTo(ExitCode.FINE);
        assertThat(rollback("bad")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("bad is revision 2");
        assertThat(get("problems", "stranger")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
    }

    @Test
    void shouldPrintTheResultOfAQueryWhenItChanges() throws Exception {
        publish(ExitCode.FINE, site.toString());
        ExecutorService watching = Executors.newSingleThreadExecutor();
        CapturedTerminal screen = CapturedTerminal.pipe();
        try {
            Future<Integer> code = watching.submit(() -> Strake.run(
                    screen.terminal(),
                    "watch",
                    "-w",
                    workspace,
                    "--query",
                    "$.data.b",
                    "-o",
                    "table",
                    "--count",
                    "1",
                    "--timeout",
                    "60",
                    "--bootstrap-servers",
                    strake.bootstrapServers()));
            await().atMost(Duration.ofMinutes(10)).until(() -> screen.out().contains("DOCUMENT"));
            Path parent = Files.writeString(directory.resolve("parent.yaml"), PARENT.replace("a: 1", "a: 5"));
            publish(ExitCode.FINE, "--add", parent.toString());
            Files.writeString(parent, PARENT.replace("b: 1", "b: 9"));
            publish(ExitCode.FINE, "--add", parent.toString());
            assertThat(code.get()).isEqualTo(ExitCode.FINE);
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
        assertThat(run("watch", "-w", "site-b", "--timeout", "1")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).contains("workspace site-b has no rendered documents yet");
        assertThat(run("watch", "-w", workspace, "--timeout", "1")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldReportRejectedAndFailedChangesByTheExitCode() throws Exception {
        publish(ExitCode.FINE, site.toString());
        Path child = Files.writeString(directory.resolve("child.yaml"), "\n\n" + CHILD);

        assertThat(run("publish", "-w", workspace, "-b", "other", "--wait", child.toString()))
                .as(terminal.err())
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("rejected");
        assertThat(terminal.err()).startsWith(child + ":3:1: DuplicateDocumentExists: ");

        Files.writeString(child, CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        MapValue failed = publish(ExitCode.DIFFERENT_OR_INVALID, "--add", child.toString());
        assertThat(text(failed, "status")).isEqualTo("failed");
        assertThat(number(failed, "renderedRevision")).isEqualTo(1);
        assertThat(get("problems")).isEqualTo(ExitCode.FINE);
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

        assertThat(ask("explain", "example/Kind/v1/child", ".b")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .startsWith(".b: 2\n")
                .containsPattern(
                        "won +2 +action 0, merge . +example/Kind/v1/child in site +.*/others.yaml:[0-9]+, revision 1")
                .containsPattern(
                        "lost +1 +own data +example/Kind/v1/parent in global +.*/parent.yaml:[0-9]+, revision 2");
        assertThat(ask("explain", "example/Kind/v1/child", ".a", "--revision", "1"))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).startsWith(".a: 1\n").contains("revision 1").doesNotContain("revision 2");
        assertThat(ask("explain", "example/Kind/v1/nobody")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("no document example/Kind/v1/nobody");
        assertThat(ask("explain", "example/Kind/v1/child", ".nothing")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(ask("explain", "nobody")).isEqualTo(ExitCode.USAGE);

        assertThat(ask("explain", "example/Kind/v1/child", "--why")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).isEqualTo("""
                example/Kind/v1/child in site in revision 2: rendered again
                  example/Kind/v1/child in site     layers on example/Kind/v1/parent in global, which changed
                  example/Kind/v1/parent in global  was edited
                """);
        assertThat(ask("explain", "example/Kind/v1/child", "--why", "--revision", "1"))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("in revision 1: rendered again").contains("was edited");
        assertThat(ask("explain", "example/Kind/v1/nobody", "--why")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(ask("explain", "example/Kind/v1/child", "--why", "--revision", "0"))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("revision 0, the empty workspace");

        assertThat(ask("affected", "example/Kind/v1/parent")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out())
                .hasLineCount(2)
                .containsPattern("1 +example/Kind/v1/child +site +layers on example/Kind/v1/parent in global");
        assertThat(ask("affected", "example/Kind/v1/parent", ".b")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).isEmpty();

        Path child = Files.writeString(
                directory.resolve("child.yaml"),
                CHILD.replace("method: merge, path: .", "method: delete, path: .nowhere"));
        publish(ExitCode.DIFFERENT_OR_INVALID, "--add", child.toString());
        assertThat(ask("explain", "example/Kind/v1/child")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.err()).contains(child + ":1: MissingDocumentKey");
        assertThat(get("problems")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains(child + ":1: MissingDocumentKey");
    }

    private int ask(String command, String... args) {
        List<String> all = new ArrayList<>(List.of(command, "-w", workspace, "--url", url()));
        all.addAll(List.of(args));
        return run(all.toArray(String[]::new));
    }

    @Test
    void shouldNotPublishInvalidDocuments() throws Exception {
        Path wrong = Files.writeString(site.resolve("wrong.yaml"), STRANGER.replace("cleartext", "secret"));
        assertThat(run("publish", "-w", workspace, "--wait", site.toString())).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).isEmpty();
        assertThat(terminal.err())
                .startsWith(wrong + ":5:3: InvalidDocumentFormat: ")
                .contains("Nothing was published");
        assertThat(get("revisions")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
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
        assertThat(ask(command, all.toArray(String[]::new)))
                .as(() -> terminal.err())
                .isEqualTo(code);
        return terminal.out();
    }

    private MapValue publish(int code, String... args) {
        List<String> all = new ArrayList<>(List.of("publish", "-w", workspace, "--wait", "-o", "json"));
        all.addAll(List.of(args));
        assertThat(run(all.toArray(String[]::new))).as(() -> terminal.err()).isEqualTo(code);
        return (MapValue) JsonValues.read(terminal.out().getBytes(UTF_8));
    }

    private List<MapValue> watch(int count) {
        String number = Integer.toString(count);
        int code =
                run("watch", "-w", workspace, "--from-beginning", "-o", "json", "--count", number, "--timeout", "30");
        assertThat(code).as(() -> terminal.err()).isEqualTo(ExitCode.FINE);
        return terminal.out()
                .lines()
                .map(line -> (MapValue) JsonValues.read(line.getBytes(UTF_8)))
                .toList();
    }

    private int get(String kind, String... args) {
        List<String> all = new ArrayList<>(List.of("get", kind, "-w", workspace, "--url", url()));
        all.addAll(List.of(args));
        return run(all.toArray(String[]::new));
    }

    private String url() {
        return strake.url();
    }

    private int run(String... args) {
        terminal = CapturedTerminal.pipe();
        List<String> all = new ArrayList<>(List.of(args));
        if (!all.contains("--url")) {
            all.addAll(List.of("--bootstrap-servers", strake.bootstrapServers()));
        }
        return Strake.run(terminal.terminal(), all.toArray(String[]::new));
    }

    private int rollback(String revision) {
        terminal = CapturedTerminal.pipe();
        return Strake.run(
                terminal.terminal(),
                "rollback",
                "-w",
                workspace,
                revision,
                "--wait",
                "--url",
                url(),
                "--bootstrap-servers",
                strake.bootstrapServers());
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
