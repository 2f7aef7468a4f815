package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Update.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Documents with operations on others: what they change, in which turn, and what follows when they change. */
class OperationsInWorkspaceTest {

    private static final MapValue POLICY = Json.map("""
            {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
             'data':{'layerOrder':['global','site']}}
            """);
    private static final MapValue CF = manifest("cf", "", "{'instances':1,'jobs':[{'name':'api'},{'name':'uaa'}]}");
    private static final MapValue OTHER = manifest("other", "", "{'instances':1}");
    private static final String ON_CF = "'target':{'schema':'cf/Manifest/v1','name':'cf'}";

    private final TestWorkspace workspace = new TestWorkspace();

    @Test
    void shouldApplyOperationsToTheirTargetAndToNothingElse() {
        workspace.put("b", POLICY, CF, OTHER, operations("scale", ON_CF, """
                {'type':'replace','path':'/instances','value':3},
                {'type':'remove','path':'/jobs/name=uaa'},
                {'type':'test','path':'/jobs/0/name','value':'api'}
                """));

        assertThat(rendered("cf")).isEqualTo("{\"instances\":3,\"jobs\":[{\"name\":\"api\"}]}");
        assertThat(rendered("other")).isEqualTo("{\"instances\":1}");
    }

    @Test
    void shouldPublishExactlyTheTargetWhenAnOperationIsEdited() {
        workspace.put("b", POLICY, CF, OTHER, operations("scale", ON_CF, replace("/instances", "3")));

        Update update = workspace.put("b", operations("scale", ON_CF, replace("/instances", "4")));

        assertThat(emitted(update)).containsExactly("cf");
        assertThat(workspace.decided(Verdict.RENDERED)).hasSize(2);
        assertThat(rendered("cf")).contains("\"instances\":4");
    }

    @Test
    void shouldNotEvaluateTheTargetWhenOperationsStayTheSame() {
        workspace.put("b", POLICY, CF, operations("scale", ON_CF, replace("/instances", "3")));

        Update update = workspace.put("b", operations("scale", ON_CF + ",'order':7", replace("/instances", "3")));

        assertThat(emitted(update)).isEmpty();
        assertThat(workspace.decided(Verdict.VERIFIED)).containsExactly(id("cf/Manifest/v1", "cf"));
    }

    @Test
    void shouldCutOffWhenOtherOperationsComeToTheSame() {
        workspace.put("b", POLICY, CF, operations("scale", ON_CF, replace("/instances", "3")));

        Update update = workspace.put(
                "b", operations("scale", ON_CF, replace("/instances", "2") + "," + replace("/instances", "3")));

        assertThat(emitted(update)).isEmpty();
        assertThat(workspace.decided(Verdict.CUT_OFF)).containsExactly(id("cf/Manifest/v1", "cf"));
    }

    @Test
    void shouldApplySeveralDocumentsByOrderAndThenByName() {
        workspace.put(
                "b",
                POLICY,
                CF,
                operations("late", ON_CF + ",'order':10", replace("/instances", "1")),
                operations("b", ON_CF, replace("/instances", "2")),
                operations("a", ON_CF, replace("/instances", "3") + "," + replace("/by?", "'a'")));
        assertThat(rendered("cf")).contains("\"instances\":1").contains("\"by\":\"a\"");

        workspace.put("b", operations("late", ON_CF + ",'order':-1", replace("/instances", "1")));

        assertThat(rendered("cf")).contains("\"instances\":2");
    }

    @Test
    void shouldChangeEveryDocumentThatCarriesTheLabels() {
        workspace.put(
                "b",
                POLICY,
                manifest("one", "'labels':{'size':'small','zone':'z1'},", "{'instances':1}"),
                manifest("two", "'labels':{'size':'large'},", "{'instances':1}"),
                operations(
                        "scale",
                        "'target':{'schema':'cf/Manifest/v1','labels':{'size':'small'}}",
                        replace("/instances", "5")));
        assertThat(rendered("one")).isEqualTo("{\"instances\":5}");
        assertThat(rendered("two")).isEqualTo("{\"instances\":1}");

        workspace.put("b", manifest("two", "'labels':{'size':'small'},", "{'instances':1}"));
        workspace.put("b", manifest("one", "", "{'instances':1}"));

        assertThat(rendered("one")).isEqualTo("{\"instances\":1}");
        assertThat(rendered("two")).isEqualTo("{\"instances\":5}");
    }

    @Test
    void shouldUndoOperationsWhenTheirDocumentGoesOrTurnsElsewhere() {
        workspace.put("b", POLICY, CF, OTHER, operations("scale", ON_CF, replace("/instances", "3")));

        workspace.put(
                "b",
                operations("scale", "'target':{'schema':'cf/Manifest/v1','name':'other'}", replace("/instances", "3")));
        assertThat(rendered("cf")).contains("\"instances\":1");
        assertThat(rendered("other")).contains("\"instances\":3");

        workspace.delete("b", id("strake/Operations/v1", "scale"));
        assertThat(rendered("other")).contains("\"instances\":1");
    }

    @Test
    void shouldLetDependentsSeeTheResult() {
        MapValue reader = manifest(
                "reader",
                "'substitutions':[{'src':{'schema':'cf/Manifest/v1','name':'cf','path':'.instances'},"
                        + "'dest':{'path':'.size'}}],",
                "{}");
        workspace.put("b", POLICY, CF, reader, operations("scale", ON_CF, replace("/instances", "3")));
        assertThat(rendered("reader")).isEqualTo("{\"size\":3}");

        Update update = workspace.put("b", operations("scale", ON_CF, replace("/instances", "4")));

        assertThat(emitted(update)).containsExactly("cf", "reader");
        assertThat(rendered("reader")).isEqualTo("{\"size\":4}");
    }

    @Test
    void shouldLayerOperationsAndFillThemBySubstitution() {
        MapValue general = document(
                "strake/Operations/v1",
                "global",
                "general",
                "'labels':{'kind':'scale'},",
                "{" + ON_CF + ",'operations':[" + replace("/instances", "0") + "]}",
                true);
        MapValue secret = document("deckhand/Passphrase/v1", "site", "word", "", "'s3cret'", false);
        MapValue own = Json.map("""
                {'schema':'strake/Operations/v1','metadata':{'schema':'metadata/Document/v1','name':'own',
                  'storagePolicy':'cleartext','layeringDefinition':{'layer':'site','parentSelector':{'kind':'scale'},
                    'actions':[{'method':'merge','path':'.'}]},
                  'substitutions':[{'src':{'schema':'deckhand/Passphrase/v1','name':'word','path':'.'},
                    'dest':{'path':'.operations[0].value'}}]},
                 'data':{'operations':[{'type':'replace','path':'/password?'}]}}
                """);
        workspace.put("b", POLICY, CF, general, secret, own);

        assertThat(rendered("cf")).contains("\"password\":\"s3cret\"").contains("\"instances\":1");
    }

    @Test
    void shouldPutTheFailureOnTheTargetAndNameTheOperationsDocument() {
        workspace.put("b", POLICY, CF, operations("scale", ON_CF, replace("/instances", "3")));

        Update update = workspace.put("b", operations("scale", ON_CF, replace("/instancs", "'hidden'")));

        assertThat(update.status()).isEqualTo(Status.FAILED);
        Problem problem = workspace.head().problems(10).get(0);
        assertThat(problem.code()).isEqualTo(ProblemCode.OPERATION_FAILED);
        assertThat(problem.document()).isEqualTo(id("cf/Manifest/v1", "cf"));
        assertThat(problem.related()).containsExactly(id("strake/Operations/v1", "scale"));
        assertThat(problem.message())
                .contains("operation [0] (replace '/instancs') fails at 'instancs'")
                .contains("found map keys: 'instances', 'jobs'")
                .doesNotContain("hidden");
        assertThat(rendered("cf")).contains("\"instances\":3");
    }

    @Test
    void shouldRefuseOperationsThatCannotBeReadWhereTheyStand() {
        Update update = workspace.put("b", POLICY, CF, operations("scale", ON_CF, "{'type':'copy','path':'/a'}"));

        assertThat(update.status()).isEqualTo(Status.FAILED);
        assertThat(workspace.head().problems(10))
                .extracting(Problem::code, problem -> problem.document().name(), Problem::path)
                .containsExactly(
                        tuple(ProblemCode.INVALID_OPERATIONS, "scale", ".data.operations[0]"),
                        tuple(ProblemCode.INVALID_OPERATIONS, "cf", null));
    }

    @Test
    void shouldRefuseATargetThatOnlyComesOutOfSubstitution() {
        MapValue operations = document(
                "strake/Operations/v1",
                "site",
                "scale",
                "'substitutions':[{'src':{'schema':'cf/Manifest/v1','name':'other','path':'.instances'},"
                        + "'dest':{'path':'.target.name'}}],",
                "{" + ON_CF + ",'operations':[]}",
                false);
        workspace.put("b", POLICY, CF, manifest("other", "", "{'instances':'other'}"), operations);

        Problem problem = workspace.head().problems(10).get(0);
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_OPERATIONS);
        assertThat(problem.path()).isEqualTo(".data.target");
    }

    @Test
    void shouldFindCyclesThatRunThroughOperations() {
        MapValue operations = document(
                "strake/Operations/v1",
                "site",
                "scale",
                "'substitutions':[{'src':{'schema':'cf/Manifest/v1','name':'cf','path':'.instances'},"
                        + "'dest':{'path':'.operations[0].value'}}],",
                "{" + ON_CF + ",'operations':[" + replace("/instances", "0") + "]}",
                false);
        workspace.put("b", POLICY, CF, operations);

        assertThat(workspace.head().problems(10))
                .extracting(Problem::code)
                .containsOnly(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE);
    }

    @Test
    void shouldOnlyWarnOfOperationsOnDocumentsThatAreNotThere() {
        Update alone = workspace.put("b", POLICY, operations("scale", ON_CF, replace("/instances", "3")));
        assertThat(alone.status()).isEqualTo(Status.RENDERED);
        assertThat(alone.warnings()).extracting(Problem::code).containsExactly(ProblemCode.OPERATIONS_TARGET_NOT_FOUND);

        assertThat(workspace.put("b", CF).warnings()).isEmpty();
        assertThat(rendered("cf")).contains("\"instances\":3");

        assertThat(workspace.delete("b", id("cf/Manifest/v1", "cf")).warnings())
                .extracting(Problem::code)
                .containsExactly(ProblemCode.OPERATIONS_TARGET_NOT_FOUND);
    }

    @Test
    void shouldNeverOperateOnControlDocuments() {
        workspace.put(
                "b",
                POLICY,
                operations(
                        "order",
                        "'target':{'schema':'deckhand/LayeringPolicy/v1','name':'p'}",
                        replace("/layerOrder", "[]")));

        assertThat(workspace.head().graph().layerOrder()).containsExactly("global", "site");
        assertThat(workspace.published().get(new DocumentKey("deckhand/LayeringPolicy/v1", "p")))
                .isEqualTo(POLICY);
    }

    @Test
    void shouldKnowOperationsAgainAfterARestart() {
        workspace.put("b", POLICY, CF, operations("scale", ON_CF, replace("/instances", "3")));

        TestWorkspace reopened = workspace.reopened();
        Update update = reopened.put("b", manifest("cf", "", "{'instances':2,'jobs':[{'name':'api'},{'name':'uaa'}]}"));

        assertThat(update.emissions()).as("the operation overrides what is new").isEmpty();
    }

    private String rendered(String name) {
        return Json.text(workspace
                .published()
                .get(new DocumentKey("cf/Manifest/v1", name))
                .get("data"));
    }

    private static List<String> emitted(Update update) {
        return update.emissions().stream()
                .map(emission -> emission.key().name())
                .toList();
    }

    private static DocumentId id(String schema, String name) {
        return new DocumentId(schema, "site", name);
    }

    private static String replace(String path, String value) {
        return "{'type':'replace','path':'" + path + "','value':" + value + "}";
    }

    private static MapValue operations(String name, String target, String operations) {
        return document(
                "strake/Operations/v1", "site", name, "", "{" + target + ",'operations':[" + operations + "]}", false);
    }

    private static MapValue manifest(String name, String more, String data) {
        return document("cf/Manifest/v1", "site", name, more, data, false);
    }

    private static MapValue document(
            String schema, String layer, String name, String more, String data, boolean isAbstract) {
        return Json.map("{'schema':'" + schema + "','metadata':{'schema':'metadata/Document/v1','name':'" + name + "',"
                + more + "'storagePolicy':'cleartext','layeringDefinition':{'layer':'" + layer + "','abstract':"
                + isAbstract + "}},'data':" + data + "}");
    }
}
