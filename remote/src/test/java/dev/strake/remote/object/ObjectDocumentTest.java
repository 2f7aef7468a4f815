package dev.strake.remote.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.document.Document;
import dev.strake.engine.tree.MapValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectDocumentTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apps/v1 | Deployment | shop | web | Deployment.apps/shop/web",
                "apps/v1beta2 | Deployment | shop | web | Deployment.apps/shop/web",
                "v1 | Service | shop | web | Service/shop/web",
                "v1 | Namespace | | shop | Namespace/shop",
                "rbac.authorization.k8s.io/v1 | ClusterRole | | system:node | ClusterRole.rbac.authorization.k8s.io/system:node",
            })
    void shouldNameADocumentByItsObject(String version, String kind, String namespace, String name, String expected)
            throws Exception {
        MapValue object = object(version, kind, namespace, name);
        MapValue document = ObjectDocument.of(object, "site");
        Document valid = Document.of(document);
        assertThat(valid.id().key()).isEqualTo(ObjectDocument.key(ObjectIdentity.of(object)));
        assertThat(valid.id().name()).isEqualTo(expected);
        assertThat(valid.id().layer()).isEqualTo("site");
    }

    @Test
    void shouldRestoreTheObject() throws Exception {
        MapValue object = Json.map(
                "{'kind':'Secret','apiVersion':'v1','data':{'a':'eA=='},'metadata':{'name':'s','labels':{'tier':'front'}}}");
        MapValue document = ObjectDocument.of(object, "site");
        assertThat(document.get("metadata"))
                .isEqualTo(
                        Json.value(
                                "{'schema':'metadata/Document/v1','name':'Secret/s','labels':{'tier':'front'},'storagePolicy':'encrypted','layeringDefinition':{'abstract':false,'layer':'site'}}"));
        assertThat(Json.text(ObjectDocument.object(document).orElseThrow())).isEqualTo(Json.text(object));
    }

    @Test
    void shouldExpandListsInOrder() {
        assertThat(
                        ObjectDocument.unfolded(
                                Json.value(
                                        "[{'kind':'list','items':[{'a':1},null,{'kind':'ConfigMapList','items':[{'b':2},7]}]},null,{'kind':'BlockList','metadata':{'name':'x'},'items':[1]}]")))
                .containsExactly(
                        Json.value("{'a':1}"),
                        Json.value("{'b':2}"),
                        Json.value("7"),
                        Json.value("{'kind':'BlockList','metadata':{'name':'x'},'items':[1]}"));
        assertThat(ObjectDocument.unfolded(Json.value("null"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'apiVersion':'v1','kind':'Config','clusters':[]}",
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':7}}",
                "{'apiVersion':1,'kind':'Pod','metadata':{'name':'a'}}",
                "[1]",
                "'text'"
            })
    void shouldRecognizeOnlyObjects(String data) {
        assertThat(ObjectDocument.object(Json.map("{'data':" + data + "}"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v1 | ConfigMap | shop | ../secrets/x | .metadata.name",
                "v1 | ConfigMap | shop | a%2fb | .metadata.name",
                "v1 | ConfigMap | shop | .. | .metadata.name",
                "v1 | ConfigMap | a/b | x | .metadata.namespace",
                "a/b/v1 | ConfigMap | shop | x | .apiVersion",
                "v1?x | ConfigMap | shop | x | .apiVersion",
                "v1 | Deployment.apps | shop | x | .kind",
            })
    void shouldRefuseNamesThatWouldAddressAnotherObject(
            String version, String kind, String namespace, String name, String place) {
        assertThatThrownBy(() -> ObjectDocument.of(object(version, kind, namespace, name), "site"))
                .isInstanceOfSatisfying(
                        InvalidPatchException.class,
                        e -> assertThat(e.place().toString()).isEqualTo(place));
    }

    private static MapValue object(String version, String kind, String namespace, String name) {
        return Json.map("{'apiVersion':'" + version + "','kind':'" + kind + "','metadata':{'name':'" + name + "'"
                + (namespace == null ? "" : ",'namespace':'" + namespace + "'")
                + "},'spec':{'a':[1,null,{'b':1.50}]}}");
    }
}
