package dev.strake.cli.local;

import static dev.strake.testing.Site.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Plans of changes, and checks that stop a change before it is published. */
class PlannedChangesIT {

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

    private static final TestStrake server = TestStrake.shared();

    private String workspace;
    private CapturedTerminal terminal;

    @BeforeEach
    void useAWorkspaceOfItsOwn(TestInfo test) {
        workspace = test.getTestMethod().orElseThrow().getName();
    }

    @Test
    void shouldPredictTheEffectOfTheChange() throws Exception {
        plan(ExitCode.DIFFERENT_OR_INVALID, file(POLICY + PARENT + CHILD), "-o", "json");
        MapValue first = json();
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        assertSame(first, json());
        assertThat(((ListValue) first.get("differences")).size()).isEqualTo(3);

        Path changed = file(PARENT.replace("a: 1", "a: 5"));
        plan(ExitCode.DIFFERENT_OR_INVALID, changed, "--add", "-o", "json");
        MapValue second = json();
        plan(ExitCode.DIFFERENT_OR_INVALID, changed, "--add");
        assertThat(terminal.out())
                .contains(
                        "modified example/Kind/v1/child\n@ .data.a\n- 1\n+ 5\n",
                        "2 of 3 rendered documents would change; 2 affected, 2 evaluated, 0 cut off");
        publish(ExitCode.FINE, changed, "--add");
        assertSame(second, json());

        plan(ExitCode.FINE, changed, "--add");
        assertThat(terminal.out()).startsWith("0 of 3 rendered documents would change");
        planRollback(ExitCode.DIFFERENT_OR_INVALID, "1");
        planRollback(ExitCode.FINE, "published");
        assertThat(terminal.err()).contains("published is revision 2");
        planRollback(ExitCode.USAGE, "nowhere");
        assertThat(terminal.err()).contains("no revision with the tag nowhere");
        planRollback(ExitCode.USAGE, "-1");
        String rollback = "publish --wait --rollback nowhere --url " + url() + " -w " + workspace;
        run(ExitCode.DIFFERENT_OR_INVALID, kafka(rollback));
        run(ExitCode.FINE, kafka(rollback.replace("nowhere", "published")));
        assertThat(terminal.out()).startsWith("STATUS").contains("unchanged");
    }

    private void planRollback(int code, String revision) {
        run(code, "plan", "-w", workspace, "--url", url(), "--rollback=" + revision);
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
        plan(ExitCode.RENDER_PROBLEMS, broken, "--add");
        assertThat(terminal.out())
                .contains(
                        "would appear: " + broken + ":4:79: MissingDocumentKey",
                        "the revision would fail, and consumers keep what they have");
        plan(ExitCode.RENDER_PROBLEMS, broken, "--add", "-o", "sarif");
        assertThat(terminal.out()).contains("\"ruleId\":\"MissingDocumentKey\"", "\"startLine\":4,\"startColumn\":79");

        Path invalid = file("{schema: a/B/v1}");
        plan(ExitCode.RENDER_PROBLEMS, invalid, "--add");
        run(ExitCode.RENDER_PROBLEMS, publishing(invalid, "--add", "--dry-run")); // as plan does

        plan(ExitCode.RENDER_PROBLEMS, file(CHILD), "--add", "-b", "other");
        assertThat(terminal.out()).contains("would be rejected: ", "DuplicateDocumentExists");
        plan(ExitCode.RENDER_PROBLEMS, file(CHILD), "--add", "--expect-revision", "7");
        assertThat(terminal.out()).contains("RevisionConflict");
    }

    @Test
    void shouldCompareWithThePublishedRevisionWhenTheHeadFailed() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path failing = file(POLICY
                + PARENT.replace("a: 1", "a: 5")
                + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        publish(ExitCode.DIFFERENT_OR_INVALID, failing);

        plan(ExitCode.DIFFERENT_OR_INVALID, file(CHILD), "--add");
        assertThat(terminal.out())
                .contains(
                        "modified example/Kind/v1/child\n@ .data.a\n- 1\n+ 5\n",
                        "modified example/Kind/v1/parent\n@ .data.a\n- 1\n+ 5\n");
        plan(ExitCode.DIFFERENT_OR_INVALID, file(CHILD), "--add", "-o", "table");
        assertThat(terminal.out()).containsPattern("modified +example/Kind/v1 +child +1\n");
        plan(ExitCode.DIFFERENT_OR_INVALID, file(CHILD), "--add", "-o", "json");
        assertThat(json().get("complete")).isEqualTo(Bool.TRUE);
    }

    @Test
    void shouldFailAPlanWhoseRevisionKeepsAnExistingProblem() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path broken = file(CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        publish(ExitCode.DIFFERENT_OR_INVALID, broken, "--add");

        plan(ExitCode.RENDER_PROBLEMS, file(PARENT.replace("a: 1", "a: 5")), "--add");
        assertThat(terminal.out())
                .contains("the revision would fail", "would stay: 1 problem\n  MissingDocumentKey: ")
                .doesNotContain("would appear");
        plan(ExitCode.RENDER_PROBLEMS, file(PARENT.replace("a: 1", "a: 5")), "--add", "-o", "sarif");
        assertThat(terminal.out()).containsOnlyOnce("\"ruleId\":\"MissingDocumentKey\"");
        plan(ExitCode.RENDER_PROBLEMS, broken, "--add"); // nothing would change
        assertThat(terminal.out()).contains("existing problems would remain", broken + ":4:79: MissingDocumentKey");
        plan(ExitCode.RENDER_PROBLEMS, broken, "--add", "-o", "markdown");
        assertThat(terminal.out()).contains("\n- would stay: 1 problem\n- " + broken + ":4:79: MissingDocumentKey");
        plan(ExitCode.DIFFERENT_OR_INVALID, file(CHILD), "--add"); // it would be mended
    }

    @Test
    void shouldExitWithAnErrorWhenAFailedHeadStaysUnchanged() throws Exception {
        Path broken =
                file("\n" + POLICY + PARENT + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        publish(ExitCode.DIFFERENT_OR_INVALID, broken);

        run(ExitCode.DIFFERENT_OR_INVALID, table(publishing(broken)));
        assertThat(terminal.out()).contains("unchanged");
        assertThat(terminal.err())
                .contains("Nothing changed, and the head still has its problems.", ": MissingDocumentKey");
        run(ExitCode.DIFFERENT_OR_INVALID, withoutWaiting(broken));
        assertThat(terminal.err()).contains("MissingDocumentKey");

        String[] twice = Stream.concat(Stream.of(table(publishing(broken))), Stream.of("--id", "one"))
                .toArray(String[]::new);
        run(ExitCode.DIFFERENT_OR_INVALID, twice);
        run(ExitCode.DIFFERENT_OR_INVALID, twice); // sent again
        assertThat(terminal.out()).contains("duplicate");
        assertThat(terminal.err()).contains("MissingDocumentKey");
        run(
                ExitCode.FINE,
                ("tag -w " + workspace + " 1 bad --wait --url " + url()).split(" ")); // concerns no documents
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
        plan(ExitCode.RENDER_PROBLEMS, broken);
        assertThat(terminal.out())
                .containsOnlyOnce("would appear: ")
                .contains("and 1 document waits for it: [example/Kind/v1, global, reader]");
        publish(ExitCode.DIFFERENT_OR_INVALID, broken);

        run(ExitCode.RENDER_PROBLEMS, "explain", "-w", workspace, "example/Kind/v1/reader", "--url", url());
        assertThat(terminal.err())
                .contains("depends on [example/Kind/v1, site, child]", "It waits for this: ", "cannot delete .no");
        plan(ExitCode.RENDER_PROBLEMS, file(PARENT.replace("a: 1", "a: 5")), "--add");
        assertThat(terminal.out()).contains("would stay: 1 problem, 1 document waits for it\n");
        plan(ExitCode.RENDER_PROBLEMS, file(reader.replace("b: 1", "b: 5").replace("reader", "other")), "--add");
        assertThat(terminal.out())
                .contains(
                        "would appear: ",
                        "depends on [example/Kind/v1, site, child]",
                        "would stay: 1 problem, 1 document waits for it\n");
        run(ExitCode.FINE, "get", "problems", "-w", workspace, "--url", url());
        assertThat(terminal.out())
                .containsOnlyOnce("MissingDocumentKey")
                .containsPattern("\n  since revision 1 of 20[-0-9T:]+Z: publish default\n")
                .contains("and 1 document waits for it");
        run(ExitCode.FINE, kafka("get outcomes -w " + workspace));
        assertThat(terminal.out()).containsPattern("failed .* 1, 1 wait ");
    }

    @Test
    void shouldSayThatAnOutcomeDoesNotListAllWaitingDocuments() throws Exception {
        StringBuilder many = new StringBuilder(
                "\n" + POLICY + PARENT + CHILD.replace("method: merge, path: .", "method: delete, path: .no"));
        IntStream.range(0, 142).forEach(i -> many.append(reader("reader-" + i)));
        Path broken = file(many.toString());
        run(ExitCode.DIFFERENT_OR_INVALID, table(publishing(broken)));
        assertThat(terminal.err())
                .containsOnlyOnce(": MissingDocumentKey")
                .contains(
                        "and 99 or more documents wait for it: ",
                        "'strake get problems -w " + workspace + "' lists all.");
        run(ExitCode.FINE, kafka("get outcomes -w " + workspace));
        assertThat(terminal.out()).containsPattern("failed .* 1, 99\\+ wait ");
        run(ExitCode.FINE, "get", "problems", "-w", workspace, "--url", url());
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
        plan(ExitCode.DIFFERENT_OR_INVALID, changed, "--add", "--against", "1", "-o", "diff");
        assertThat(terminal.out()).contains("modified example/Kind/v1/child\n@ .data.a\n- 1\n+ 9\n");
        plan(ExitCode.RENDER_PROBLEMS, changed, "--add", "--against", "0");
        plan(ExitCode.USAGE, changed, "--add", "--against", "7");
        assertThat(terminal.err()).contains("7");
        plan(ExitCode.USAGE, changed, "--against", "1", "--expect-revision", "2");
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
        plan(ExitCode.DIFFERENT_OR_INVALID, empty);
        assertThat(terminal.out())
                .startsWith("20 of 21 rendered documents would change; ")
                .contains(";\npublish would ask first, or require --yes: t" + tooMany + "\n");
        plan(ExitCode.DIFFERENT_OR_INVALID, empty, "-o", "json");
        assertThat(json().text("removals")).isEqualTo("t" + tooMany);
        plan(ExitCode.RENDER_PROBLEMS, empty, "--expect-revision", "7");
        assertThat(terminal.out()).contains("RevisionConflict").doesNotContain("publish would ask");
        run(ExitCode.DIFFERENT_OR_INVALID, publishing(empty));
        assertThat(terminal.out()).contains("\"status\":\"rejected\"", "TooManyRemovals", tooMany);
        run(ExitCode.DIFFERENT_OR_INVALID, withoutWaiting(empty));
        assertThat(terminal.err()).contains(tooMany);
        terminal = CapturedTerminal.typing("no\n").run(ExitCode.DIFFERENT_OR_INVALID, publishing(empty));
        run(ExitCode.DIFFERENT_OR_INVALID, publishing(empty, "--max-removals", "94%"));
        terminal = CapturedTerminal.typing("yes\n").run(ExitCode.FINE, publishing(empty));
        assertThat(terminal.err()).contains("T" + tooMany + ".\nType yes");
        run(ExitCode.USAGE, "publish", "-w", workspace, "--max-removals", "some", empty + "");

        publish(ExitCode.FINE, file(many.toString()));
        publish(ExitCode.FINE, empty, "--max-removals", "20");
        publish(ExitCode.FINE, file(many.toString()));
        publish(ExitCode.FINE, empty, "--yes");
        publish(ExitCode.FINE, file(many.toString()));
        publish(ExitCode.FINE, file(""), "--allow-empty");
    }

    @Test
    void shouldExplainHowToGetTheOutcomeOfAChangeWithoutWaiting() throws Exception {
        run(ExitCode.FINE, withoutWaiting(file(POLICY)));
        String id = terminal.out().strip();
        assertThat(terminal.out()).isEqualTo(id + "\n").matches("[0-9a-f-]{36}\n");
        assertThat(terminal.err())
                .startsWith("This is the id of the published change")
                .endsWith("\n  strake get outcomes -w " + workspace + " " + id + "\n");
        run(ExitCode.FINE, ("publish -w " + workspace + " --url " + url() + " " + file(POLICY)).split(" "));
        assertThat(terminal.err())
                .endsWith("\n  GET /workspaces/" + workspace + "/changes/"
                        + terminal.out().strip() + "\n");
    }

    @Test
    void shouldRejectAForeignFileThatWouldReplaceASmallBucket() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        Path foreign = file(PARENT.replace("parent", "foreign"));
        run(ExitCode.DIFFERENT_OR_INVALID, publishing(foreign));
        assertThat(terminal.out()).contains("TooManyRemovals", "none would be left");
        terminal = CapturedTerminal.typing("no\n")
                .run(ExitCode.DIFFERENT_OR_INVALID, publishing(foreign, "--url", server.url()));
        assertThat(terminal.err()).contains("3 of 3 documents of bucket default", "Type yes");
    }

    @Test
    void shouldRejectARollbackThatRemovesSuspiciouslyMuch() throws Exception {
        publish(ExitCode.FINE, file(POLICY + PARENT + CHILD));
        String[] rollback = {"rollback", "-w", workspace, "0", "--url", url()};
        String tooMany = "he change would remove 3 of 3 documents of the workspace";
        run(ExitCode.DIFFERENT_OR_INVALID, rollback);
        assertThat(terminal.err()).contains(tooMany);
        planRollback(ExitCode.DIFFERENT_OR_INVALID, "0");
        assertThat(terminal.out()).contains("publish would ask first", tooMany);
        terminal = CapturedTerminal.typing("no\n").run(ExitCode.DIFFERENT_OR_INVALID, rollback);
        assertThat(terminal.err()).contains("T" + tooMany, "Type yes");
        String[] meant = {"rollback", "-w", workspace, "0", "--yes", "--wait", "--url", url()};
        run(ExitCode.FINE, meant);
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

        plan(ExitCode.DIFFERENT_OR_INVALID, changed, kafka("-o table"));

        assertThat(terminal.err()).contains("too large for HTTP", "sent through Kafka as a dry run");
        assertThat(terminal.out())
                .startsWith("13 of 14 rendered documents would change; 13 affected, 13 evaluated, 0 cut off\n")
                .containsPattern("modified +example/Kind/v1 +child +1\n")
                .containsPattern("created +example/Kind/v1 +p10 +1\n");
        plan(ExitCode.DIFFERENT_OR_INVALID, changed, kafka(""));
        assertThat(terminal.out())
                .contains("modified example/Kind/v1/child\n@ .data.a\n")
                .doesNotContain("xxx");
        plan(ExitCode.DIFFERENT_OR_INVALID, changed, kafka("-o json"));
        assertThat(json().get("status")).isEqualTo(new Text("planned"));
        plan(ExitCode.RENDER_PROBLEMS, broken(), kafka(""));
        assertThat(terminal.out()).contains("would appear: ", "MissingDocumentKey");
        plan(ExitCode.USAGE, changed, kafka("--against 1"));
        plan(ExitCode.RENDER_PROBLEMS, changed, kafka("--expect-revision 7"));
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
        run(ExitCode.USAGE, "plan", file(POLICY).toString());
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

    private void plan(int code, Path file, String... more) {
        List<String> all = new ArrayList<>(List.of("plan", "-w", workspace, "--url", url(), file.toString()));
        all.addAll(List.of(more));
        run(code, all.toArray(String[]::new));
    }

    private void publish(int code, Path file, String... more) {
        run(code, publishing(file, more));
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

    private void run(int code, String... args) {
        terminal = CapturedTerminal.pipe().run(code, args);
    }

    private MapValue json() {
        return (MapValue) JsonReader.read(terminal.out());
    }

    private static String url() {
        return server.url();
    }
}
