package dev.strake.remote.apply.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.strake.engine.Json;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.remote.object.InvalidPatchException;
import dev.strake.remote.object.InvalidPatchException.Kind;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of strategic merge patches, one by one. Each letter stands for a container with this name. */
class StrategicMergePatchTest {

    @ParameterizedTest
    @CsvSource({"a, b", "ab, ba", "abc, ab"})
    void shouldRefuseAListThatContradictsItsOrder(String patch, String order) {
        refuse(
                Kind.ORDER_MISMATCH,
                pod(list("abc")),
                "{'spec':{'containers':" + list(patch) + ",'$setElementOrder/containers':" + list(order) + "}}");
    }

    @Test
    void shouldDistinguishKeysByTheirType() throws InvalidPatchException {
        String live = pod("[{'name':'a','ports':[{'containerPort':80},{'containerPort':'80'}]}]");
        String patch = pod("[{'name':'a','ports':[{'containerPort':'80','name':'text'}]}]");
        assertThat(Json.text(merged(live, patch)))
                .contains("[{\"containerPort\":80},{\"containerPort\":\"80\",\"name\":\"text\"}]");
    }

    @Test
    void shouldKeepOnlyRetainedKeys() throws InvalidPatchException {
        String live =
                object("Deployment", "'spec':{'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':1}}}");
        assertThat(Json.text(merged(live, "{'spec':{'strategy':{'$retainKeys':['type'],'type':'Recreate'}}}")
                        .get("spec")))
                .isEqualTo("{\"strategy\":{\"type\":\"Recreate\"}}");
        assertThat(Json.text(
                        merged(live, "{'spec':{'strategy':{'$retainKeys':[]}}}").get("spec")))
                .isEqualTo("{\"strategy\":{}}");
        refuse(Kind.BAD_RETAIN_KEYS, live, "{'spec':{'strategy':{'$retainKeys':['type'],'rollingUpdate':{}}}}");
        refuse(Kind.BAD_RETAIN_KEYS, live, "{'spec':{'strategy':{'$retainKeys':'type'}}}");
    }

    /* Expects the answers of kubectl 1.32, which orders the list after deletions and additions. */
    @ParameterizedTest
    @CsvSource({
        "bca, c, d, cd, bad",
        "ba, b, b, b, ab",
        "abc, a, a, ac, bac",
        "abc, c, dc, dc, abdc",
        "abc, '', d, d, dabc",
        "abcd, bd, ef, ef, acef",
        "abcd, a, efg, efg, bcdefg"
    })
    void shouldPutANewElementInThePlaceOfADeletedOne(
            String live, String deleted, String added, String order, String result) throws InvalidPatchException {
        String elements = list(added) + (deleted.isEmpty() ? "" : list(deleted).replace("'}", "','$patch':'delete'}"));
        String patch = "{'spec':{'containers':" + elements.replace("][", ",") + ",'$setElementOrder/containers':"
                + list(order) + "}}";
        assertThat(names(merged(pod(list(live)), patch))).isEqualTo(result);
    }

    @Test
    void shouldRefuseAPatchThatRemovesTheKind() {
        for (String patch : new String[] {
            "{'$patch':'delete'}", "{'$patch':'replace'}", "{'kind':null}", "{'$patch':'delete','kind':'Pod'}"
        }) {
            InvalidPatchException refused = catchThrowableOfType(
                    InvalidPatchException.class,
                    () -> StrategicMergePatch.apply(
                            (MapValue) Json.value("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'}}"),
                            (MapValue) Json.value(patch)));
            assertThat(refused.kind()).as(patch).isEqualTo(Kind.INVALID_OBJECT);
        }
    }

    @Test
    void shouldNameThePathOfAnError() {
        String live = pod("[{'name':'a','ports':[{'containerPort':1}]}]");
        assertThat(refuse(Kind.UNKNOWN_PATCH_DIRECTIVE, live, pod("[{'name':'b','$patch':'merge'}]")))
                .isEqualTo(".spec.containers[0].$patch");
        assertThat(refuse(Kind.MISSING_MERGE_KEY, live, pod("[{'name':'b'},{'name':'a','ports':[{'name':'x'}]}]")))
                .isEqualTo(".spec.containers[1].ports[0]");
        assertThat(refuse(Kind.LIST_TYPES_DIFFER, live, pod("['text']"))).isEqualTo(".spec.containers[0]");
        assertThat(refuse(Kind.LIST_TYPES_DIFFER, live, pod("[['text']]"))).isEqualTo(".spec.containers[0]");
        assertThat(refuse(Kind.BAD_SET_ELEMENT_ORDER, live, "{'spec':{'$setElementOrder/containers':{}}}"))
                .isEqualTo(".spec.$setElementOrder/containers");
        assertThat(refuse(Kind.BAD_DELETE_FROM_PRIMITIVE_LIST, live, "{'spec':{'$deleteFromPrimitiveList':[]}}"))
                .isEqualTo(".spec.$deleteFromPrimitiveList");
        assertThat(refuse(Kind.UNREGISTERED_KIND, "{'apiVersion':'a.b/v1','kind':'Pod'}", "{}"))
                .isEqualTo(".");
    }

    /* Returns the path in the error. */
    private static String refuse(Kind kind, String live, String patch) {
        InvalidPatchException failure = catchThrowableOfType(InvalidPatchException.class, () -> merged(live, patch));
        assertThat(failure).as("a failure").isNotNull();
        assertThat(failure.kind()).isEqualTo(kind);
        return failure.place().toString();
    }

    private static MapValue merged(String live, String patch) throws InvalidPatchException {
        return StrategicMergePatch.apply(Json.map(live), Json.map(patch));
    }

    private static String object(String kind, String members) {
        String version = kind.equals("Pod") ? "v1" : "apps/v1";
        return "{'apiVersion':'" + version + "','kind':'" + kind + "'," + members + "}";
    }

    private static String pod(String containers) {
        return object("Pod", "'spec':{'containers':" + containers + "}");
    }

    private static String list(String names) {
        StringBuilder list = new StringBuilder();
        names.chars()
                .forEach(name -> list.append(",{'name':'").append((char) name).append("'}"));
        return "[" + (list.isEmpty() ? "" : list.substring(1)) + "]";
    }

    private static String names(MapValue pod) {
        return ((ListValue) ((MapValue) pod.get("spec")).get("containers"))
                .items().stream()
                        .map(container -> ((Text) ((MapValue) container).get("name")).value())
                        .collect(Collectors.joining());
    }
}
