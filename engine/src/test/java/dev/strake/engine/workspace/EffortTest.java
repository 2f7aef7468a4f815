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
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.DataSchemas;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Workers;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work is counted: a document or change that exceeds the limit is rejected, without affecting others. */
class EffortTest {

    private static final MapValue POLICY = TestDocument.layers("top");

    /* Large lists, and work on them that fits the default limits, but not small ones. */
    private static final List<MapValue> HARD_WORK = List.of(
            POLICY,
            top("source").data("{'one':1,'list':" + ones(3_000) + "}"),
            taking("modest", ".one", ".a").data("{}"),
            taking("writes", ".one", ".l[*]").data("{'l':" + ones(3_000) + "}"),
            taking("reads", "..nowhere", ".a").data("{}"),
            TestDocument.dataSchema("t/B/v1", "{'properties':{'l':{'items':{'type':'integer'}}}}"),
            document("t/B/v1", "checked").in("top").data("{'l':" + ones(3_000) + "}"),
            document("t/B/v1", "short").in("top").data("{'l':[1,2]}"),
            top("dependent").taking("t/A/v1", "writes", ".l[0]", ".a").data("{}"));

    @Test
    void shouldNameTheExceededLimitAndRenderAllOtherDocuments() {
        TestWorkspace workspace = new TestWorkspace(holdingDocuments(2_500));

        assertThat(workspace.putBucket("b", HARD_WORK).status()).isEqualTo(Update.Status.PARTIAL);

        assertThat(problem(workspace, "t/A/v1", "writes")).satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.path()).isEqualTo(".metadata.substitutions[0].dest[0]");
            assertThat(problem.message()).contains("rendering the document takes more than 2500 units");
        });
        assertThat(problem(workspace, "t/A/v1", "reads")).satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.path()).isEqualTo(".metadata.substitutions");
            assertThat(problem.message()).contains("reading the sources takes more");
        });
        assertThat(problem(workspace, "t/B/v1", "checked")).satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.path()).isEqualTo(".data");
            assertThat(problem.message()).contains("checking the data takes more");
            assertThat(problem.related()).containsExactly(new DocumentId("deckhand/DataSchema/v1", "", "t/B/v1"));
        });
        assertThat(problem(workspace, "t/A/v1", "dependent").related()).containsExactly(id("t/A/v1", "writes"));
        assertThat(workspace.published().keySet())
                .extracting(DocumentKey::name)
                .containsExactlyInAnyOrder("policy", "t/B/v1", "source", "modest", "short");
    }

    @Test
    void shouldGiveTheSameAnswerAfterARestartAndWithWorkersSideBySide() {
        TestWorkspace workspace = new TestWorkspace(holdingDocuments(2_500));
        workspace.putBucket("b", HARD_WORK);
        List<Problem> problems = workspace.head().problems(100);
        assertThat(problems).hasSize(4);

        TestWorkspace reopened = workspace.reopened();
        reopened.put("b", top("source").data("{'one':2,'list':" + ones(3_000) + "}"));
        TestWorkspace together = new TestWorkspace(holdingDocuments(2_500).with(SIDE_BY_SIDE));
        Update update = together.putBucket("b", HARD_WORK);

        assertThat(reopened.head().problems(100)).isEqualTo(problems);
        assertThat(together.head().problems(100)).isEqualTo(problems);
        assertThat(update.work().effort())
                .isEqualTo(new TestWorkspace(holdingDocuments(2_500))
                        .putBucket("b", HARD_WORK)
                        .work()
                        .effort());
    }

    @Test
    void shouldRenderAllDocumentsWithTheNextChangeOnceTheLimitIsRaised() {
        TestWorkspace workspace = new TestWorkspace(holdingDocuments(2_500));
        workspace.putBucket("b", HARD_WORK);
        TestWorkspace fresh = new TestWorkspace();
        fresh.putBucket("b", HARD_WORK);
        fresh.put("b", top("other").data("{}"));

        TestWorkspace raised = workspace.reopened(holdingDocuments(RenderLimits.DEFAULT.effort()));
        Update update = raised.put("b", top("other").data("{}"));

        assertThat(fresh.published().keySet()).extracting(DocumentKey::name).doesNotContain("reads");
        assertThat(raised.head().problems(100)).extracting(Problem::code).doesNotContain(ProblemCode.LIMIT_EXCEEDED);
        assertThat(raised.published().keySet())
                .extracting(DocumentKey::name)
                .contains("writes", "checked", "dependent", "other");
        assertThat(update.next().limits().effort()).isEqualTo(RenderLimits.DEFAULT.effort());
    }

    @Test
    void shouldWriteAllItemsOfALongListInOnePass() {
        int items = 500_000;
        TestWorkspace workspace = new TestWorkspace();
        MapValue wide = taking("wide", ".one", ".l[*]").data("{'l':" + ones(items) + "}");

        Update update = workspace.putBucket("b", List.of(POLICY, top("source").data("{'one':7}"), wide));

        assertThat(update.status()).isEqualTo(Update.Status.RENDERED);
        MapValue data = (MapValue)
                workspace.published().get(new DocumentKey("t/A/v1", "wide")).get("data");
        Value[] sevens = new Value[items];
        Arrays.fill(sevens, Num.of(7));
        assertThat(data.get("l")).isEqualTo(ListValue.of(sevens));
        assertThat(update.work().effort()).isBetween((long) items, 10L * items);
    }

    /* Converting so many digits into a number takes minutes in any implementation. */
    @Test
    void shouldHandleNumbersWithMillionsOfDigitsWithoutConvertingThem() {
        String digits = "9".repeat(5_000_000);
        MapValue group =
                substituting("group", new Text("x"), MapValue.of("match_group", Num.ofLiteral(digits)), MapValue.EMPTY);
        MapValue depth = substituting("depth", null, MapValue.EMPTY, MapValue.of("depth", Num.ofLiteral(digits)));
        MapValue negative =
                substituting("negative", null, MapValue.EMPTY, MapValue.of("depth", Num.ofLiteral("-" + digits)));
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

        workspace.putBucket("b", List.of(POLICY, top("source").data("{'t':'xy'}"), group, depth));
        assertThatThrownBy(() -> workspace.put("b", negative))
                .isInstanceOfSatisfying(
                        TestWorkspace.RejectedException.class,
                        e -> assertThat(e.problems())
                                .singleElement()
                                .satisfies(problem -> assertThat(problem.path())
                                        .isEqualTo(".metadata.substitutions[0].dest.recurse.depth")));

        assertThat(workspace.head().problems(9)).singleElement().satisfies(problem -> {
            assertThat(problem.document().name()).isEqualTo("group");
            assertThat(problem.code()).isEqualTo(ProblemCode.UNKNOWN_SUBSTITUTION_ERROR);
            assertThat(problem.message()).contains("the pattern has no group " + Integer.MAX_VALUE);
        });
        assertThat(workspace.published().get(new DocumentKey("t/A/v1", "depth")).get("data"))
                .isEqualTo(Json.value("{'in':{'in':['xyy']}}"));
    }

    /* Numbers that exceed the limit of the parser for test data. */
    private static MapValue substituting(String name, Value pattern, MapValue source, MapValue recurse) {
        MapValue document = top(name).data("{'in':{'in':['xy']}}");
        MapValue src =
                Json.map("{'schema':'t/A/v1','name':'source','path':'.t'}").updatedWith(source);
        MapValue dest = Json.map("{'path':'.in'}");
        if (pattern != null) {
            src = src.with("pattern", pattern);
        } else {
            dest = dest.with("pattern", new Text("x")).with("recurse", recurse);
        }
        Value substitution =
                MapValue.builder().put("src", src).put("dest", dest).build();
        MapValue metadata = ((MapValue) document.get("metadata")).with("substitutions", ListValue.of(substitution));
        return document.with("metadata", metadata);
    }

    @Test
    void shouldReportManyNamesakesInLinearTime() {
        assertProportional(number -> {
            TestWorkspace workspace = new TestWorkspace();
            Update update = workspace.putBucket("b", namesakes(number));
            assertThat(update.problems()).hasSize(number);
            return update.work().effort();
        });
    }

    /* Each of them is looked up by readers of the name, and by children of the replaced document. */
    @Test
    void shouldNotScanAllNamesakesForEachNamesake() {
        List<MapValue> documents = new ArrayList<>(namesakes(10_000));
        documents.add(document("t/A/v1", "reader")
                .in("l0")
                .taking("t/A/v1", "same", ".", ".a")
                .data("{}"));
        TestWorkspace workspace = new TestWorkspace();

        Update update = workspace.putBucket("b", documents);

        assertThat(update.problems()).hasSize(10_001);
    }

    @Test
    void shouldChooseAmongManyReplacementsInLinearTime() {
        assertProportional(number -> {
            TestWorkspace workspace = new TestWorkspace();
            Update update = workspace.putBucket("b", replacements(number));
            assertThat(update.warnings()).hasSize(number - 1);
            return update.work().effort();
        });
    }

    @Test
    void shouldPointAtTheOperationThatTakesTooMuch() {
        TestWorkspace workspace = new TestWorkspace(holdingDocuments(2_500));
        MapValue target = top("target").data("{'l':" + ones(3_000) + "}");
        MapValue operations = document("strake/Operations/v1", "ops")
                .in("top")
                .data("{'target':{'schema':'t/A/v1','name':'target'},'operations':["
                        + "{'type':'replace','path':'/a?','value':1},{'type':'replace','path':'/l/0','value':2}]}");

        workspace.putBucket("b", List.of(POLICY, target, operations));

        assertThat(problem(workspace, "t/A/v1", "target")).satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.documentOfPath()).isEqualTo(id("strake/Operations/v1", "ops"));
            assertThat(problem.path()).isEqualTo(".data.operations[1]");
            assertThat(problem.message()).contains(": operation [1] ").contains("takes more than 2500 units");
        });
    }

    @Test
    void shouldRejectAChangeThatTakesTooMuchWorkInTotal() {
        TestWorkspace workspace = new TestWorkspace(changing(8_000));
        List<MapValue> family = new ArrayList<>(List.of(POLICY, top("source").data("{'one':1}")));
        for (int i = 0; i < 100; i++) {
            family.add(taking("c" + i, ".one", ".a").data("{}"));
        }
        workspace.putBucket("b", family);
        Workspace before = workspace.head();
        MapValue large = top("source").data("{'one':'" + "x".repeat(3_000) + "'}");

        assertThatThrownBy(() -> workspace.put("b", large))
                .isInstanceOfSatisfying(ChangeEffort.ExceededException.class, e -> {
                    assertThat(e.toProblem().code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
                    assertThat(e.toProblem().message()).contains("more than 8000 steps");
                });

        assertThat(workspace.head()).isSameAs(before);
        assertThat(workspace.put("b", top("c1").data("{'other':1}")).status()).isEqualTo(Update.Status.RENDERED);
        assertThat(workspace.reopened(changing(100 * 8_000)).put("b", large).emissions())
                .hasSize(100);
    }

    /* Every document has one label of such a combination, and none has all of them: there is no match. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'schema':'t/A/v1','metadata':{'layeringDefinition':{'layer':'below','parentSelector':{'x':1,'%1$s':1},"
                        + "'actions':[{'method':'merge','path':'.'}]},'name':'%1$s'},'data':{}}",
                "{'schema':'strake/Operations/v1','metadata':{'layeringDefinition':{'layer':'top'},'name':'%1$s'},"
                        + "'data':{'target':{'schema':'t/A/v1','labels':{'x':1,'%1$s':1}},'operations':[]}}",
                "{'schema':'strake/Collection/v1','metadata':{'layeringDefinition':{'layer':'top'},'name':'%1$s'},"
                        + "'data':{'schema':'t/A/v1','labels':{'x':1,'%1$s':1},'into':{'schema':'t/Made/v1','name':'%1$s'}}}"
            })
    void shouldRejectAChangeThatComparesTooManyLabels(String seeker) {
        TestWorkspace workspace = new TestWorkspace(changing(300_000));
        workspace.put("p", TestDocument.layers("top", "below"));
        List<MapValue> seekers = IntStream.range(0, 300)
                .mapToObj(i -> Json.map(seeker.formatted("z" + i)))
                .toList();
        workspace.put("b", seekers.toArray(MapValue[]::new));
        assertThat(workspace.head().problems(9)).isEmpty();

        workspace.put("b", carriers(20));

        assertThatThrownBy(() -> workspace.put("b", carriers(600))).isInstanceOf(ChangeEffort.ExceededException.class);
        assertThat(workspace.reopened().put("b", carriers(30)).status()).isEqualTo(Update.Status.RENDERED);
    }

    private static MapValue[] carriers(int number) {
        return IntStream.range(0, number)
                .mapToObj(i ->
                        top("carrier-" + number + "-" + i).labels("{'x':1}").data("{}"))
                .toArray(MapValue[]::new);
    }

    /* The cost of a change must be proportional to its documents: twice as many must not cost four times as much. */
    private static void assertProportional(Function<Integer, Long> effort) {
        long once = effort.apply(2_500);
        long twice = effort.apply(5_000);
        assertThat(once).isGreaterThan(2_500);
        assertThat(twice).isLessThan(once * 5 / 2);
    }

    private static List<MapValue> namesakes(int number) {
        List<MapValue> result = new ArrayList<>(List.of(TestDocument.layers(layers(number))));
        for (String layer : layers(number)) {
            result.add(same(layer).labels("{'of':'same'}").data("{}"));
        }
        return result;
    }

    private static List<MapValue> replacements(int number) {
        String[] layers = layers(number + 1);
        List<MapValue> result = new ArrayList<>(List.of(TestDocument.layers(layers)));
        result.add(same(layers[0]).labels("{'of':'same'}").data("{'a':1}"));
        for (int i = 1; i <= number; i++) {
            result.add(same(layers[i]).isReplacement().over("{'of':'same'}").data("{}"));
        }
        return result;
    }

    private static TestDocument same(String layer) {
        return document("t/A/v1", "same").in(layer);
    }

    private static String[] layers(int number) {
        return IntStream.range(0, number).mapToObj(i -> "l" + i).toArray(String[]::new);
    }

    private static final Workers SIDE_BY_SIDE = new Workers() {
        @Override
        public <T, R> List<R> each(List<T> items, Function<T, R> work) {
            return items.parallelStream().map(work).toList();
        }
    };

    private static Renderer holdingDocuments(long effort) {
        RenderLimits all = RenderLimits.DEFAULT;
        RenderLimits limits = new RenderLimits(all.bytes(), all.depth(), all.padding(), effort, all.changeEffort());
        return new Renderer(true, limits, new DataSchemas());
    }

    private static Renderer changing(long effort) {
        RenderLimits all = RenderLimits.DEFAULT;
        RenderLimits limits = new RenderLimits(all.bytes(), all.depth(), all.padding(), all.effort(), effort);
        return new Renderer(false, limits, new DataSchemas());
    }

    private static Problem problem(TestWorkspace workspace, String schema, String name) {
        return workspace.head().evaluation(id(schema, name)).problem();
    }

    private static DocumentId id(String schema, String name) {
        return new DocumentId(schema, "top", name);
    }

    private static String ones(int number) {
        return "[1" + ",1".repeat(number - 1) + "]";
    }

    private static TestDocument top(String name) {
        return document("t/A/v1", name).in("top");
    }

    private static TestDocument taking(String name, String path, String destination) {
        return top(name).taking("t/A/v1", "source", path, destination);
    }
}
