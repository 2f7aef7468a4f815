package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work is counted: a document or change that exceeds the limit is rejected, without affecting others. */
class EffortTest {

    private static final MapValue POLICY = policy("'top'");
    private static final String SOURCE = "'schema':'t/A/v1','name':'source'";

    /* Large lists, and work on them that fits the default limits, but not small ones. */
    private static final List<MapValue> HARD_WORK = List.of(
            POLICY,
            document("source", "{'one':1,'list':" + ones(3_000) + "}", ""),
            document("modest", "{}", "{'src':{" + SOURCE + ",'path':'.one'},'dest':{'path':'.a'}}"),
            document(
                    "writes",
                    "{'l':" + ones(3_000) + "}",
                    "{'src':{" + SOURCE + ",'path':'.one'},'dest':{'path':'.l[*]'}}"),
            document("reads", "{}", "{'src':{" + SOURCE + ",'path':'..nowhere'},'dest':{'path':'.a'}}"),
            Json.map("{'schema':'deckhand/DataSchema/v1','metadata':{'schema':'metadata/Control/v1','name':'t/B/v1'},"
                    + "'data':{'properties':{'l':{'items':{'type':'integer'}}}}}"),
            document("checked", "{'l':" + ones(3_000) + "}", "").with("schema", new Text("t/B/v1")),
            document("short", "{'l':[1,2]}", "").with("schema", new Text("t/B/v1")),
            document(
                    "dependent",
                    "{}",
                    "{'src':{'schema':'t/A/v1','name':'writes','path':'.l[0]'},'dest':{'path':'.a'}}"));

    @Test
    void shouldTellWhichWorkWasTooMuchAndRenderAllOthers() {
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
                .containsExactlyInAnyOrder("p", "t/B/v1", "source", "modest", "short");
    }

    @Test
    void shouldGiveTheSameAnswerAfterARestartAndWithWorkersSideBySide() {
        TestWorkspace workspace = new TestWorkspace(holdingDocuments(2_500));
        workspace.putBucket("b", HARD_WORK);
        List<Problem> problems = workspace.head().problems(100);
        assertThat(problems).hasSize(4);

        TestWorkspace reopened = workspace.reopened();
        reopened.put("b", document("source", "{'one':2,'list':" + ones(3_000) + "}", ""));
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
    void shouldHealAllDocumentsAtTheNextChangeOnceTheLimitIsRaised() {
        TestWorkspace workspace = new TestWorkspace(holdingDocuments(2_500));
        workspace.putBucket("b", HARD_WORK);
        TestWorkspace fresh = new TestWorkspace();
        fresh.putBucket("b", HARD_WORK);
        fresh.put("b", document("other", "{}", ""));

        TestWorkspace raised = workspace.reopened(holdingDocuments(RenderLimits.DEFAULT.effort()));
        Update update = raised.put("b", document("other", "{}", ""));

        assertThat(fresh.published().keySet()).extracting(DocumentKey::name).doesNotContain("reads");
        assertThat(raised.head().problems(100)).extracting(Problem::code).doesNotContain(ProblemCode.LIMIT_EXCEEDED);
        assertThat(raised.published().keySet())
                .extracting(DocumentKey::name)
                .contains("writes", "checked", "dependent", "other");
        assertThat(update.next().limits().effort()).isEqualTo(RenderLimits.DEFAULT.effort());
    }

    @Test
    void shouldWriteToAllItemsOfALongListInOnePass() {
        int items = 500_000;
        TestWorkspace workspace = new TestWorkspace();
        MapValue wide = document(
                "wide", "{'l':" + ones(items) + "}", "{'src':{" + SOURCE + ",'path':'.one'},'dest':{'path':'.l[*]'}}");

        Update update = workspace.putBucket("b", List.of(POLICY, document("source", "{'one':7}", ""), wide));

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
    void shouldUnderstandNumbersOfMillionsOfDigitsWithoutReadingThem() {
        String digits = "9".repeat(5_000_000);
        MapValue group =
                substituting("group", new Text("x"), MapValue.of("match_group", Num.ofLiteral(digits)), MapValue.EMPTY);
        MapValue depth = substituting("depth", null, MapValue.EMPTY, MapValue.of("depth", Num.ofLiteral(digits)));
        MapValue negative =
                substituting("negative", null, MapValue.EMPTY, MapValue.of("depth", Num.ofLiteral("-" + digits)));
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());

        workspace.putBucket("b", List.of(POLICY, document("source", "{'t':'xy'}", ""), group, depth));
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
        MapValue document = document(name, "{'in':{'in':['xy']}}", "");
        MapValue src = Json.map("{" + SOURCE + ",'path':'.t'}").updatedWith(source);
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
    void shouldTellAllDocumentsOfOneNameOfEachOtherInTimeInProportion() {
        assertProportional(number -> {
            TestWorkspace workspace = new TestWorkspace();
            Update update = workspace.putBucket("b", namesakes(number));
            assertThat(update.problems()).hasSize(number);
            return update.work().effort();
        });
    }

    /* Each of them is looked up by readers of the name, and by children of the replaced document. */
    @Test
    void shouldNotGoThroughACrowdForEachOfItsMembers() {
        List<MapValue> documents = new ArrayList<>(namesakes(10_000));
        documents.add(inLayer("l0", "reader", "").with("metadata", ((MapValue)
                document("reader", "{}", "{'src':{'schema':'t/A/v1','name':'same','path':'.'},'dest':{'path':'.a'}}")
                        .get("metadata"))));
        TestWorkspace workspace = new TestWorkspace();

        Update update = workspace.putBucket("b", documents);

        assertThat(update.problems()).hasSize(10_001);
    }

    @Test
    void shouldChooseAmongAllReplacementsOfOneParentInTimeInProportion() {
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
        MapValue target = document("target", "{'l':" + ones(3_000) + "}", "");
        MapValue operations = document(
                        "ops",
                        "{'target':{'schema':'t/A/v1','name':'target'},'operations':["
                                + "{'type':'replace','path':'/a?','value':1},{'type':'replace','path':'/l/0','value':2}]}",
                        "")
                .with("schema", new Text("strake/Operations/v1"));

        workspace.putBucket("b", List.of(POLICY, target, operations));

        assertThat(problem(workspace, "t/A/v1", "target")).satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.documentOfPath()).isEqualTo(id("strake/Operations/v1", "ops"));
            assertThat(problem.path()).isEqualTo(".data.operations[1]");
            assertThat(problem.message()).contains(": operation [1] ").contains("takes more than 2500 units");
        });
    }

    @Test
    void shouldRefuseAChangeThatTakesTooMuchAsAWhole() {
        TestWorkspace workspace = new TestWorkspace(changing(8_000));
        List<MapValue> family = new ArrayList<>(List.of(POLICY, document("source", "{'one':1}", "")));
        for (int i = 0; i < 100; i++) {
            family.add(document("c" + i, "{}", "{'src':{" + SOURCE + ",'path':'.one'},'dest':{'path':'.a'}}"));
        }
        workspace.putBucket("b", family);
        Workspace before = workspace.head();
        MapValue large = document("source", "{'one':'" + "x".repeat(3_000) + "'}", "");

        assertThatThrownBy(() -> workspace.put("b", large))
                .isInstanceOfSatisfying(ChangeEffort.ExceededException.class, e -> {
                    assertThat(e.toProblem().code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
                    assertThat(e.toProblem().message()).contains("more than 8000 steps");
                });

        assertThat(workspace.head()).isSameAs(before);
        assertThat(workspace.put("b", document("c1", "{'other':1}", "")).status())
                .isEqualTo(Update.Status.RENDERED);
        assertThat(workspace.reopened(changing(100 * 8_000)).put("b", large).emissions())
                .hasSize(100);
    }

    /* Every document has one label of such a combination, and none has all of them: there is no match. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'schema':'t/A/v1','metadata':{'layeringDefinition':{'layer':'below','parentSelector':{'x':1,'%1$s':1},"
                        + "'actions':[{'method':'merge','path':'.'}]},'schema':'metadata/Document/v1','storagePolicy':'cleartext','name':'%1$s'},'data':{}",
                "'schema':'strake/Operations/v1','metadata':{'layeringDefinition':{'layer':'top'},'schema':'metadata/Document/v1','storagePolicy':'cleartext',"
                        + "'name':'%1$s'},'data':{'target':{'schema':'t/A/v1','labels':{'x':1,'%1$s':1}},"
                        + "'operations':[{'type':'replace','path':'/a?','value':1}]}",
                "'schema':'strake/Collection/v1','metadata':{'layeringDefinition':{'layer':'top'},'schema':'metadata/Document/v1','storagePolicy':'cleartext',"
                        + "'name':'%1$s'},'data':{'schema':'t/A/v1','labels':{'x':1,'%1$s':1},'path':'.','into':{'schema':'t/Made/v1',"
                        + "'name':'%1$s'}}}"
            })
    void shouldRefuseAChangeThatComparesTooManyCombinationsOfLabels(String seeker) {
        TestWorkspace workspace = new TestWorkspace(changing(300_000));
        workspace.put("p", policy("'top','below'"));
        List<MapValue> seekers = IntStream.range(0, 300)
                .mapToObj(i -> Json.map("{" + seeker.formatted("z" + i) + "}"))
                .toList();
        workspace.put("b", seekers.toArray(MapValue[]::new));
        assertThat(workspace.head().problems(9)).isEmpty();

        workspace.put("b", carriers(20));

        assertThatThrownBy(() -> workspace.put("b", carriers(600))).isInstanceOf(ChangeEffort.ExceededException.class);
        assertThat(workspace.reopened().put("b", carriers(30)).status()).isEqualTo(Update.Status.RENDERED);
    }

    private static MapValue[] carriers(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> {
                    MapValue document = document("carrier-" + number + "-" + i, "{}", "");
                    return document.with(
                            "metadata", ((MapValue) document.get("metadata")).with("labels", Json.map("{'x':1}")));
                })
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
        List<MapValue> result = new ArrayList<>(List.of(policy(layers(number))));
        for (int i = 0; i < number; i++) {
            result.add(inLayer("l" + i, "same", ""));
        }
        return result;
    }

    private static List<MapValue> replacements(int number) {
        List<MapValue> result = new ArrayList<>(List.of(policy("'top'," + layers(number))));
        result.add(inLayer("top", "same", "").with("data", Json.value("{'a':1}")));
        for (int i = 0; i < number; i++) {
            result.add(inLayer(
                    "l" + i, "same", ",'parentSelector':{'of':'same'},'actions':[{'method':'merge','path':'.'}]"));
        }
        return result;
    }

    private static String layers(int number) {
        return IntStream.range(0, number).mapToObj(i -> "'l" + i + "'").collect(Collectors.joining(","));
    }

    private static MapValue inLayer(String layer, String name, String selector) {
        String replacement = selector.isEmpty() ? "'labels':{'of':'same'}" : "'replacement':true";
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext'," + replacement + ",'layeringDefinition':{'layer':'" + layer + "'"
                + selector + "}},'data':{}}");
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

    private static MapValue policy(String layers) {
        return Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                + "'data':{'layerOrder':[" + layers + "]}}");
    }

    private static MapValue document(String name, String data, String substitutions) {
        return Json.map("{'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'" + name
                + "','storagePolicy':'cleartext','layeringDefinition':{'layer':'top'},'substitutions':[" + substitutions
                + "]},'data':" + data + "}");
    }
}
