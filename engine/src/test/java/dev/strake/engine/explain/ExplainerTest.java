package dev.strake.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Explanations that a reader can verify by hand: all causes of a place of {@code leaf}, the winner last. */
class ExplainerTest {

    private static final DocumentId LEAF = new DocumentId("t/A/v1", "site", "leaf");

    private final TestWorkspace workspace = new TestWorkspace();
    private Explainer explainer;

    private void publish(MapValue... documents) {
        MapValue policy = TestDocument.layers("global", "region", "site");
        workspace.put(
                "b", Stream.concat(Stream.of(policy), Arrays.stream(documents)).toArray(MapValue[]::new));
        explainer = new Explainer(workspace.head().graph(), workspace, new ChangeEffort(10_000_000), bytes -> {});
    }

    private List<String> chain(String path) {
        return chain(explainer.explain(LEAF, place(path)));
    }

    /* The explanation of the source follows its cause in brackets. */
    private static List<String> chain(Explanation explanation) {
        List<String> chain = new ArrayList<>();
        for (Cause cause : explanation.causes()) {
            if (cause instanceof Cause.Inherited inherited) {
                chain.addAll(chain(inherited.from()));
            } else {
                chain.add(describe(cause));
            }
        }
        return chain;
    }

    private static String describe(Cause cause) {
        String value = cause.value() == null ? "nothing" : Json.text(cause.value());
        String by = cause.document().name() + " ";
        if (cause instanceof Cause.Own own) {
            return by + own.place() + " = " + value;
        }
        if (cause instanceof Cause.Layered layered) {
            String from = layered.inData() == null ? "" : " from " + Cause.inDocument(layered.inData());
            return by + "action " + layered.number() + from + " = " + value;
        }
        if (cause instanceof Cause.Substituted substituted) {
            return by + "substitution " + substituted.asked().number() + " of " + Json.text(substituted.picked())
                    + " = " + value + from(substituted.from());
        }
        Cause.Operated operated = (Cause.Operated) cause;
        return by + operated.type() + " " + operated.number() + " = " + value + from(operated.from());
    }

    private static String from(Explanation from) {
        return from == null ? "" : " " + from.document().name() + from.place() + " " + chain(from);
    }

    private static Place place(String path) {
        try {
            return Path.place(path);
        } catch (PathSyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static MapValue top(String data) {
        return document("top").in("global").labels("{'is':'top'}").data(data);
    }

    private static MapValue leaf(String actions, String data) {
        return document("leaf").over("{'is':'top'}", "[" + actions + "]").data(data);
    }

    private static MapValue leaf(String data) {
        return document("leaf").data(data);
    }

    private static TestDocument leafTaking(String path, String destination) {
        return document("leaf").taking("t/A/v1", "source", path, destination);
    }

    private static MapValue source(String data) {
        return document("source").in("global").data(data);
    }

    private static String action(String method, String path) {
        return "{'method':'" + method + "','path':'" + path + "'}";
    }

    private static MapValue operations(String items) {
        return TestDocument.document("strake/Operations/v1", "ops")
                .data("{'target':{'schema':'t/A/v1','name':'leaf'},'operations':[" + items + "]}");
    }

    private static TestDocument document(String name) {
        return TestDocument.document("t/A/v1", name);
    }

    @Test
    void shouldNameTheLastOfTwoActionsThatWriteAPlace() {
        publish(
                top("{'s':{'a':1}}"),
                leaf(action("replace", ".s") + "," + action("merge", "."), "{'s':{'a':2,'f':false}}"));

        assertThat(chain(".s.a"))
                .containsExactly(
                        "top .data.s.a = 1", "leaf action 0 from .data.s.a = 2", "leaf action 1 from .data.s.a = 2");
        assertThat(chain(".s.f"))
                .containsExactly("leaf action 0 from .data.s.f = false", "leaf action 1 from .data.s.f = false");
    }

    @Test
    void shouldExplainTheSourceOfAnActionWithASearch() {
        publish(top("{'b':{'x':1}}"), leaf(action("replace", "$..x"), "{'a':{'x':2}}"));

        assertThat(chain(".b.x")).containsExactly("top .data.b.x = 1", "leaf action 0 from .data.a.x = 2");
    }

    @Test
    void shouldFollowASubstitutionIntoItsSource() {
        publish(source("{'m':{'x':1,'y':true}}"), leafTaking(".m", ".a.b").data("{'a':{'b':{'x':0}}}"));

        assertThat(chain(".a.b.x"))
                .containsExactly(
                        "leaf .data.a.b.x = 0",
                        "leaf substitution 0 of {\"x\":1,\"y\":true} = 1 source.m.x [source .data.m.x = 1]");
        assertThat(chain(".a.b.y"))
                .containsExactly(
                        "leaf substitution 0 of {\"x\":1,\"y\":true} = true source.m.y [source .data.m.y = true]");
    }

    @Test
    void shouldExplainEachPatternReplacedInAText() {
        publish(
                source("{'x':'one','y':'two'}"),
                document("leaf")
                        .taking("{'schema':'t/A/v1','name':'source','path':'.x'}", "{'path':'.t','pattern':'A'}")
                        .taking("{'schema':'t/A/v1','name':'source','path':'.y'}", "{'path':'.t','pattern':'B'}")
                        .data("{'t':'A and B'}"));

        assertThat(chain(".t"))
                .containsExactly(
                        "leaf .data.t = \"A and B\"",
                        "leaf substitution 0 of \"one\" = \"one and B\" source.x [source .data.x = \"one\"]",
                        "leaf substitution 1 of \"two\" = \"one and two\" source.y [source .data.y = \"two\"]");
    }

    @Test
    void shouldNotExplainPaddingOfAListByTheSource() {
        publish(
                source("{'image':'registry/db:1.2','whole':'1.3'}"),
                document("leaf")
                        .taking(
                                "{'schema':'t/A/v1','name':'source','path':'.image','pattern':':(.*)','match_group':1}",
                                "{'path':'.tags[1].name'}")
                        .taking("t/A/v1", "source", ".whole", ".others[1].name")
                        .data("{}"));

        assertThat(chain(".tags[0]")).containsExactly("leaf substitution 0 of \"1.2\" = {}");
        assertThat(chain(".others[0]")).containsExactly("leaf substitution 1 of \"1.3\" = {}");
        assertThat(chain(".tags[1].name"))
                .containsExactly(
                        "leaf substitution 0 of \"1.2\" = \"1.2\" source.image [source .data.image = \"registry/db:1.2\"]");
    }

    @Test
    void shouldFollowAnItemThatAnOperationShifted() {
        publish(
                leaf("{'l':['a','b','c']}"),
                operations("{'type':'remove','path':'/l/0'},{'type':'replace','path':'/l/-','value':'d'}"));

        assertThat(chain(".l[0]")).containsExactly("leaf .data.l[1] = \"b\"");
        assertThat(chain(".l[1]")).containsExactly("leaf .data.l[2] = \"c\"");
        assertThat(chain(".l[2]"))
                .containsExactly(
                        "ops replace 1 = \"d\" ops.operations[1].value [ops .data.operations[1].value = \"d\"]");
    }

    @Test
    void shouldNotNameACauseThatOnlyCreatedTheItem() {
        publish(
                source("{'name':'n','key':'k'}"),
                leafTaking(".name", ".nodes[1].name")
                        .taking("t/A/v1", "source", ".key", ".nodes[1].key")
                        .data("{'nodes':[{'name':'m'}]}"));

        assertThat(chain(".nodes[1].key"))
                .containsExactly("leaf substitution 1 of \"k\" = \"k\" source.key [source .data.key = \"k\"]");
    }

    @Test
    void shouldNotExplainANameFromAnOperationsPathByItsValue() {
        publish(
                leaf("{'servers':[]}"),
                operations("{'type':'replace','path':'/servers/name=web?/image','value':'web'}"));

        assertThat(chain(".servers[0].name")).containsExactly("ops replace 0 = \"web\"");
        assertThat(chain(".servers[0].image"))
                .containsExactly(
                        "ops replace 0 = \"web\" ops.operations[0].value [ops .data.operations[0].value = \"web\"]");
    }

    @Test
    void shouldNameThePlaceOfASubstitution() {
        publish(
                source("{'x':1}"),
                leafTaking(".x", ".a").taking("t/A/v1", "source", ".x", ".b").data("{}"));

        assertThat(explainer.explain(LEAF, place(".b")).causes())
                .singleElement()
                .extracting(cause -> ((Cause.Substituted) cause).place())
                .isEqualTo(".metadata.substitutions[1].dest[0]");
    }

    @Test
    void shouldMarkSecretValues() {
        MapValue secret = document("source").in("global").encrypted().data("{'x':'hidden'}");
        MapValue gathered = TestDocument.document("strake/Collection/v1", "gather")
                .data("{'schema':'t/A/v1','path':'.x','into':{'schema':'t/All/v1','name':'all'}}");
        publish(secret, leaf("{'x':'shown'}"), gathered);

        assertThat(explainer
                        .explain(new DocumentId("t/A/v1", "global", "source"), place(".x"))
                        .value()
                        .isSecret())
                .isTrue();
        assertThat(explainer.explain(LEAF, place(".x")).value().isSecret()).isFalse();
        assertThat(explainer.derivedLeaves(
                        new DocumentId("strake/Collection/v1", "site", "gather"),
                        new DocumentKey("t/All/v1", "all"),
                        Place.ROOT,
                        9))
                .extracting(each -> each.value().isSecret())
                .containsExactlyInAnyOrder(true, false);
    }

    @Test
    void shouldExplainAReplacementByTheReplacedDocument() {
        publish(
                top("{'a':1,'b':1}"),
                document("top")
                        .in("region")
                        .isReplacement()
                        .over("{'is':'top'}")
                        .data("{'a':2}"),
                leaf(action("merge", "."), "{'c':3}"));

        assertThat(chain(".a")).containsExactly("top .data.a = 1", "top action 0 from .data.a = 2");
        assertThat(chain(".b")).containsExactly("top .data.b = 1");
    }

    @Test
    void shouldExplainLeavesAndEmptyContainersInOrderUpToALimit() {
        publish(leaf("{'b':[],'a':{},'c':{'d':1,'e':[2,{}]}}"));

        assertThat(paths(Place.ROOT, 99)).containsExactly(".b", ".a", ".c.d", ".c.e[0]", ".c.e[1]");
        assertThat(paths(Place.ROOT, 5)).hasSize(5);
        assertThat(paths(Place.ROOT, 4)).containsExactly(".b", ".a", ".c.d", ".c.e[0]");
        assertThat(paths(place(".c.e"), 99)).containsExactly(".c.e[0]", ".c.e[1]");
    }

    private List<String> paths(Place below, int most) {
        return explainer.leaves(LEAF, below, most).stream()
                .map(each -> each.place().path())
                .toList();
    }

    @Test
    void shouldWritePlacesAsPathsThatLeadBackToThem() {
        publish(leaf("{'plain':1,'example.org/port':2,'it\\'s':3,'where':4,'l':[5],'':6,'a-b':7,'1a':8,'1':9}"));

        for (Explanation each : explainer.leaves(LEAF, Place.ROOT, 99)) {
            assertThat(place(each.place().path())).isEqualTo(each.place());
        }
        assertThat(Place.ROOT.at("a").at("example.org/port").at(0).path()).isEqualTo(".a['example.org/port'][0]");
        assertThat(Place.ROOT.path()).isEqualTo(".");
    }
}
