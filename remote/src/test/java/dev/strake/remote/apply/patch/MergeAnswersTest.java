package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.remote.object.KubernetesObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeAnswersTest {

    private static final String WIDGET = "'apiVersion':'a.b/v1','kind':'Widget','metadata':{'name':'n'";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'mode':'merge-patch','live':{'a':1},'patch':{'b':2} | {'id':7,'object':{'a':1,'b':2}}",
                "'live':{'a':1},'patch':null | {'id':7,'object':null}",
                "'mode':'MergePatch','live':null,'patch':{'b':2} | {'id':7,'object':{'b':2}}",
                "'mode':'strategic-merge-patch','patch':{'apiVersion':'v1','kind':'Pod'} | {'id':7,'object':{'apiVersion':'v1','kind':'Pod'}}",
            })
    void shouldAnswerAPatchWithTheMergedObjectOnly(String question, String answer) {
        assertThat(answer("{'id':7," + question + "}")).isEqualTo(Json.value(answer));
    }

    @Test
    void shouldReadTheHistoryFromTheAnnotationUnlessItIsGiven() {
        String live = "{" + WIDGET
                + ",'annotations':{'deploy.razee.io/last-applied-configuration':'{\\\"spec\\\":{\\\"a\\\":1}}'}},'spec':{'a':1,'b':2}}";
        String asked = "'live':" + live + ",'desired':{" + WIDGET + "}}";
        assertThat(spec(answer("{" + asked + "}"))).isEqualTo(Json.value("{'b':2}"));
        assertThat(spec(answer("{" + asked + ",'lastApplied':null}"))).isEqualTo(Json.value("{'a':1,'b':2}"));
        assertThat(spec(answer("{" + asked + ",'lastApplied':{'spec':{'b':2}}}")))
                .isEqualTo(Json.value("{'a':1}"));
        assertThat(spec(answer("{" + asked + ",'lastApplied':'{\\\"spec\\\":{\\\"b\\\":2}}'}")))
                .isEqualTo(Json.value("{'a':1}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {"no JSON", "{", "[]", "{} {}", "AdditiveMergePatch - Skipping reconcileFields from last-applied."})
    void shouldRefuseAnInvalidHistory(String annotation) {
        assertThat(KubernetesObject.document(annotation)).isEmpty();
    }

    @Test
    void shouldKeepTheOwnerOfAnObjectIfNoneIsNamed() {
        String live = "{" + WIDGET + ",'annotations':{'deploy.razee.io.parent':'/its/owner'}}}";
        MapValue answer = answer("{'live':" + live + ",'desired':{" + WIDGET + "}}}");
        assertThat(JsonBytes.text(answer.get("object"))).contains("\"deploy.razee.io.parent\":\"/its/owner\"");
        assertThat(answer.get("action")).isEqualTo(new Text("patch"));
        MapValue refused = answer(
                "{'parent':'/me','parents_alive':['/its/owner'],'live':" + live + ",'desired':{" + WIDGET + "}}}");
        assertThat(refused).isEqualTo(Json.value("{'id':null,'object':" + live + ",'action':'refused-other-parent'}"));
    }

    @Test
    void shouldAnswerForADocumentThatLeftTheSet() {
        String live = "{" + WIDGET + ",'annotations':{'deploy.razee.io.parent':'/me'}}}";
        String asked = "{'parent':'/me','desired':null,'live':" + live;
        assertThat(answer(asked + "}"))
                .isEqualTo(Json.value("{'id':null,'object':null,'action':'delete','request':{'method':'DELETE'}}"));
        assertThat(answer(asked + ",'reconcile':'confirm'}").get("action")).isEqualTo(new Text("held"));
        assertThat(answer(asked + ",'reconcile':'confirm','confirmed':true}").get("action"))
                .isEqualTo(new Text("delete"));
        MapValue released = answer(asked + ",'reconcile':'false'}");
        assertThat(released.get("object")).isEqualTo(Json.value("{" + WIDGET + ",'annotations':{}}}"));
        assertThat(((MapValue) released.get("request")).get("contentType"))
                .isEqualTo(new Text("application/merge-patch+json"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "7 | a JSON object",
                "{'id':'x'} | either a patch or a desired document",
                "{'id':'x','patch':1,'desired':2} | either a patch or a desired document",
                "{'id':'x','mode':'Apply','patch':{}} | a patch is a merge-patch or a strategic-merge-patch",
                "{'id':'x','mode':'nonsense','desired':{}} | no such mode",
                "{'id':'x','mode':7,'desired':{}} | mode has to be a text",
                "{'id':'x','desired':[]} | desired has to be a JSON object",
                "{'id':'x','desired':{},'live':[]} | live has to be a JSON object",
                "{'id':'x','desired':{},'parents_alive':{}} | a list of texts",
                "{'id':'x','mode':'strategic-merge-patch','patch':[]} | has to be a JSON object",
            })
    void shouldExplainAnInvalidQuestion(String question, String words) {
        MapValue answer = MergeAnswers.answer(Json.value(question));
        assertThat(answer.get("id")).isEqualTo(question.equals("7") ? Null.NULL : new Text("x"));
        MapValue error = (MapValue) answer.get("error");
        assertThat(error.get("kind")).isEqualTo(new Text("invalid-request"));
        assertThat(((Text) error.get("message")).value()).contains(words);
    }

    @Test
    void shouldNameTheFailingPathAndTheQuestion() {
        String pod = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'n'},'spec':{'containers':[%s]}}";
        MapValue answer = answer("{'mode':'StrategicMergePatch','live':" + pod.formatted("{'name':'a'}") + ",'desired':"
                + pod.formatted("{'image':'b'}") + "}");
        MapValue error = (MapValue) answer.get("error");
        assertThat(error.without("message"))
                .isEqualTo(Json.value("{'kind':'missing-merge-key','status':422,'path':'.spec.containers[0]'}"));
        assertThat(((MapValue) answer.get("request")).get("contentType"))
                .isEqualTo(new Text("application/strategic-merge-patch+json"));
        assertThat(answer.has("object") || answer.has("action")).isFalse();
    }

    private static Value spec(MapValue answer) {
        return ((MapValue) answer.get("object")).get("spec");
    }

    private static MapValue answer(String question) {
        return MergeAnswers.answer(Json.value(question));
    }
}
