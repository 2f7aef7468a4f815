package dev.strake.heat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Problems of Heat template trees, and their messages. */
class TroubledStacksTest extends StackWorkspace {

    @Test
    void shouldKeepAllDocumentsWhenTheTopTemplateIsDeleted() {
        publish();

        workspace.delete("b", new DocumentId("heat/Template/v1", "site", "top.yaml"));

        assertThat(problem().message()).contains("template-missing", "top.yaml");
        assertThat(problem().path()).isEqualTo(".data.template");
        assertThat(names()).containsExactly("s", "s/a", "s/b");
    }

    @Test
    void shouldMaskHiddenValuesInDocumentsAndProblems() {
        String hidden = "'parameters':{'who':{'type':'string','hidden':true,'constraints':[{'length':{'max':3}}]}}";
        workspace.put(
                "b",
                POLICY,
                template("top.yaml", TOP.replace("'parameters':{'who':{'type':'string'}}", hidden)),
                template("lib/leaf.yaml", LEAF),
                template("lib/b.yaml", HEAD),
                environment("env.yaml", MAPPINGS + ",'parameters':{'who':'s3cret'}"),
                stack(STACK));

        assertThat(value("s", "who")).isEqualTo(new Text("******"));
        assertThat(value("s/a", "name")).isEqualTo(new Text("******"));
        assertThat(workspace.published().entrySet().stream()
                        .filter(entry -> entry.getKey().schema().equals("heat/ParameterSchema/v1"))
                        .map(entry -> Json.text(entry.getValue())))
                .noneMatch(text -> text.contains("s3cret"));
    }

    @Test
    void shouldQuoteNothingOfAnEncryptedDocument() {
        publish();

        MapValue secret = environment("env.yaml", MAPPINGS + ",'s3cret':1");
        MapValue metadata = ((MapValue) secret.get("metadata")).with("storagePolicy", new Text("encrypted"));
        workspace.put("b", secret.with("metadata", metadata));

        assertThat(problem().message())
                .contains("environment-format", "env.yaml")
                .doesNotContain("wrong section");
        assertThat(problem().path()).isEqualTo(".data.environments[0]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lib/b.yaml -> s3cret.yaml",
                "lib/b.yaml -> s3cret",
                "'get_param':'who' -> 'get_param':'s3cret'",
                "'get_param':'who' -> 'get_resource':'s3cret'",
                "'get_param':'who' -> 'get_attr':['s3cret','x']",
                "'b':{ -> 'b':{'depends_on':'s3cret',",
                "'b':{ -> 'b':{'condition':'s3cret',",
                "'string'} -> 's3cret'}",
                "'string'} -> 'number','default':'s3cret'}",
                "'parameters' -> 'parameter_groups':[{'parameters':['s3cret']}],'parameters'",
                "rocky -> s3cret"
            })
    void shouldQuoteNoValueOfAnEncryptedTemplate(String edit) {
        publish();

        String[] parts = edit.split(" -> ", 2);
        MapValue secret = template("top.yaml", TOP.replace(parts[0], parts[1]));
        workspace.put(
                "b", secret.with("metadata", secret.map("metadata").with("storagePolicy", new Text("encrypted"))));

        assertThat(problem().code()).isEqualTo(ProblemCode.INVALID_TEMPLATE_TREE);
        assertThat(problem().describe()).doesNotContain("s3cret");
    }

    @Test
    void shouldNotQuoteValuesInProblems() {
        publish();

        workspace.put(
                "b",
                template(
                        "lib/leaf.yaml",
                        LEAF.replace("'default':3", "'default':4711,'constraints':[{'range':{'max':50}}]")));

        assertThat(problem().message())
                .contains("parameter-default", "lib/leaf.yaml")
                .doesNotContain("4711");
        assertThat(Json.text(derived("s").get("errors"))).contains("4711");
    }

    @ParameterizedTest
    @CsvSource({
        "top.yaml, .",
        "lib/leaf.yaml, .",
        "lib/leaf.yaml, .parameters.size.default",
        "lib/leaf.yaml, .description",
        "env.yaml, .",
        "motd, ."
    })
    void shouldDeriveNothingWhereAFileOfTheTreeIsSealed(String file, String place) {
        List<MapValue> files = List.of(
                template("top.yaml", TOP.replace("{'get_param':'who'}", "{'get_file':'motd'}")),
                template("lib/leaf.yaml", LEAF),
                template("lib/b.yaml", HEAD),
                environment("env.yaml", MAPPINGS),
                document("heat/File/v1", "motd", "'hello'"),
                stack(STACK));
        workspace.put("b", POLICY, document("x/Secret/v1", "s", "''").with("data", Text.sealed("AWk2")));
        workspace.putBucket("c", files);
        assertThat(names()).containsExactly("s", "s/a", "s/b");

        workspace.putBucket(
                "c",
                files.stream()
                        .map(each ->
                                each.map("metadata").get("name").equals(new Text(file)) ? taking(each, place) : each)
                        .toList());

        assertThat(problem()).isNull();
        assertThat(names()).isEmpty();
    }

    private static MapValue taking(MapValue document, String place) {
        Value substitutions =
                Json.value("[{'src':{'schema':'x/Secret/v1','name':'s','path':'.'},'dest':{'path':'" + place + "'}}]");
        return document.with("metadata", document.map("metadata").with("substitutions", substitutions));
    }

    @Test
    void shouldRejectTwoDocumentsWithTheSameFileName() {
        publish();

        workspace.put("b", document("heat/File/v1", "lib/b.yaml", "\"x\""));

        assertThat(problem().code()).isEqualTo(ProblemCode.DERIVATION_FAILED);
        assertThat(problem().message()).contains("[heat/Template/v1, lib/b.yaml] and [heat/File/v1, lib/b.yaml]");
    }

    @Test
    void shouldBeBlockedByABrokenTemplate() {
        publish();

        workspace.put("b", Json.map("""
                {'schema':'heat/Template/v1','metadata':{'schema':'metadata/Document/v1','name':'lib/b.yaml',
                 'storagePolicy':'cleartext','layeringDefinition':{'layer':'site'},
                 'substitutions':[{'src':{'schema':'x/Y/v1','name':'n','path':'.'},'dest':{'path':'.x'}}]},'data':{}}
                """));
        assertThat(problem().code()).isEqualTo(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);

        workspace.put("b", template("lib/b.yaml", HEAD));
        assertThat(workspace.head().evaluation(OWNER).problem()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'template':1",
                "'environments':[]",
                "'template':''",
                "'template':'t','environments':'e'",
                "'template':'t','environments':[null]",
                "'template':'t','parameters':[]",
                "'template':'t','mode':'Deep'",
                "'template':'t','max_nested_depth':51",
                "'template':'t','max_nested_depth':-1",
                "'template':'t','max_nested_depth':1.5",
                "'template':'t','other':1"
            })
    void shouldReportInvalidDataOfAStack(String data) {
        workspace.put("b", POLICY, stack(data));

        assertThat(problem().code()).isEqualTo(ProblemCode.INVALID_STACK);
        assertThat(problem().path()).startsWith(".data");
    }

    @Test
    void shouldReportAProblemForHostileTrees() {
        List<MapValue> doubling = new ArrayList<>(List.of(POLICY, template("t20.yaml", HEAD)));
        for (int i = 0; i < 20; i++) {
            String below = "{'type':'t.yaml'}".replace("t.yaml", "t" + (i + 1) + ".yaml");
            doubling.add(template("t" + i + ".yaml", HEAD + ",'resources':{'a':" + below + ",'b':" + below + "}"));
        }
        doubling.add(template("self.yaml", HEAD + ",'resources':{'a':{'type':'self.yaml'}}"));
        doubling.add(stack("'template':'self.yaml','max_nested_depth':50"));
        workspace.putBucket("b", doubling);
        assertThat(problem().message()).contains("nesting-depth");

        workspace.put("b", stack("'template':'t0.yaml','max_nested_depth':50"));
        assertThat(problem().code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
    }

    @Test
    void shouldDeriveNoMoreThanTenThousandDocuments() {
        workspace.put(
                "b",
                POLICY,
                template("top.yaml", HEAD + ",'resources':{" + hundred("mid.yaml") + "}"),
                template("mid.yaml", HEAD + ",'resources':{" + hundred("leaf.yaml") + "}"),
                template("leaf.yaml", HEAD),
                stack("'template':'top.yaml'"));

        assertThat(problem().code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(problem().message()).contains("more than 10000 stacks");
        assertThat(names()).isEmpty();
    }

    private static String hundred(String template) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "'r" + i + "':{'type':'" + template + "'}")
                .collect(Collectors.joining(","));
    }

    @Test
    void shouldReportTooLongNamesOfNestedStacks() {
        String name = "r".repeat(1020);
        workspace.put(
                "b",
                POLICY,
                template("top.yaml", HEAD + ",'resources':{'" + name + "':{'type':'b.yaml'}}"),
                template("b.yaml", HEAD),
                document("heat/Stack/v1", "stack", "{'template':'top.yaml'}"));

        Problem problem = workspace
                .head()
                .evaluation(new DocumentId("heat/Stack/v1", "site", "stack"))
                .problem();
        assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(problem.path()).isEqualTo(".metadata.name");
    }
}
