package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.text.JsonValues;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Plans of changes, and checks that stop a change before it is published. */
class PlannedChangesIT {

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [global, site]}
            """;

    private static final String PARENT = """
            ---
            schema: example/Kind/v1
            metadata: {schema: metadata/Document/v1, name: parent, storagePolicy: cleartext,
              labels: {name: parent}, layeringDefinition: {layer: global}}
            data: {a: 1, b: 1}
            """;

    private static final String CHILD = """
            ---
            schema: example/Kind/v1
            metadata: {schema: metadata/Document/v1, name: child, storagePolicy: cleartext,
              layeringDefinition: {layer: site, parentSelector: {name: parent}, actions: [{method: merge, path: .}]}}
            data: {b: 2}
            """;

    private static final List<String> SAME_AS_THE_OUTCOME = List.of(
            "revision",
            "renderedRevision",
            "documents",
            "affected",
            "evaluated",
            "emitted",
            "removed",
            "rendered",
            "contentHash",
            "problems",
            "warnings");

    @TempDir
    static Path directory;

    private static TestStrake server;

    private String workspace;
    private CapturedTerminal terminal;

    @BeforeAll
    static void start() throws Exception {
        server = TestStrake.shared();
    }

    @BeforeEach
    void useAWorkspaceOfItsOwn(TestInfo test) {
        workspace = test.getTestMethod().orElseThrow().getName();
    }

    @Test
    void shouldPredictTheEffectOfTheChange() throws Exception {
        assertThat(plan(file(POLICY + PARENT + CHILD), "-o", "json")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        MapValue first = json();
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        assertSame(first, json());
        assertThat(((ListValue) first.get("differences")).size()).isEqualTo(3);

        Path changed = file(PARENT.replace("a: 1", "a: 5"));
        assertThat(plan(changed, "--add", "-o", "json")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        MapValue second = json();
        assertThat(plan(changed, "--add")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out())
                .contains("modified example/Kind/v1/child\n@ .data.a\n- 1\n+ 5\n")
                .contains("2 of 3 rendered documents would change; 2 affected, 2 evaluated, 0 cut off");
        publish(ExitCode.FINE, changed, "--add");
        assertSame(second, json());

        assertThat(plan(changed, "--add")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).startsWith("0 of 3 rendered documents would change");
        assertThat(planRollback("1")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(planRollback("published")).isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).contains("published is revision 2");
        assertThat(planRollback("nowhere")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("no revision with the tag nowhere");
        assertThat(planRollback("-1")).isEqualTo(ExitCode.USAGE);
        String rollback = "publish --wait --rollback nowhere --url " + url() + " -w " + workspace;
        assertThat(run(CapturedTerminal.pipe(), kafka(rollback))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(run(CapturedTerminal.pipe(), kafka(rollback.replace("nowhere", "published"))))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).startsWith("STATUS").contains("unchanged");
    }

    private int planRollback(String revision) {
        return run(CapturedTerminal.pipe(), "plan", "-w", workspace, "--url", url(), "--rollback=" + revision);
    }

    private static void assertSame(MapValue planned, MapValue outcome) {
        assertThat(planned.get("status")).isEqualTo(new Text("planned"));
        assertThat(planned.get("wouldBe")).isEqualTo(outcome.get("status"));
        SAME_AS_THE_OUTCOME.forEach(
                member -> assertThat(planned.get(member)).as(member).isEqualTo(outcome.get(member)));
    }

    @Test
    void shouldReportNewProblemsOfAChangeWithTheirPlaces() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path broken = file("\n" + CHILD.substring(4).replace("method: merge, path: .", "method: delete, path: .no"));
        assertThat(plan(broken, "--add")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out())
                .contains("would appear: " + broken + ":4:79: MissingDocumentKey")
                .contains("the revision would fail, and consumers keep what they have");
        assertThat(plan(broken, "--add", "-o", "sarif")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("\"ruleId\":\"MissingDocumentKey\"", "\"startLine\":4,\"startColumn\":79");

        Path invalid = file("{schema: a/B/v1}");
        assertThat(plan(invalid, "--add")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(run(CapturedTerminal.pipe(), publishing(invalid, "--add", "--dry-run")))
                .as("as plan does")
                .isEqualTo(ExitCode.RENDER_PROBLEMS);

        assertThat(plan(file(CHILD), "--add", "-b", "other")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("would be rejected: ", "DuplicateDocumentExists");
        assertThat(plan(file(CHILD), "--add", "--expect-revision", "7")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("RevisionConflict");
    }

    @Test
    void shouldCompareWithThePublishedRevisionWhenTheHeadFailed() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path failing = file(POLICY
                + PARENT.replace("a: 1", "a: 5")
                + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        publish(ExitCode.DIFFERENT_OR_INVALID, failing);

        assertThat(plan(file(CHILD), "--add")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out())
                .contains("modified example/Kind/v1/child\n@ .data.a\n- 1\n+ 5\n")
                .contains("modified example/Kind/v1/parent\n@ .data.a\n- 1\n+ 5\n");
        assertThat(plan(file(CHILD), "--add", "-o", "table")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).containsPattern("modified +example/Kind/v1 +child +1\n");
        assertThat(plan(file(CHILD), "--add", "-o", "json")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(json().get("complete")).isEqualTo(Bool.TRUE);
    }

    @Test
    void shouldFailAPlanWhoseRevisionKeepsAnExistingProblem() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path broken = file(CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        publish(ExitCode.DIFFERENT_OR_INVALID, broken, "--add");

        assertThat(plan(file(PARENT.replace("a: 1", "a: 5")), "--add")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out())
                .contains("the revision would fail", "would stay: 1 problem\n  MissingDocumentKey: ")
                .doesNotContain("would appear");
        assertThat(plan(file(PARENT.replace("a: 1", "a: 5")), "--add", "-o", "sarif"))
                .isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).containsOnlyOnce("\"ruleId\":\"MissingDocumentKey\"");
        assertThat(plan(broken, "--add")).as("nothing would change").isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("existing problems would remain", broken + ":4:79: MissingDocumentKey");
        assertThat(plan(broken, "--add", "-o", "markdown")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("\n- would stay: 1 problem\n- " + broken + ":4:79: MissingDocumentKey");
        assertThat(plan(file(CHILD), "--add")).as("it would be mended").isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
    }

    @Test
    void shouldExitWithAnErrorWhenAFailedHeadStaysUnchanged() throws Exception {
        Path broken =
                file("\n" + POLICY + PARENT + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        publish(ExitCode.DIFFERENT_OR_INVALID, broken);

        assertThat(run(CapturedTerminal.pipe(), table(publishing(broken)))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("unchanged");
        assertThat(terminal.err())
                .contains("Nothing changed, and the head still has its problems.", ": MissingDocumentKey");
        assertThat(run(CapturedTerminal.pipe(), withoutWaiting(broken))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("MissingDocumentKey");

        String[] twice = Stream.concat(Stream.of(table(publishing(broken))), Stream.of("--id", "one"))
                .toArray(String[]::new);
        run(CapturedTerminal.pipe(), twice);
        assertThat(run(CapturedTerminal.pipe(), twice)).as("sent again").isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("duplicate");
        assertThat(terminal.err()).contains("MissingDocumentKey");
        assertThat(run(CapturedTerminal.pipe(), "tag", "-w", workspace, "1", "bad", "--wait", "--url", url()))
                .as("a tag says nothing of documents")
                .isEqualTo(ExitCode.FINE);
    }

    private static String[] table(String... json) {
        return List.of(json).stream()
                .filter(each -> !List.of("-o", "json").contains(each))
                .toArray(String[]::new);
    }

    @Test
    void shouldCountProblemsAlikeEverywhere() throws Exception {
        String reader = reader("reader");
        Path broken =
                file(POLICY + PARENT + CHILD.replace("method: merge, path: .", "method: delete, path: .no") + reader);
        assertThat(plan(broken)).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out())
                .containsOnlyOnce("would appear: ")
                .contains("and 1 document waits for it: [example/Kind/v1, global, reader]");
        publish(ExitCode.DIFFERENT_OR_INVALID, broken);

        assertThat(run(CapturedTerminal.pipe(), "explain", "-w", workspace, "example/Kind/v1/reader", "--url", url()))
                .isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.err())
                .contains("depends on [example/Kind/v1, site, child]", "It waits for this: ", "cannot delete .no");
        assertThat(plan(file(PARENT.replace("a: 1", "a: 5")), "--add")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("would stay: 1 problem, 1 document waits for it\n");
        assertThat(plan(file(reader.replace("b: 1", "b: 5").replace("reader", "other")), "--add"))
                .isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out())
                .contains("would appear: ", "depends on [example/Kind/v1, site, child]")
                .contains("would stay: 1 problem, 1 document waits for it\n");
        assertThat(run(CapturedTerminal.pipe(), "get", "problems", "-w", workspace, "--url", url()))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).containsOnlyOnce("MissingDocumentKey").contains("and 1 document waits for it");
        assertThat(run(
                        CapturedTerminal.pipe(),
                        ("get outcomes -w " + workspace + " " + String.join(" ", kafka(""))).split(" +")))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).containsPattern("failed .* 1, 1 wait ");
    }

    @Test
    void shouldSayThatAnOutcomeDoesNotListAllWaitingDocuments() throws Exception {
        StringBuilder many = new StringBuilder(
                "\n" + POLICY + PARENT + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        IntStream.range(0, 142).forEach(i -> many.append(reader("reader-" + i)));
        Path broken = file(many.toString());
        assertThat(run(CapturedTerminal.pipe(), table(publishing(broken)))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err())
                .containsOnlyOnce(": MissingDocumentKey")
                .contains(
                        "and 99 or more documents wait for it: ",
                        "'strake get problems -w " + workspace + "' has all.");
        assertThat(run(
                        CapturedTerminal.pipe(),
                        ("get outcomes -w " + workspace + " " + String.join(" ", kafka(""))).split(" +")))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).containsPattern("failed .* 1, 99\\+ wait ");
        assertThat(run(CapturedTerminal.pipe(), "get", "problems", "-w", workspace, "--url", url()))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("and 142 documents wait for it");
        HttpRequest first = HttpRequest.newBuilder(URI.create(url() + "/workspaces/" + workspace + "/problems?limit=1"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(first, BodyHandlers.ofString())
                        .body())
                .contains("\"problems\":143,\"waiting\":142,");
    }

    private static String reader(String name) {
        return PARENT.replace("parent", name)
                .replace(
                        "{layer: global}}",
                        "{layer: global},\n  substitutions: [{src: {schema: example/Kind/v1, name: child, path: .b}, dest: {path: .a}}]}");
    }

    @Test
    void shouldPlanAgainstAnEarlierRevision() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        publish(ExitCode.FINE, file(POLICY + PARENT.replace("a: 1", "a: 7") + CHILD));

        Path changed = file(PARENT.replace("a: 1", "a: 9"));
        assertThat(plan(changed, "--add", "--against", "1", "-o", "diff")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("modified example/Kind/v1/child\n@ .data.a\n- 1\n+ 9\n");
        assertThat(plan(changed, "--add", "--against", "0")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(plan(changed, "--add", "--against", "7")).isEqualTo(ExitCode.USAGE);
        assertThat(terminal.err()).contains("7");
        assertThat(plan(changed, "--against", "1", "--expect-revision", "2")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldRejectAChangeThatRemovesSuspiciouslyMuch() throws Exception {
        StringBuilder many = new StringBuilder(POLICY);
        for (int i = 0; i < 20; i++) {
            many.append(PARENT.replace("parent", "p" + i));
        }
        publish(ExitCode.FINE, file(many.toString()));
        Path empty = file(POLICY);
        String tooMany = "he change would remove 20 of 21 documents of bucket default, which is more than a third";
        assertThat(plan(empty)).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out())
                .startsWith("20 of 21 rendered documents would change; ")
                .contains(";\npublish would ask first, or require --yes: t" + tooMany + "\n");
        assertThat(plan(empty, "-o", "json")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(json().text("removals")).isEqualTo("t" + tooMany);
        assertThat(plan(empty, "--expect-revision", "7")).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("RevisionConflict").doesNotContain("publish would ask");
        assertThat(run(CapturedTerminal.pipe(), publishing(empty))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("\"status\":\"rejected\"", "TooManyRemovals", tooMany);
        assertThat(run(CapturedTerminal.pipe(), withoutWaiting(empty))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains(tooMany);
        assertThat(run(CapturedTerminal.typing("no\n"), publishing(empty))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(run(CapturedTerminal.pipe(), publishing(empty, "--max-removals", "94%")))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(run(CapturedTerminal.typing("yes\n"), publishing(empty)))
                .as(() -> terminal.err())
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.err()).contains("T" + tooMany + ".\nType yes");
        assertThat(run(CapturedTerminal.pipe(), "publish", "-w", workspace, "--max-removals", "some", empty + ""))
                .isEqualTo(ExitCode.USAGE);

        publish(ExitCode.FINE, file(many.toString()));
        publish(ExitCode.FINE, empty, "--max-removals", "20");
        publish(ExitCode.FINE, file(many.toString()));
        publish(ExitCode.FINE, empty, "--yes");
        publish(ExitCode.FINE, file(many.toString()));
        publish(ExitCode.FINE, file(""), "--allow-empty");
    }

    @Test
    void shouldExplainHowToGetTheOutcomeOfAChangeWithoutWaiting() throws Exception {
        assertThat(run(CapturedTerminal.pipe(), withoutWaiting(file(POLICY)))).isEqualTo(ExitCode.FINE);
        String id = terminal.out().strip();
        assertThat(terminal.out()).isEqualTo(id + "\n").matches("[0-9a-f-]{36}\n");
        assertThat(terminal.err())
                .startsWith("This is the id of the change")
                .endsWith("\n  strake get outcomes -w " + workspace + " " + id + "\n");
        assertThat(run(
                        CapturedTerminal.pipe(),
                        "publish",
                        "-w",
                        workspace,
                        "--url",
                        url(),
                        file(POLICY).toString()))
                .isEqualTo(ExitCode.FINE);
        assertThat(terminal.err())
                .endsWith("\n  GET /workspaces/" + workspace + "/changes/"
                        + terminal.out().strip() + "\n");
    }

    @Test
    void shouldRejectAForeignFileThatWouldReplaceASmallBucket() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path foreign = file(PARENT.replace("parent", "foreign"));
        assertThat(run(CapturedTerminal.pipe(), publishing(foreign))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("TooManyRemovals", "nothing of what is there would stay");
        assertThat(run(CapturedTerminal.typing("no\n"), publishing(foreign, "--url", server.url())))
                .isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("3 of 3 documents of bucket default", "Type yes");
    }

    @Test
    void shouldRejectARollbackThatRemovesSuspiciouslyMuch() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        String[] rollback = {"rollback", "-w", workspace, "0", "--url", url()};
        String tooMany = "he change would remove 3 of 3 documents of the workspace";
        assertThat(run(CapturedTerminal.pipe(), rollback)).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains(tooMany);
        assertThat(planRollback("0")).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out()).contains("publish would ask first", tooMany);
        assertThat(run(CapturedTerminal.typing("no\n"), rollback)).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("T" + tooMany, "Type yes");
        String[] meant = {"rollback", "-w", workspace, "0", "--yes", "--wait", "--url", url()};
        assertThat(run(CapturedTerminal.pipe(), meant)).isEqualTo(ExitCode.FINE);
        assertThat(terminal.out()).contains("rendered  2");
    }

    @Test
    void shouldPlanAChangeThatIsTooLargeForHttpThroughKafka() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        StringBuilder large = new StringBuilder(POLICY + PARENT.replace("a: 1", "a: 2") + CHILD);
        for (int i = 0; i < 11; i++) {
            large.append(PARENT.replace("parent", "p" + i).replace("b: 1", "b: " + "x".repeat(900_000)));
        }
        Path changed = file(large.toString());

        assertThat(plan(changed, kafka("-o table"))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);

        assertThat(terminal.err()).contains("too large for HTTP", "sent through Kafka as a dry run");
        assertThat(terminal.out())
                .startsWith("13 of 14 rendered documents would change; 13 affected, 13 evaluated, 0 cut off\n")
                .containsPattern("modified +example/Kind/v1 +child +1\n")
                .containsPattern("created +example/Kind/v1 +p10 +1\n");
        assertThat(plan(changed, kafka(""))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out())
                .contains("modified example/Kind/v1/child\n@ .data.a\n")
                .doesNotContain("xxx");
        assertThat(plan(changed, kafka("-o json"))).isEqualTo(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(json().get("status")).isEqualTo(new Text("planned"));
        assertThat(plan(broken(), kafka(""))).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("would appear: ", "MissingDocumentKey");
        assertThat(plan(changed, kafka("--against 1"))).isEqualTo(ExitCode.USAGE);
        assertThat(plan(changed, kafka("--expect-revision 7"))).isEqualTo(ExitCode.RENDER_PROBLEMS);
        assertThat(terminal.out()).contains("would be rejected: RevisionConflict");
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        assertThat(json().get("status")).isEqualTo(new Text("unchanged"));
    }

    private static Path broken() throws Exception {
        StringBuilder large = new StringBuilder(
                POLICY + PARENT + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        for (int i = 0; i < 11; i++) {
            large.append(PARENT.replace("parent", "p" + i).replace("b: 1", "b: " + "x".repeat(900_000)));
        }
        return file(large.toString());
    }

    private static String[] kafka(String options) {
        return (options + " --bootstrap-servers " + server.bootstrapServers())
                .strip()
                .split(" ");
    }

    @Test
    void shouldRefuseInvalidPlans() throws Exception {
        for (String question : List.of(
                "plan?type=nonsense",
                "plan?bucket=a%20b",
                "plan?expected-revision=-1",
                "plan?type=dev.strake.revision.tag",
                "plan?type=dev.strake.revision.untag",
                "plan?type=dev.strake.revision.rollback&against=0",
                "plan?author=me",
                "plan?bucket=a&bucket=b")) {
            assertThat(post(question, "[]").statusCode()).as(question).isEqualTo(400);
        }
        HttpResponse<String> unreadable = post("plan", "a: [");
        assertThat(unreadable.statusCode()).isEqualTo(200);
        assertThat(unreadable.body()).contains("\"wouldBe\":\"rejected\"", "InvalidYaml");
        assertThat(post("plan", "x".repeat(9 << 20)).statusCode()).isEqualTo(413);
        assertThat(run(CapturedTerminal.pipe(), "plan", file(POLICY).toString()))
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldAcceptAPlanWithTheContentTypeOfCurl() throws Exception {
        HttpRequest request = request("plan", POLICY)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("\"wouldBe\":\"rendered\"");
    }

    private HttpResponse<String> post(String question, String body) throws Exception {
        return HttpClient.newHttpClient().send(request(question, body).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String question, String body) {
        return HttpRequest.newBuilder(URI.create(url() + "/workspaces/" + workspace + "/" + question))
                .POST(BodyPublishers.ofString(body));
    }

    private static Path file(String yaml) throws Exception {
        return Files.writeString(Files.createTempFile(directory, "documents", ".yaml"), yaml);
    }

    private int plan(Path file, String... more) {
        List<String> all = new ArrayList<>(List.of("plan", "-w", workspace, "--url", url(), file.toString()));
        all.addAll(List.of(more));
        return run(CapturedTerminal.pipe(), all.toArray(String[]::new));
    }

    private void publish(int code, Path file, String... more) {
        assertThat(run(CapturedTerminal.pipe(), publishing(file, more)))
                .as(() -> terminal.err())
                .isEqualTo(code);
    }

    private String[] publishing(Path file, String... more) {
        List<String> all = new ArrayList<>(List.of("publish", "-w", workspace, "--wait", "-o", "json"));
        all.addAll(List.of("--bootstrap-servers", server.bootstrapServers(), file.toString()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private String[] withoutWaiting(Path file) {
        return new String[] {
            "publish", "-w", workspace, "--bootstrap-servers", server.bootstrapServers(), file.toString()
        };
    }

    private int run(CapturedTerminal at, String... args) {
        terminal = at;
        return Strake.run(at.terminal(), args);
    }

    private MapValue json() {
        return (MapValue) JsonValues.read(terminal.out().getBytes(UTF_8));
    }

    private static String url() {
        return server.url();
    }
}
