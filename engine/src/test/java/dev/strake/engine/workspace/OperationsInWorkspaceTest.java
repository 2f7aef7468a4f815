package dev.strake.engine.workspace;

import static dev.strake.engine.TestDocument.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.strake.engine.Json;
import dev.strake.engine.TestDocument;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.workspace.Update.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents with operations on others: their effects, their order, and the effects of changing them. */
class OperationsInWorkspaceTest {

    private static final MapValue POLICY = TestDocument.layers("global", "site");
    private static final String CF_DATA = "{'instances':1,'jobs':[{'name':'api'},{'name':'uaa'}]}";
    private static final MapValue CF = manifest("cf", CF_DATA);
    private static final MapValue OTHER = manifest("other", "{'instances':1}");
    private static final String ON_CF = "'target':{'schema':'cf/Manifest/v1','name':'cf'}";

    /** As commands without a key see it. */
    private static final MapValue SEALED =
            document("cf/Secret/v1", "s").in("global").data("{}").with("data", Text.sealed("AWk2"));

    private final TestWorkspace workspace = new TestWorkspace();

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
    void shouldCutOffWhenOtherOperationsGiveTheSameResult() {
        workspace.put("b", POLICY, CF, operations("scale", ON_CF, replace("/instances", "3")));

        Update update = workspace.put(
                "b", operations("scale", ON_CF, replace("/instances", "2") + "," + replace("/instances", "3")));

        assertThat(emitted(update)).isEmpty();
        assertThat(workspace.decided(Verdict.CUT_OFF)).containsExactly(id("cf/Manifest/v1", "cf"));
    }

    @Test
    void shouldReportAFailureOnTheTargetAndNameTheOperations() {
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
    void shouldReportInvalidOperationsOnTheirDocument() {
        Update update = workspace.put("b", POLICY, CF, operations("scale", ON_CF, "{'type':'copy','path':'/a'}"));

        assertThat(update.status()).isEqualTo(Status.FAILED);
        assertThat(workspace.head().problems(10))
                .extracting(Problem::code, problem -> problem.document().name(), Problem::path)
                .containsExactly(
                        tuple(ProblemCode.INVALID_OPERATIONS, "scale", ".data.operations[0]"),
                        tuple(ProblemCode.INVALID_OPERATIONS, "cf", null));
    }

    @Test
    void shouldRejectATargetThatIsSubstituted() {
        MapValue operations = document("strake/Operations/v1", "scale")
                .taking("cf/Manifest/v1", "other", ".instances", ".target.name")
                .data("{" + ON_CF + ",'operations':[]}");
        workspace.put("b", POLICY, CF, manifest("other", "{'instances':'other'}"), operations);

        Problem problem = workspace.head().problems(10).get(0);
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_OPERATIONS);
        assertThat(problem.path()).isEqualTo(".data.target");
    }

    @Test
    void shouldOnlyWarnOfOperationsOnMissingDocuments() {
        Update alone = workspace.put("b", POLICY, operations("scale", ON_CF, replace("/instances", "3")));
        assertThat(alone.status()).isEqualTo(Status.RENDERED);
        assertThat(alone.warnings()).extracting(Problem::code).containsExactly(ProblemCode.OPERATIONS_TARGET_NOT_FOUND);

        assertThat(workspace.put("b", CF).warnings()).isEmpty();
        assertThat(rendered("cf")).contains("\"instances\":3");

        assertThat(workspace.delete("b", id("cf/Manifest/v1", "cf")).warnings())
                .extracting(Problem::code)
                .containsExactly(ProblemCode.OPERATIONS_TARGET_NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".operations[0].type",
                ".operations[0].path",
                ".operations[0]",
                ".operations",
                ".order",
                ".target.name",
                ".target",
                "."
            })
    void shouldHideTheTargetOfSealedOperations(String place) {
        workspace.put(
                "b",
                POLICY,
                CF,
                SEALED,
                operations(takingSecret("strake/Operations/v1", "scale", place), ON_CF, replace("/instances", "3")));

        assertThat(workspace.head().problems(9)).isEmpty();
        assertThat(Text.isSealed(workspace.data(id("cf/Manifest/v1", "cf")))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "{'type':'remove';'path':'/jobs/name=db'}, true",
                "{'type':'replace';'path':'/jobs/name=db/port?';'value':1}, true",
                "{'type':'replace';'path':'/jobs/name=db?/port?';'value':1}, true",
                "{'type':'test';'path':'/jobs/name=db';'absent':true}, false",
                "{'type':'remove';'path':'/jobs/name=uaa'}, false"
            })
    void shouldHideAListInWhichASealedItemMayMatch(String operation, boolean isUnknown) {
        String operations = operation.replace(';', ',');
        workspace.put(
                "b",
                POLICY,
                takingSecret("cf/Manifest/v1", "cf", ".jobs[0].name").data(CF_DATA),
                SEALED,
                operations("edit", ON_CF, operations));

        assertThat(workspace.head().problems(9)).isEmpty();
        MapValue data = (MapValue) workspace.data(id("cf/Manifest/v1", "cf"));
        assertThat(data.get("instances").hasSealed()).isFalse();
        assertThat(Text.isSealed(data.get("jobs"))).isEqualTo(isUnknown);
    }

    /** A removal may have the value null, and the sealed value may be null. */
    @Test
    void shouldAllowARemovalWithASealedValue() {
        String removal = "{'type':'remove','path':'/instances','value':null}";
        TestDocument operations = takingSecret("strake/Operations/v1", "edit", ".operations[0].value");
        workspace.put("b", POLICY, CF, SEALED, operations(operations, ON_CF, removal));

        assertThat(workspace.head().problems(9)).isEmpty();
        assertThat(rendered("cf")).doesNotContain("instances");
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
        return operations(document("strake/Operations/v1", name), target, operations);
    }

    private static MapValue operations(TestDocument document, String target, String operations) {
        return document.data("{" + target + ",'operations':[" + operations + "]}");
    }

    private static TestDocument takingSecret(String schema, String name, String place) {
        return document(schema, name).taking("cf/Secret/v1", "s", ".", place);
    }

    private static MapValue manifest(String name, String data) {
        return document("cf/Manifest/v1", name).data(data);
    }
}
