package dev.strake.engine.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentFormatException;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.pattern.TextPattern;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any value in a document's data may be a secret: whatever goes wrong, nothing we say repeats one. */
class SecretsTest {

    private static final String TOKEN = "hunter2";

    /** What can go wrong with data: a document, in words of the author, with the token in many places. */
    private static final String CHILD = """
            {'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'child','storagePolicy':'encrypted',
             'layeringDefinition':{'layer':'leaf','parentSelector':{'f':'x'},'actions':[%s]},'substitutions':[%s]},
             'data':{'password':'hunter2','list':['hunter2'],'map':{'deep':'hunter2'},'nothing':null}}
            """;

    private static final String SOURCE = "{'schema':'t/S/v1','name':'source','path':'%s'%s}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'method':'delete','path':'.absent'}",
                "{'method':'merge','path':'.absent'}",
                "{'method':'merge','path':'.nothing'}",
                "{'method':'merge','path':'.password.below'}",
                "{'method':'replace','path':'.map[0].x'}",
                "{'method':'delete','path':'.secret.x'}",
                "{'method':'merge','path':'.['}",
                "{'method':'merge','path':'.list[5000]'}"
            })
    void shouldNotShowValuesWhenAnActionFails(String action) {
        expectSilence(CHILD.formatted(action, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'path':'.absent'",
                "'path':'.['",
                "'path':'.secret','pattern':'(x'",
                "'path':'.secret','pattern':'nomatch'",
                "'path':'.secret','pattern':'(h)','match_group':7",
                "'path':'.map','pattern':'x'",
                "'path':'.secret.deeper'"
            })
    void shouldNotShowValuesWhenASourceFails(String source) {
        String src = "{'schema':'t/S/v1','name':'source'," + source + "}";
        expectSilence(
                CHILD.formatted("{'method':'replace','path':'.'}", "{'src':" + src + ",'dest':{'path':'.given'}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'path':'.password.below'",
                "'path':'.list.name'",
                "'path':'.map[0]'",
                "'path':'.list[9999]'",
                "'path':'.['",
                "'path':'.map','pattern':'x'",
                "'path':'.absent','pattern':'x'",
                "'path':'.password','pattern':'(x'",
                "'path':'.password','pattern':'a{9999}'",
                "'path':'.nothing','pattern':'x','recurse':{'depth':1}"
            })
    void shouldNotShowValuesWhenADestinationFails(String destination) {
        String src = SOURCE.formatted(".secret", "");
        expectSilence(
                CHILD.formatted("{'method':'replace','path':'.'}", "{'src':" + src + ",'dest':{" + destination + "}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'properties':{'password':{'type':'integer'}}}",
                "{'properties':{'password':{'enum':['other']}}}",
                "{'properties':{'password':{'pattern':'^x','minLength':99,'maxLength':1,'format':'email'}}}",
                "{'properties':{'list':{'items':{'type':'integer'},'minItems':7,'maxItems':0,'uniqueItems':true}}}",
                "{'properties':{'map':{'properties':{'deep':{'not':{}}},'maxProperties':0,'additionalProperties':false}}}",
                "{'properties':{'map':{'additionalProperties':{'type':'integer'}}}}",
                "{'properties':{'password':{'oneOf':[{'type':'integer'},{'enum':['x']}]}}}",
                "{'properties':{'password':{'anyOf':[{'type':'null'}],'allOf':[{'minimum':1},{'pattern':'x'}]}}}",
                "{'dependencies':{'password':['absent'],'map':{'required':['absent']}}}",
                "{'patternProperties':{'.*':{'type':'boolean'}}}",
                "{'enum':[{}]}"
            })
    void shouldNotShowValuesWhenDataBreaksItsSchema(String body) {
        String schema =
                "{'schema':'deckhand/DataSchema/v1','metadata':{'schema':'metadata/Control/v1','name':'t/A/v1'},"
                        + "'data':" + body + "}";
        expectSilence(CHILD.formatted("{'method':'replace','path':'.'}", ""), schema);
    }

    @Test
    void shouldNotShowADefaultThatTheSchemaItselfKeeps() {
        String schema =
                "{'schema':'deckhand/DataSchema/v1','metadata':{'schema':'metadata/Control/v1','name':'t/A/v1'},"
                        + "'data':{'type':'hunter2','required':'hunter2'}}";
        expectSilence(CHILD.formatted("{'method':'replace','path':'.'}", ""), schema);
    }

    @Test
    void shouldNotShowASecretThatIsNoText() {
        expectSilence("{'schema':'deckhand/Passphrase/v1','metadata':{'schema':'metadata/Document/v1','name':'p',"
                + "'storagePolicy':'encrypted','layeringDefinition':{'layer':'top'}},'data':['hunter2']}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},'data':{'layerOrder':'hunter2'}}",
                "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},'data':{'layerOrder':[{'a':'hunter2'}]}}",
                "{'schema':'deckhand/DataSchema/v1','metadata':{'schema':'metadata/Control/v1','name':'t/A/v1'},'data':'hunter2'}",
                "{'schema':'deckhand/ValidationPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},'data':{'validations':['hunter2']}}",
                "{'schema':'t/A/v1','data':'hunter2'}",
                "'hunter2'",
                "['hunter2']"
            })
    void shouldNotShowValuesOfWhatIsNoDocument(String tree) {
        try {
            Document.of(Json.value(tree));
            throw new AssertionError("is a document");
        } catch (DocumentFormatException e) {
            assertThat(e + e.problems().toString()).doesNotContain(TOKEN);
        }
    }

    @Test
    void shouldNotShowValuesInTheTextOfAnyTree() {
        for (String json : List.of("'hunter2'", "['hunter2']", "{'a':'hunter2'}", "{'a':{'b':['hunter2']}}")) {
            Value value = Json.value(json);
            assertThat(value.toString() + value.fingerprint()).doesNotContain(TOKEN);
        }
        assertThat(Json.value("420042").toString()).doesNotContain("420042");
        assertThat(TextPattern.of("h.*")
                        .search(TOKEN, 0, 0, dev.strake.engine.limit.RenderLimits.DEFAULT.budget())
                        .toString())
                .doesNotContain(TOKEN);
    }

    /* Publishes the document beside a parent and a source full of secrets, and reads all that can be printed. */
    private static void expectSilence(String document, String... others) {
        List<MapValue> documents = new ArrayList<>();
        documents.add(Json.map("""
                {'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},
                 'data':{'layerOrder':['top','leaf']}}
                """));
        documents.add(Json.map("""
                {'schema':'t/A/v1','metadata':{'schema':'metadata/Document/v1','name':'parent','storagePolicy':'cleartext',
                 'labels':{'f':'x'},'layeringDefinition':{'layer':'top','abstract':true}},
                 'data':{'secret':'hunter2','password':'hunter2','list':'hunter2','map':'hunter2'}}
                """));
        documents.add(Json.map("""
                {'schema':'t/S/v1','metadata':{'schema':'metadata/Document/v1','name':'source','storagePolicy':'encrypted',
                 'layeringDefinition':{'layer':'top'}},'data':{'secret':'hunter2','map':{'a':'hunter2'}}}
                """));
        documents.add(Json.map(document));
        for (String other : others) {
            documents.add(Json.map(other));
        }
        TestWorkspace workspace = new TestWorkspace(Renderer.holdingDocuments());
        Update update = workspace.putBucket("b", documents);

        StringBuilder said = new StringBuilder();
        List<Problem> problems = new ArrayList<>(workspace.head().problems(100));
        problems.addAll(update.warnings());
        assertThat(problems).as("something to say").isNotEmpty();
        for (Problem problem : problems) {
            said.append(problem).append(problem.describe());
        }
        said.append(update).append(workspace.head().held());
        workspace.documents().forEach((id, tree) -> {
            Facts facts = workspace.head().graph().facts(id);
            said.append(tree).append(facts).append(workspace.head().evaluation(id));
            said.append(tree.actions()).append(tree.substitutions()).append(tree.data());
        });
        assertThat(said.toString()).doesNotContain(TOKEN);
    }
}
