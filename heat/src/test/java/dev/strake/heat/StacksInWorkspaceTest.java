package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.explain.Cause;
import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.workspace.Update;
import dev.strake.engine.workspace.Update.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trees of Heat templates that stay valid: which documents are derived, and when they are derived again. */
class StacksInWorkspaceTest extends StackWorkspace {

    @Test
    void shouldDeriveOneDocumentForEachStackOfTheTree() {
        Update update = publish();

        assertThat(update.status()).isEqualTo(Status.RENDERED);
        assertThat(names()).containsExactly("s", "s/a", "s/b");
        MapValue top = derived("s");
        assertThat(top.get("status")).isEqualTo(new Text("needs-input"));
        assertThat(Json.text(top.get("counts")))
                .isEqualTo("{\"stacks\":3,\"parameters\":4,\"needs_input\":2,\"errors\":0}");
        assertThat(neededNames(top)).containsExactly("who", "size");
        assertThat(derived("s/a").get("Type")).isEqualTo(new Text("My::Leaf"));
        assertThat(((MapValue) derived("s/a").get("Parameters")).keys()).containsExactly("name", "size");
        assertThat(top.has("NestedParameters")).isFalse();
        assertThat(workspace.published()).doesNotContainKey(OWNER.key());
    }

    @Test
    void shouldPublishOnlyTheStacksWhoseSchemaDiffers() {
        publish();

        Update update = workspace.put("b", template("lib/leaf.yaml", LEAF.replace("3", "4")));

        assertThat(update.emissions())
                .extracting(emission -> emission.key().name())
                .containsExactlyInAnyOrder("lib/leaf.yaml", "s/a");
        assertThat(((MapValue) ((MapValue) derived("s/a").get("Parameters")).get("size")).get("Default"))
                .isEqualTo(Json.value("4"));
    }

    @Test
    void shouldNotValidateATreeAgainForUnrelatedTemplates() {
        publish();

        workspace.put("b", template("lib/other.yaml", LEAF), environment("other.yaml", MAPPINGS));

        assertThat(workspace.derived()).isEmpty();
    }

    @Test
    void shouldFollowTheRegistryAndDefaultsOfEnvironments() {
        publish();

        workspace.put("b", environment("env.yaml", MAPPINGS + ",'parameter_defaults':{'who':'me','size':7}"));
        assertThat(derived("s").get("status")).isEqualTo(new Text("complete"));

        workspace.put("b", environment("env.yaml", "'resource_registry':{'My::Leaf':'lib/b.yaml'}"));
        Problem problem = problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_TEMPLATE_TREE);
        assertThat(problem.message()).contains("unknown-property", "top.yaml");
        assertThat(derived("s").get("status")).isEqualTo(new Text("invalid"));
        assertThat(((MapValue) ((ListValue) derived("s").get("errors")).get(0)).get("code"))
                .isEqualTo(new Text("unknown-property"));
    }

    @Test
    void shouldReadFilesNamedByFunctions() {
        String leaf = HEAD + ",'parameters':{'name':{'type':'string'}}";
        workspace.put(
                "b",
                POLICY,
                template(
                        "top.yaml",
                        HEAD + ",'resources':{'a':{'type':'leaf.yaml','properties':{'name':{'get_file':'motd'}}}}"),
                template("leaf.yaml", leaf),
                document("heat/File/v1", "motd", "\"hello\\n\""),
                stack("'template':'top.yaml'"));
        assertThat(value("s/a", "name")).isEqualTo(new Text("hello\n"));

        workspace.put("b", document("heat/File/v1", "motd", "\"good day\\n\""));
        assertThat(value("s/a", "name")).isEqualTo(new Text("good day\n"));
    }

    @Test
    void shouldPassParametersOfTheStackToTheTopTemplate() {
        publish();

        workspace.put("b", stack(STACK + ",'parameters':{'who':'me'}"));

        assertThat(value("s", "who")).isEqualTo(new Text("me"));
        assertThat(value("s/a", "name")).isEqualTo(new Text("me"));
    }

    @Test
    void shouldCheckOnlyWhatHeatChecksOnRequest() {
        publish();
        String wrong = LEAF + ",'resources':{'v':{'type':'OS::Heat::Value','properties':{'nonsense':1}}}";
        workspace.put("b", template("lib/leaf.yaml", wrong));
        assertThat(problem().message()).contains("unknown-property");

        workspace.put("b", stack(STACK + ",'mode':'as-heat'"));

        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();
        assertThat(derived("s").get("status")).isEqualTo(new Text("needs-input"));
    }

    @Test
    void shouldExplainTheTemplateOfADefault() {
        publish();

        Explainer explainer =
                new Explainer(workspace.head().graph(), workspace, new ChangeEffort(Long.MAX_VALUE), bytes -> {});
        List<Explanation> leaves = explainer.derivedLeaves(
                OWNER,
                new DocumentKey("heat/ParameterSchema/v1", "s/a"),
                Place.ROOT.at("Parameters").at("size").at("Default"),
                9);

        assertThat(leaves).hasSize(1);
        Cause.Derived cause = (Cause.Derived) leaves.get(0).winner();
        assertThat(cause.from().document()).isEqualTo(new DocumentId("heat/Template/v1", "site", "lib/leaf.yaml"));
        assertThat(cause.from().place())
                .isEqualTo(Place.ROOT.at("parameters").at("size").at("default"));
    }

    @Test
    void shouldListTheDocumentsThatATemplateReaches() {
        publish();

        List<DocumentId> reached = Dependents.of(
                        workspace.head().graph(),
                        workspace,
                        new DocumentId("heat/Template/v1", "site", "lib/leaf.yaml"),
                        Place.ROOT,
                        99,
                        new ChangeEffort(Long.MAX_VALUE))
                .found()
                .stream()
                .map(Dependents.Dependent::document)
                .toList();

        assertThat(reached).extracting(DocumentId::name).containsExactly("s", "s/a", "s/b");
    }
}
