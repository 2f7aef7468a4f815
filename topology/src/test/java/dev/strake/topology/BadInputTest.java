package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.ProblemKey;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.topology.layout.RevisionsLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A change that cannot be applied is rejected with a reason, changes no state, and blocks no later change. */
class BadInputTest {

    private static final String PUT = "dev.strake.documents.put";
    private static final AtomicInteger WORKSPACES = new AtomicInteger();

    @AutoClose
    private static TopologyHarness strake;

    private String workspace;

    @BeforeAll
    static void open() {
        // Nodes, aliases and depth are those of the contract. Sizes are smaller, so that the test is fast.
        strake = new TopologyHarness(TopologySettings.of(1)
                .withLimits(new Limits(
                        new Limits.OfChange(400_000, 6_000_000, 60, 9),
                        new Limits.OfDocument(200_000, 64, 1_000, 1_000_000))));
    }

    @BeforeEach
    void someState() {
        workspace = "workspace-" + WORKSPACES.incrementAndGet();
        assertThat(strake.send(workspace, POLICY + "---\n" + document("one", "{a: 1}"))
                        .status())
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    private static String document(String name, String data, String... substitutions) {
        return "schema: example/Thing/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: " + name
                + "\n  storagePolicy: cleartext\n  layeringDefinition: {layer: site}\n"
                + (substitutions.length == 0 ? "" : "  substitutions: [" + String.join(", ", substitutions) + "]\n")
                + "data: " + data + "\n";
    }

    private static String substitution(String source, String path, String destination) {
        return "{src: {schema: example/Thing/v1, name: %s, path: '%s'}, dest: {path: '%s'}}"
                .formatted(source, path, destination);
    }

    /* Also applies a good change afterwards, because a rejection must not leave anything on the heap either. */
    private Problem assertRejected(ProblemCode code, byte[] value, String... headers) {
        Map<String, Map<String, byte[]>> before = strake.dump();
        List<Outcome> outcomes =
                strake.send(workspace.getBytes(StandardCharsets.UTF_8), value, TopologyHarness.headers(headers));
        assertThat(outcomes).hasSize(1);
        Outcome outcome = outcomes.get(0);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        Problem problem = outcome.problems().get(0);
        assertThat(problem.code()).as(problem.describe()).isEqualTo(code);
        assertThat(problem.message()).isNotBlank();
        assertThat(outcome.revision()).isEqualTo(1);
        assertThat(strake.lastRendered()).isEmpty();
        TopologyHarness.assertSameState(strake.dump(), before);
        Outcome next = strake.send(workspace, document("two", "{a: 2}"), "ce_type", PUT);
        assertThat(next.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(next.revision()).isEqualTo(2);
        return problem;
    }

    private Problem assertRejected(ProblemCode code, String value, String... headers) {
        return assertRejected(code, value.getBytes(StandardCharsets.UTF_8), headers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: b: c",
                "{\"a\": 1, \"a\": 2}",
                "a: !!python/object:os.system x",
                "a: &x [*x]",
                "{\"a\": \"\\ud800\"}",
            })
    void shouldRejectInvalidYaml(String text) {
        Problem problem = assertRejected(ProblemCode.INVALID_YAML, text);
        assertThat(problem.location().line()).isPositive();
    }

    private void assertRejectedAgain(ProblemCode code, String value, String... headers) {
        someState();
        assertRejected(code, value, headers);
    }

    @Test
    void shouldRejectTooLargeChanges() {
        assertRejected(ProblemCode.LIMIT_EXCEEDED, "#".repeat(400_001));
        assertRejectedAgain(ProblemCode.LIMIT_EXCEEDED, document("three", "{a: " + "x".repeat(200_001) + "}"));
        String many = IntStream.rangeClosed(0, 60)
                .mapToObj(i -> document("d" + i, "{}"))
                .collect(Collectors.joining("---\n"));
        assertRejectedAgain(ProblemCode.LIMIT_EXCEEDED, many);
    }

    @Test
    void shouldRejectMoreDocumentsThanAWorkspaceMayHave() {
        String many =
                IntStream.range(0, 59).mapToObj(i -> document("d" + i, "{}")).collect(Collectors.joining("---\n"));
        Problem problem = assertRejected(ProblemCode.LIMIT_EXCEEDED, many, "ce_type", PUT);
        assertThat(problem.message()).contains("60 documents");
        someState();
        assertThat(strake.send(workspace, many.substring(many.indexOf("---")), "ce_type", PUT)
                        .status())
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldRejectPartsThatDisagree() {
        assertThat(strake.send(workspace, document("a", "{}"), "ce_id", "x", "part", "1/2")
                        .status())
                .isEqualTo(OutcomeStatus.PENDING);
        String[][] disagreeing = {
            {"ce_id", "x", "part", "2/3"},
            {"ce_id", "x", "part", "1/1"},
            {"ce_id", "x"},
            {"ce_id", "x", "part", "2/2", "bucket", "other"}
        };
        for (String[] headers : disagreeing) {
            Map<String, Map<String, byte[]>> before = strake.dump();
            Outcome outcome = strake.send(workspace, document("b", "{}"), headers);
            assertThat(outcome.status()).as(String.join(" ", headers)).isEqualTo(OutcomeStatus.REJECTED);
            assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.INVALID_CHANGE);
            TopologyHarness.assertSameState(strake.dump(), before);
        }
        Outcome whole = strake.send(workspace, document("b", "{}"), "ce_id", "x", "part", "2/2");
        assertThat(whole.status()).isEqualTo(OutcomeStatus.FAILED); // the put removed the policy
        assertThat(whole.documents().total()).isEqualTo(2);
    }

    @Test
    void shouldRejectAChangeWhosePartsAreTooLargeAndForgetThem() {
        Map<String, Map<String, byte[]>> before = strake.dump();
        String part = "# " + "x".repeat(250_000);
        assertThat(strake.send(workspace, part, "ce_id", "x", "part", "1/3").status())
                .isEqualTo(OutcomeStatus.PENDING);
        Outcome outcome = strake.send(workspace, part, "ce_id", "x", "part", "2/3");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        TopologyHarness.assertSameState(strake.dump(), before);
    }

    @Test
    void shouldReportAWorkspaceWithoutPolicy() {
        Outcome outcome = strake.send(workspace, document("one", "{a: 1}"));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.LAYERING_POLICY_NOT_FOUND);
        assertThat(strake.problems()).containsKey(new ProblemKey(workspace, null).text());
        assertThat(Whole.problems(strake.queries(), workspace, 2).get(0).code())
                .isEqualTo(ProblemCode.LAYERING_POLICY_NOT_FOUND);
        strake.send(workspace, "{revision: 1}", "ce_type", "dev.strake.revision.rollback");
        assertThat(strake.problems()).doesNotContainKey(new ProblemKey(workspace, null).text());
    }

    static List<String> oddNames() {
        return List.of(
                "a|b", "|", "a\0b", "\0", "a\nb", " ", "%7C", "é\uD83D\uDE00", "..", "\uFEFFx", "x".repeat(1_024));
    }

    @ParameterizedTest
    @MethodSource("oddNames")
    void shouldKeepOddNamesApart(String name) {
        String quoted = JsonBytes.text(new Text(name));
        String odd = document(quoted, "{a: 1}").replace("layer: site", "layer: " + quoted);
        String policy = POLICY.replace("site]", "site, " + quoted + "]");
        Outcome outcome = strake.send(workspace, odd + "---\n" + policy, "ce_type", PUT);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        DocumentId id = new DocumentId("example/Thing/v1", name, name);
        assertThat(strake.rendered().keySet().stream()
                        .map(RenderedKey::of)
                        .filter(key -> key.workspace().equals(workspace))
                        .map(RenderedKey::document))
                .contains(id.key());
        String broken = odd.replace("\ndata:", "\n  substitutions: [" + substitution("nobody", ".", ".x") + "]\ndata:");
        assertThat(strake.send(workspace, broken, "ce_type", PUT).status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(strake.problems().keySet().stream().map(ProblemKey::of)).contains(new ProblemKey(workspace, id));
        assertThat(strake.delete(workspace, "default", List.of(id)).documents().removed())
                .isEqualTo(1);
        assertThat(Whole.documents(strake.queries(), workspace, 2))
                .anyMatch(document -> document.id().equals(id));
    }

    @Test
    void shouldRejectTooLongNames() {
        assertRejected(ProblemCode.INVALID_DOCUMENT_FORMAT, document("x".repeat(10_000), "{}"));
        assertRejectedAgain(
                ProblemCode.INVALID_DOCUMENT_FORMAT, document("x".repeat(63) + "\uD83D\uDE00".repeat(1_000), "{}"));
        String list = "[{schema: a/B/v1, name: " + "x".repeat(10_000) + "}]";
        assertRejectedAgain(ProblemCode.INVALID_CHANGE, list, "ce_type", "dev.strake.documents.delete");
    }

    /* Replaces KEY by a long key. Writes JSON, because YAML limits a key to 1,024 characters. */
    private static String withLongKey(String document, int length) {
        try {
            var tree = new DocumentReader(Limits.DEFAULT)
                    .readTrees(document.getBytes(StandardCharsets.UTF_8), TextFormat.YAML, "test")
                    .get(0)
                    .value();
            return JsonBytes.text(tree).replace("KEY", "k".repeat(length));
        } catch (UnreadableTextException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldBoundOutcomesHoweverLongKeysAndPathsAre() {
        for (String text : List.of(
                document("a", "{}") + "KEY: 1\n",
                document("a", "{}").replace("{layer: site}", "{layer: site, KEY: 1}"),
                document("a", "{}").replace("example/Thing/v1", "KEY"),
                document("a", "{}").replace("layer: site", "layer: site, parentSelector: {KEY: KEY}"),
                document("a", "{}", substitution("KEY", ".", ".a")),
                document("a", "{}", substitution("one", ".KEY", ".a")),
                document("a", "{}", substitution("one", ".a", "[KEY")),
                document("a", "{KEY: 1}", substitution("one", ".a", ".KEY.b.c")))) {
            Outcome outcome = strake.send(workspace, withLongKey(text, 60_000), "ce_type", PUT);
            assertThat(outcome.problems()).as(text).isNotEmpty();
            assertThat(OutcomeJson.write(outcome)).as(text).hasSizeLessThan(20_000);
        }
        String policy = withLongKey(POLICY.replace("site]", "KEY]"), 60_000);
        Outcome outcome = strake.send(workspace, policy, "ce_type", PUT);
        assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.INVALID_DOCUMENT_LAYER);
        assertThat(OutcomeJson.write(outcome)).hasSizeLessThan(20_000);
    }

    @Test
    void shouldLimitTheTotalSizeOfTagsOfARevision() {
        String data = "{a: " + "x".repeat(120_000) + "}";
        String tag = "dev.strake.revision.tag";
        assertThat(strake.send(workspace, "{revision: 1, tag: t, data: " + data + "}", "ce_type", tag)
                        .status())
                .isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(strake.send(workspace, "{revision: 1, tag: t, data: " + data + "}", "ce_type", tag)
                        .status())
                .isEqualTo(OutcomeStatus.UNCHANGED);
        strake.send(workspace, "{revision: 1, tag: u, data: " + data + "}", "ce_type", tag);
        assertRejected(ProblemCode.LIMIT_EXCEEDED, "{revision: 1, tag: v, data: " + data + "}", "ce_type", tag);
    }

    @Test
    void shouldLimitTheResultsOfValidationsInNumberAndSize() {
        String validation = "dev.strake.validation.put";
        String result = "{revision: 1, name: a, status: success, validator: {name: b, log: %s}}";
        for (int i = 0; i < 1_000; i++) {
            assertThat(strake.send(workspace, result.formatted("x"), "ce_type", validation)
                            .status())
                    .isEqualTo(OutcomeStatus.UNCHANGED);
        }
        assertThat(strake.send(workspace, result.formatted("x"), "ce_type", validation)
                        .problems())
                .extracting(Problem::code)
                .containsExactly(ProblemCode.LIMIT_EXCEEDED);
        assertRejected(ProblemCode.LIMIT_EXCEEDED, result.formatted("x".repeat(66_000)), "ce_type", validation);
    }

    @Test
    void shouldBoundTheCostOfATagHoweverManyARevisionHas() {
        String tag = "dev.strake.revision.tag";
        for (int i = 0; i < 1_000; i++) {
            assertThat(strake.send(workspace, "{revision: 1, tag: t" + i + "}", "ce_type", tag)
                            .status())
                    .isEqualTo(OutcomeStatus.UNCHANGED);
        }
        assertRejected(ProblemCode.LIMIT_EXCEEDED, "{revision: 1, tag: more}", "ce_type", tag);
        assertThat(strake.dump().get(RevisionsLayout.STORE).values())
                .as("what a change of a tag writes")
                .allSatisfy(entry -> assertThat(entry).hasSizeLessThan(300 << 10));
        assertThat(strake.send(workspace, "{revision: 1, tag: t7, data: {other: 1}}", "ce_type", tag)
                        .status())
                .as("no more of them")
                .isEqualTo(OutcomeStatus.UNCHANGED);
        strake.send(workspace, "{revision: 1, tag: t7}", "ce_type", "dev.strake.revision.untag");
        assertThat(strake.send(workspace, "{revision: 1, tag: more}", "ce_type", tag)
                        .status())
                .isEqualTo(OutcomeStatus.UNCHANGED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no name", "a|b", "ä", "a/b"})
    void shouldSkipRecordsWithoutAValidWorkspace(String key) {
        Map<String, Map<String, byte[]>> before = strake.dump();
        byte[] value = document("three", "{}").getBytes(StandardCharsets.UTF_8);
        assertThat(strake.send(key.getBytes(StandardCharsets.UTF_8), value, TopologyHarness.headers()))
                .isEmpty();
        assertThat(strake.send((byte[]) null, value, TopologyHarness.headers())).isEmpty();
        assertThat(strake.send("x".repeat(129).getBytes(StandardCharsets.UTF_8), value, TopologyHarness.headers()))
                .isEmpty();
        TopologyHarness.assertSameState(strake.dump(), before);
    }
}
