package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Thousands of small documents that could be compared pairwise, or each with a chain of thousands. The engine either
 * makes one comparison for all of them, or counts the work and rejects the change.
 */
class CrowdsAndChainsTest {

    /* It took 76 s when children and readers followed the chain one by one. */
    @Test
    void shouldFollowAChainOfReplacementsOnceForAllReferences() {
        int number = 1_500;
        List<MapValue> documents = new ArrayList<>(List.of(layers(number + 2)));
        documents.add(document("t/A/v1", "same").in("l0").labels("{'s':'0'}").data("{'a':0}"));
        documents.addAll(each(number, i -> replacement(i + 1, i + 1)));
        String last = "l" + (number + 1);
        documents.addAll(each(number, i -> seeker(last, "child" + i, "'s':'0'", "{'b':1}")));
        documents.addAll(each(number, i -> reader(i, "child" + i, ".a")));
        TestWorkspace workspace = new TestWorkspace();

        workspace.putBucket("b", documents);
        Update update = workspace.put("b", replacement(number, 77));

        assertThat(update.emissions()).hasSize(2 * number);
        assertThat(dataOf(workspace, "t/A/v1", "child7")).isEqualTo(Json.map("{'a':77,'b':1}"));
        assertThat(dataOf(workspace, "t/B/v1", "reader9")).isEqualTo(Json.map("{'a':77}"));
    }

    private static MapValue replacement(int layer, int value) {
        return document("t/A/v1", "same")
                .in("l" + layer)
                .isAbstract()
                .isReplacement()
                .labels("{'s':'" + layer + "'}")
                .over("{'s':'" + (layer - 1) + "'}")
                .data("{'a':" + value + "}");
    }

    /* Abstract documents that inherit a target have no effect. They were scanned again for each target: 36 s. */
    @Test
    void shouldScanDocumentsThatInheritATargetOnce() {
        int number = 8_000;
        TestWorkspace workspace = new TestWorkspace();
        List<MapValue> operations = new ArrayList<>(List.of(layers(3)));
        operations.add(operations(
                document("strake/Operations/v1", "owner").in("l0").isAbstract().labels("{'o':'1'}"),
                labels("'x':'1'")));
        operations.addAll(each(number, i -> {
            TestDocument heir =
                    document("strake/Operations/v1", "heir" + i).in("l1").over("{'o':'1'}");
            return (i == 0 ? heir : heir.isAbstract()).data("{}");
        }));
        workspace.putBucket("b", operations);

        workspace.putBucket("c", carriers("t/A/v1", "'x':'1'", number));

        assertThat(dataOf(workspace, "t/A/v1", "t/A/v1-7")).isEqualTo(Json.map("{'a':1}"));
    }

    /* All matches of all selectors were in memory at once: 4 GB for 10,000 selectors and 10,000 documents. */
    @Test
    void shouldOpenAWorkspaceWhoseManySelectorsMatchManyDocuments() {
        TestWorkspace workspace = new TestWorkspace();
        workspace.put("p", layers(2));
        workspace.putBucket("b", carriers("t/A/v1", "'x':'1'", 3_000));
        workspace.putBucket("c", each(3_000, i -> seeker("child" + i, "'x':'1','y" + i + "':null")));

        TestWorkspace opened = workspace.reopened();

        assertThat(opened.head().problems(3_000))
                .hasSize(3_000)
                .isEqualTo(workspace.head().problems(3_000));
    }

    @Test
    void shouldFindAParentWithSeveralNullLabelsOnce() {
        TestWorkspace workspace = new TestWorkspace();
        workspace.put("p", layers(2));
        workspace.putBucket("b", carriers("t/A/v1", "'a':null,'b':null", 1));

        workspace.put("c", seeker("child", "'a':null,'b':null"));

        assertThat(workspace.head().problems(9)).isEmpty();
        assertThat(workspace.head().graph().parent(new DocumentId("t/A/v1", "l1", "child")))
                .isEqualTo(new DocumentId("t/A/v1", "l0", "t/A/v1-0"));
    }

    private static MapValue seeker(String name, String selector) {
        return seeker("l1", name, selector, "{}");
    }

    private static MapValue seeker(String layer, String name, String selector, String data) {
        return document("t/A/v1", name).in(layer).over("{" + selector + "}").data(data);
    }

    @Test
    void shouldInheritATargetOverAnyNumberOfLayers() {
        int number = 150;
        TestWorkspace workspace = new TestWorkspace();
        List<MapValue> documents = new ArrayList<>(List.of(layers(number)));
        documents.addAll(each(number, i -> {
            TestDocument operations =
                    document("strake/Operations/v1", "o" + i).in("l" + i).labels("{'s':'" + i + "'}");
            String target = i == 0 ? "'target':{'schema':'t/A/v1','labels':{'x':'1'}}," : "";
            return (i == 0 ? operations : operations.over("{'s':'" + (i - 1) + "'}"))
                    .data("{" + target + "'operations':[{'type':'replace','path':'/a" + i + "?','value':1}]}");
        }));
        documents.addAll(carriers("t/A/v1", "'x':'1'", 1));

        workspace.putBucket("b", documents);

        assertThat(dataOf(workspace, "t/A/v1", "t/A/v1-0").keys())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, number).mapToObj(i -> "a" + i).toList());
    }

    @Test
    void shouldScanOnlyTheSchemaOfTargetsIfItIsRare() {
        TestWorkspace workspace = new TestWorkspace(changing(100_000));
        workspace.put("p", layers(2));
        workspace.putBucket("b", carriers("t/A/v1", "'x':'1'", 1_000));
        workspace.putBucket("c", carriers("t/Rare/v1", "'x':'1'", 1));

        workspace.putBucket("d", manyOperations(300, "t/Rare/v1"));

        assertThat(dataOf(workspace, "t/Rare/v1", "t/Rare/v1-0")).isEqualTo(Json.map("{'a':1}"));
        assertThat(dataOf(workspace, "t/A/v1", "t/A/v1-0")).isEqualTo(MapValue.EMPTY);
    }

    @Test
    void shouldRejectAChangeWithTooManyVainSearchesForTargets() {
        TestWorkspace workspace = new TestWorkspace(changing(1_500_000));
        workspace.put("p", layers(2));
        workspace.putBucket("b", carriers("t/A/v1", "'x':'1','w':'1'", 1_000));
        workspace.putBucket("c", carriers("t/B/v1", "'y':'1'", 1_000));

        assertThatThrownBy(() -> workspace.putBucket("d", differentOperations(300)))
                .isInstanceOf(ChangeEffort.ExceededException.class);
        assertThat(workspace.putBucket("d", differentOperations(30)).status()).isEqualTo(Update.Status.RENDERED);
    }

    /* 400 collections and 30,000 documents with each of two labels took 12 s, and counted as 1.4 s. */
    @Test
    void shouldRejectAChangeWithTooManyVainSearchesForMembersOfCollections() {
        TestWorkspace workspace = new TestWorkspace(changing(1_500_000));
        workspace.put("p", layers(2));
        workspace.putBucket("b", carriers("t/A/v1", "'x':'1'", 1_000));
        workspace.putBucket(
                "c",
                each(
                        1_000,
                        i -> document("t/A/v1", "other" + i)
                                .in("l0")
                                .labels("{'y':'1'}")
                                .data("{}")));

        assertThatThrownBy(() -> workspace.putBucket("d", collections(300)))
                .isInstanceOf(ChangeEffort.ExceededException.class);
        assertThat(workspace.putBucket("d", collections(30)).status()).isEqualTo(Update.Status.RENDERED);
    }

    private static List<MapValue> collections(int number) {
        String members = "{'schema':'t/A/v1','labels':{'x':'1','y':'1'},'into':{'schema':'t/Made/v1','name':'m%d'}}";
        return each(
                number, i -> document("strake/Collection/v1", "c" + i).in("l0").data(members.formatted(i)));
    }

    /* Each scans a thousand documents with a label, and finds none of its schema; the next has another label. */
    private static List<MapValue> differentOperations(int number) {
        return each(
                number,
                i -> operations("o" + i, "'schema':'t/B/v1','labels':{'" + (i % 2 == 0 ? 'x' : 'w') + "':'1'}"));
    }

    /* A parent of other documents is not itself part of the change. */
    @Test
    void shouldCountTheSearchForOperationsOnTheParentForEachChild() {
        TestWorkspace workspace = new TestWorkspace();
        workspace.put("p", layers(2));
        workspace.put(
                "p", document("t/A/v1", "parent").in("l0").labels("{'k7':'1'}").data("{}"));
        workspace.putBucket("c", children(100, 1));
        long without = workspace.putBucket("c", children(100, 2)).work().effort();
        workspace.putBucket("d", each(300, i -> operations("o" + i, labels("'k7':'1','m" + i + "':'1'"))));

        long with = workspace.putBucket("c", children(100, 3)).work().effort();

        assertThat(with - without).isGreaterThan(100 * 300);
    }

    private static List<MapValue> children(int number, int value) {
        return each(number, i -> seeker("l1", "child" + i, "'k7':'1'", "{'b':" + value + "}"));
    }

    @Test
    void shouldRejectOperationsWithTooManyNamesInTheirTargets() {
        TestWorkspace workspace = new TestWorkspace();
        workspace.put("p", layers(2));
        workspace.putBucket("b", each(500, i -> operations("o" + i, labels("'k" + i + "':'1'"))));

        assertThatThrownBy(() -> workspace.put("c", operations("more", labels("'more':'1'"))))
                .isInstanceOfSatisfying(
                        ChangeEffort.ExceededException.class,
                        e -> assertThat(e.toProblem().message())
                                .isEqualTo(
                                        "the targets of all operations in the workspace would use label names in too many"
                                                + " combinations, with more than 1000 names in total"));

        workspace.putBucket("c", each(900, i -> operations("v" + i, labels("'k1':'" + i + "'"))));
        workspace.put(
                "p", document("t/A/v1", "target").in("l0").labels("{'k1':'7'}").data("{}"));
        assertThat(dataOf(workspace, "t/A/v1", "target")).isEqualTo(Json.map("{'a':1}"));
    }

    @Test
    void shouldRejectAChangeThatFollowsTooManyDependencies() {
        TestWorkspace workspace = new TestWorkspace(changing(50_000_000));
        workspace.put("p", layers(2));
        workspace.putBucket("b", carriers("t/A/v1", "'x':'1'", 4_000));
        Workspace before = workspace.head();

        assertThatThrownBy(() -> workspace.putBucket("d", manyOperations(251, "t/A/v1")))
                .isInstanceOfSatisfying(
                        ChangeEffort.ExceededException.class,
                        e -> assertThat(e.toProblem().message()).contains("more than 50000000 steps"));

        assertThat(workspace.head()).isSameAs(before);
    }

    /* Each of them traversed the whole cycle. */
    @Test
    void shouldReportALongCycleInOneTraversal() {
        int number = 10_000;
        TestWorkspace workspace = new TestWorkspace();
        workspace.put("p", layers(2));
        List<MapValue> members = each(
                number,
                i -> document("t/A/v1", "m" + i)
                        .in("l0")
                        .taking("t/A/v1", "m" + (i + 1) % number, ".", ".a")
                        .data("{}"));

        Update update = workspace.putBucket("b", members);

        assertThat(update.problems()).hasSize(number);
    }

    /* Each small change compared all held records, and sorted all trouble: 330 ms for 100,000 documents. */
    @Test
    void shouldDoNoMoreForASmallChangeWhileManyDocumentsAreInTrouble() {
        for (Renderer renderer : List.of(Renderer.holdingRevisions(), Renderer.holdingDocuments())) {
            TestWorkspace workspace = new TestWorkspace(renderer);
            workspace.put("p", layers(2));
            workspace.putBucket("b", each(10_000, i -> reader(i, "missing", ".")));
            assertThat(workspace.head().problems(7)).hasSize(7);

            for (int i = 0; i < 200; i++) {
                workspace.put("c", document("t/C/v1", "small").in("l0").data("{'a':" + i + "}"));
                assertThat(workspace.head().problems(7)).hasSize(7);
            }

            Update healed =
                    workspace.put("d", document("t/A/v1", "missing").in("l0").data("{}"));
            assertThat(healed.emissions().size()).isGreaterThanOrEqualTo(10_001);
            assertThat(workspace.published()).hasSize(10_003);
            assertThat(dataOf(workspace, "t/C/v1", "small")).isEqualTo(Json.map("{'a':199}"));
        }
    }

    private static MapValue reader(int number, String source, String path) {
        return document("t/B/v1", "reader" + number)
                .in("l0")
                .taking("t/A/v1", source, path, ".a")
                .data("{}");
    }

    /* Each of them searched for all others: 41 s. */
    @Test
    void shouldReportAllOwnersOfOneDerivedDocumentInOnePass() {
        TestWorkspace workspace = new TestWorkspace();
        workspace.put("p", layers(2));
        String made = "{'schema':'t/A/v1','into':{'schema':'t/Made/v1','name':'same'}}";
        List<MapValue> owners = each(
                8_000, i -> document("strake/Collection/v1", "o" + i).in("l0").data(made));

        Update update = workspace.putBucket("b", owners);

        assertThat(update.problems()).hasSize(8_000);
    }

    private static List<MapValue> manyOperations(int number, String schema) {
        return each(number, i -> operations("o" + i, "'schema':'" + schema + "','labels':{'x':'1'}"));
    }

    private static String labels(String labels) {
        return "'schema':'t/A/v1','labels':{" + labels + "}";
    }

    private static MapValue operations(String name, String target) {
        return operations(document("strake/Operations/v1", name).in("l0"), target);
    }

    private static MapValue operations(TestDocument document, String target) {
        return document.data("{'target':{" + target + "},'operations':[{'type':'replace','path':'/a?','value':1}]}");
    }

    private static List<MapValue> carriers(String schema, String labels, int number) {
        return each(
                number,
                i -> document(schema, schema + "-" + i)
                        .in("l0")
                        .labels("{" + labels + "}")
                        .data("{}"));
    }

    private static List<MapValue> each(int number, IntFunction<MapValue> document) {
        return IntStream.range(0, number).mapToObj(document).toList();
    }

    private static MapValue layers(int number) {
        return TestDocument.layers(
                IntStream.range(0, number).mapToObj(i -> "l" + i).toArray(String[]::new));
    }

    private static MapValue dataOf(TestWorkspace workspace, String schema, String name) {
        return (MapValue)
                workspace.published().get(new DocumentKey(schema, name)).get("data");
    }

    private static Renderer changing(long effort) {
        RenderLimits all = RenderLimits.DEFAULT;
        RenderLimits limits = new RenderLimits(all.bytes(), all.depth(), all.padding(), all.effort(), effort);
        return new Renderer(false, limits, new DataSchemas());
    }
}
