package dev.strake.engine.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.Json;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentFormatTest {

    /** A document that uses all features. */
    static final MapValue FULL = Json.map("""
            {'schema': 'a/B/v1',
             'metadata': {
               'schema': 'metadata/Document/v1', 'name': 'n', 'storagePolicy': 'cleartext', 'replacement': false,
               'labels': {'l': 'v'},
               'layeringDefinition': {
                 'layer': 'site', 'abstract': false, 'parentSelector': {'l': 'w'},
                 'actions': [{'method': 'merge', 'path': '.'}]},
               'substitutions': [
                 {'src': {'schema': 'a/C/v1', 'name': 's', 'path': '.x', 'pattern': '(a)', 'match_group': 1, 'deepcopy': true},
                  'dest': {'path': '.y', 'pattern': 'P', 'recurse': {'depth': -1}}},
                 {'src': {'schema': 'a/C/v1', 'name': 's', 'path': '.x'}, 'dest': [{'path': '.y'}]}]},
             'data': {'any': 'thing'}}
            """);

    static final MapValue POLICY = Json.map("""
            {'schema': 'deckhand/LayeringPolicy/v1',
             'metadata': {'schema': 'metadata/Control/v1', 'name': 'p', 'storagePolicy': 'cleartext', 'labels': {'l': 'v'}},
             'data': {'layerOrder': ['a', 'b']}}
            """);

    static final MapValue VALIDATION_POLICY = Json.map("""
            {'schema': 'deckhand/ValidationPolicy/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'p'},
             'data': {'validations': [{'name': 'v', 'expiresAfter': 'P1W'}]}}
            """);

    private static final String ABSENT = " (absent)";

    static final Map<String, Value> KINDS = new TreeMap<>(Map.of(
            "text", Json.value("'token'"),
            "integer", Json.value("7"),
            "huge", Json.value("1e2147483649"),
            "number", Json.value("1.5"),
            "boolean", Json.value("true"),
            "null", Json.value("null"),
            "list", Json.value("[]"),
            "mapping", Json.value("{}"),
            "filled list", Json.value("['x',1]"),
            "filled mapping", Json.value("{'x':1}")));

    @Test
    void shouldAcceptADocumentThatUsesEverything() throws DocumentFormatException {
        for (MapValue tree : List.of(FULL, POLICY, VALIDATION_POLICY)) {
            assertThat(Document.of(tree).tree()).isEqualTo(tree);
        }
    }

    /* The permitted values of each place, reviewed against the table in the description of Deckhand's documents. */
    @Test
    void shouldAcceptOnlyTheListedKeysAtEachPlace() throws IOException, DocumentFormatException {
        StringBuilder accepted = new StringBuilder();
        for (MapValue full : List.of(FULL, POLICY, VALIDATION_POLICY)) {
            accepted.append(Document.of(full).id().schema()).append('\n');
            places(full, "", replaced -> replaced).forEach((place, replacing) -> {
                List<String> kinds = KINDS.keySet().stream()
                        .filter(kind -> isDocument(replacing.apply(KINDS.get(kind))))
                        .toList();
                if (!kinds.isEmpty()) {
                    boolean all = kinds.size() == KINDS.size();
                    accepted.append("  %s: %s\n".formatted(place, all ? "anything" : String.join(", ", kinds)));
                }
            });
        }
        try (InputStream listed = getClass().getResourceAsStream("/document-format.txt")) {
            assertThat(accepted.toString().replace(ABSENT + ": anything", " may be absent"))
                    .isEqualToNormalizingNewlines(new String(listed.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static boolean isDocument(Value tree) {
        try {
            return Document.of(tree) != null;
        } catch (DocumentFormatException e) {
            return false;
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldNameThePlaceOfEveryWrongKindWhereverTheSchemaSpeaks() {
        List<DynamicTest> tests = new ArrayList<>();
        for (MapValue full : List.of(FULL, POLICY, VALIDATION_POLICY)) {
            places(full, "", replaced -> replaced).forEach((place, replacing) -> {
                for (Map.Entry<String, Value> kind : KINDS.entrySet()) {
                    tests.add(DynamicTest.dynamicTest(
                            place + " is " + kind.getKey(), () -> check(place, replacing.apply(kind.getValue()))));
                }
            });
        }
        return tests.stream();
    }

    /* Checks that problems of an invalid document point at the place, or at a place inside or around it. */
    private static void check(String described, Value tree) {
        String place = described.replace(ABSENT, "");
        try {
            Document.of(tree);
        } catch (DocumentFormatException e) {
            assertThat(e.problems()).isNotEmpty().allSatisfy(problem -> {
                assertThat(problem.code()).isEqualTo(ProblemCode.INVALID_DOCUMENT_FORMAT);
                String path = problem.path() == null ? "" : problem.path();
                boolean near = path.startsWith(place) || place.startsWith(path);
                assertThat(near).as(path + " for a fault at " + place).isTrue();
                assertThat(problem.message() + problem.hint()).doesNotContain("token");
            });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "schema                                          | 'a/B'          | .schema",
                "schema                                          | 'a/B/1'        | .schema",
                "schema                                          | 'a/B/v1/x'     | .schema",
                "schema                                          | ''             | .schema",
                "schema                                          | 7              | .schema",
                "metadata                                        | []             | .metadata",
                "metadata.schema                                 | 'metadata/Document/v2' | .metadata.schema",
                "metadata.name                                   | 7              | .metadata.name",
                "metadata.storagePolicy                          | 'open'         | .metadata.storagePolicy",
                "metadata.labels                                 | ['l']          | .metadata.labels",
                "metadata.replacement                            | 'yes'          | .metadata.replacement",
                "metadata.layeringDefinition                     | null           | .metadata.layeringDefinition",
                "metadata.layeringDefinition.layer               | 1              | .metadata.layeringDefinition.layer",
                "metadata.layeringDefinition.abstract            | 'no'           | .metadata.layeringDefinition.abstract",
                "metadata.layeringDefinition.parentSelector      | {}             | .metadata.layeringDefinition.parentSelector",
                "metadata.layeringDefinition.actions             | []             | .metadata.layeringDefinition.actions",
                "metadata.layeringDefinition.actions             | [7]            | .metadata.layeringDefinition.actions[0]",
                "metadata.layeringDefinition.actions             | [{'method':'add','path':'.'}] | .metadata.layeringDefinition.actions[0].method",
                "metadata.layeringDefinition.actions             | [{'method':'merge'}] | .metadata.layeringDefinition.actions[0].path",
                "metadata.substitutions                          | {}             | .metadata.substitutions",
                "metadata.substitutions                          | [[]]           | .metadata.substitutions[0]",
                "metadata.substitutions                          | [{'src':{'schema':'a','name':'b','path':'.'},'dest':[]}] | .metadata.substitutions[0].dest",
                "metadata.substitutions                          | [{'src':{'schema':'a','name':'b','path':1},'dest':{'path':'.'}}] | .metadata.substitutions[0].src.path",
                "metadata.substitutions                          | [{'src':{'schema':'a','name':'b','path':'.'},'dest':{'path':'.','recurse':{}}}] | .metadata.substitutions[0].dest.recurse.depth",
                "metadata.substitutions                          | [{'src':{'schema':'a','name':'b','path':'.'},'dest':{'path':'.','recurse':{'depth':-2}}}] | .metadata.substitutions[0].dest.recurse.depth",
                "metadata.substitutions                          | [{'src':{'schema':'a','name':'b','path':'.'},'dest':{'path':'.','recurse':{'depth':-4294967295}}}] | .metadata.substitutions[0].dest.recurse.depth",
                "extra                                           | 1              | .extra",
                "metadata.extra                                  | 1              | .metadata.extra",
            })
    void shouldPointAtTheFault(String place, String value, String expected) {
        MapValue tree = with(FULL, place.split("\\."), 0, Json.value(value));
        assertThat(DocumentFormat.check(tree)).extracting(Problem::path).contains(expected);
    }

    @Test
    void shouldFillMissingFieldsWithDefaults() throws DocumentFormatException {
        MapValue left = Json.map("{'schema':'a/B/v1','metadata':{'name':'n','layeringDefinition':{'layer':'l'}}}");
        assertThat(Json.text(Document.of(left).metadata()))
                .isEqualTo("{\"schema\":\"metadata/Document/v1\",\"name\":\"n\",\"storagePolicy\":\"cleartext\","
                        + "\"layeringDefinition\":{\"layer\":\"l\"}}");
        MapValue policy =
                Json.map("{'schema':'deckhand/LayeringPolicy/v1','metadata':{'name':'p'},'data':{'layerOrder':['l']}}");
        assertThat(Json.text(Document.of(policy).metadata()))
                .isEqualTo("{\"schema\":\"metadata/Control/v1\",\"name\":\"p\"}");
        assertThat(Document.of(policy).isControl()).isTrue();
        for (String schema : List.of("deckhand/DataSchema/v1", "deckhand/ValidationPolicy/v2")) {
            MapValue control =
                    Json.map("{'schema':'" + schema + "','metadata':{'name':'p'},'data':{'validations':[]}}");
            assertThat(Document.of(control).isControl()).as(schema).isTrue();
        }
    }

    @Test
    void shouldNotChangeTheWrittenText() throws DocumentFormatException {
        for (MapValue tree : List.of(FULL, POLICY, VALIDATION_POLICY)) {
            assertThat(Document.of(tree).tree()).isSameAs(tree);
        }
        MapValue odd = Json.map("{'schema':'a/B/v1','metadata':{'schema':'metadata/Control/v1','name':'n'},'data':1}");
        assertThat(Document.of(odd).tree()).isSameAs(odd);
    }

    /* As commands without a key read them. */
    @Test
    void shouldSayThatASealedLayeringPolicyTellsNoLayers() {
        assertThatThrownBy(() -> Document.of(sealed(POLICY, "encrypted")))
                .isInstanceOfSatisfying(DocumentFormatException.class, e -> {
                    assertThat(e.problems()).hasSize(1);
                    assertThat(e.problems().get(0).describe())
                            .contains(
                                    ".data is sealed",
                                    "without known layers",
                                    "publish the layering policy as cleartext");
                });
        assertThatThrownBy(() -> Document.of(sealed(POLICY, "cleartext")))
                .hasMessageContaining("$sealed is an unknown key");
    }

    @Test
    void shouldTakeASealedValidationPolicy() throws DocumentFormatException {
        MapValue sealed = sealed(VALIDATION_POLICY, "encrypted");
        assertThat(Document.of(sealed).tree()).isEqualTo(sealed);
        assertThat(isDocument(sealed(VALIDATION_POLICY, "cleartext"))).isFalse();
    }

    private static MapValue sealed(MapValue document, String policy) {
        MapValue metadata = document.map("metadata").with("storagePolicy", new Text(policy));
        return document.with("metadata", metadata).with("data", Json.value("{'$sealed':'AAAA'}"));
    }

    /* A password must not be published in clear text because its author forgot a line. */
    @Test
    void shouldRequireAStoragePolicy() {
        MapValue password = Json.map(
                "{'schema':'deckhand/Passphrase/v1','metadata':{'name':'n','layeringDefinition':{'layer':'l'}},'data':'p'}");
        assertThatThrownBy(() -> Document.of(password))
                .isInstanceOfSatisfying(
                        DocumentFormatException.class,
                        e -> assertThat(e.problems())
                                .extracting(Problem::path)
                                .containsExactly(".metadata.storagePolicy"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k8s/Deployment/v1",
                "my-app/Values/v1beta2",
                "networking.k8s.io/Ingress/v1",
                "my_app/a-b.c_d/v12",
                "1/2/v3",
            })
    void shouldAcceptNamesOfSchemasThatDeckhandRejects(String name) throws DocumentFormatException {
        MapValue tree = FULL.with("schema", new Text(name));
        assertThat(Document.of(tree).tree()).isSameAs(tree);
        assertThatThrownBy(() -> Document.ofDeckhand(tree, null))
                .isInstanceOfSatisfying(
                        DocumentFormatException.class,
                        e -> assertThat(e.problems()).extracting(Problem::path).containsExactly(".schema"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apps/v1",
                "a/B",
                "a/B/C/v1",
                "-a/B/v1",
                "a./B/v1",
                "../B/v1",
                "a/B_/v1",
                "_a/B/v1",
                "a b/C/v1",
                "a|b/C/v1",
                "\u00e4/B/v1",
                "a/B/v1gamma1",
                "a/B/v1\n",
                "/B/v1"
            })
    void shouldRejectAmbiguousNamesOfSchemas(String name) {
        assertThat(DocumentFormat.check(FULL.with("schema", new Text(name))))
                .extracting(Problem::path)
                .containsExactly(".schema");
    }

    @Test
    void shouldReportAllProblemsAtOnce() {
        MapValue tree = FULL.with("schema", Json.value("1")).with("extra", Json.value("2"));
        assertThat(DocumentFormat.check(tree)).extracting(Problem::path).containsExactlyInAnyOrder(".schema", ".extra");
    }

    @Test
    void shouldAcceptAnyMetadataInAControlDocument() {
        KINDS.forEach((kind, value) -> {
            for (String key : List.of("layeringDefinition", "replacement", "substitutions", "labels", "other")) {
                MapValue metadata = ((MapValue) POLICY.get("metadata")).with(key, value);
                assertThat(isDocument(POLICY.with("metadata", metadata)))
                        .as(key + " is " + kind)
                        .isEqualTo(!key.equals("labels") || kind.equals("mapping"));
            }
        });
    }

    private static MapValue with(MapValue map, String[] keys, int i, Value value) {
        return map.with(keys[i], i == keys.length - 1 ? value : with((MapValue) map.get(keys[i]), keys, i + 1, value));
    }

    /* All places in a tree by path, each with a function that replaces its value. */
    static Map<String, UnaryOperator<Value>> places(Value value, String path, UnaryOperator<Value> replacing) {
        Map<String, UnaryOperator<Value>> result = new TreeMap<>();
        result.put(path, replacing);
        if (value instanceof MapValue map) {
            for (String key : map.keys()) {
                result.putAll(places(map.get(key), path + "." + key, child -> replacing.apply(map.with(key, child))));
                result.put(path + "." + key + ABSENT, child -> replacing.apply(map.without(key)));
            }
        } else if (value instanceof ListValue list) {
            for (int i = 0; i < list.size(); i++) {
                int position = i;
                result.putAll(places(
                        list.get(i), path + "[" + i + "]", child -> replacing.apply(list.with(position, child))));
            }
        }
        return result;
    }
}
