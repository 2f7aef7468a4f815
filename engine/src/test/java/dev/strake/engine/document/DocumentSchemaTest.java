package dev.strake.engine.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.strake.engine.Json;
import dev.strake.engine.corpus.RecordedAnswers;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that docs/document.schema.json, which editors use, accepts exactly the documents that the engine accepts. */
class DocumentSchemaTest {

    private static final Path FILE = Path.of("../docs/document.schema.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Schema schema;

    @BeforeAll
    static void readSchema() throws IOException {
        schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(JSON.readTree(Files.readString(FILE)));
    }

    @Test
    void shouldAgreeWithTheEngineOnEveryKindOfValueAtEveryPlace() throws IOException {
        AtomicInteger accepted = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        for (MapValue full :
                List.of(DocumentFormatTest.FULL, DocumentFormatTest.POLICY, DocumentFormatTest.VALIDATION_POLICY)) {
            DocumentFormatTest.places(full, "", replaced -> replaced)
                    .forEach((place, replacing) -> DocumentFormatTest.KINDS.forEach((kind, value) -> {
                        // The schema library of this test cannot hold a number with two billion digits.
                        if (!kind.equals("huge")) {
                            (shouldAgree(replacing.apply(value), place + " is " + kind) ? accepted : refused)
                                    .incrementAndGet();
                        }
                    }));
        }
        assertThat(accepted.get()).isGreaterThan(50);
        assertThat(refused.get()).isGreaterThan(300);
    }

    @Test
    void shouldAgreeWithTheEngineOnAnUnknownKeyAtEveryPlace() throws IOException {
        for (MapValue full :
                List.of(DocumentFormatTest.FULL, DocumentFormatTest.POLICY, DocumentFormatTest.VALIDATION_POLICY)) {
            DocumentFormatTest.places(full, "", replaced -> replaced).keySet().stream()
                    .filter(place -> !place.endsWith(")"))
                    .forEach(place -> shouldAgree(withUnknownKey(full, place, ""), "unknown key in " + place));
        }
    }

    /* Adds a key to the mapping at a place. */
    private static Value withUnknownKey(Value value, String place, String at) {
        if (!(value instanceof MapValue map)) {
            return value;
        }
        MapValue result = at.equals(place) ? map.with("unknown", Json.value("1")) : map;
        for (String key : map.keys()) {
            result = result.with(key, withUnknownKey(map.get(key), place, at + "." + key));
        }
        return result;
    }

    @Test
    void shouldAgreeWithTheEngineOnAllRecordedDocuments() {
        List<Value> documents = RecordedAnswers.documents().toList();
        assertThat(documents).hasSizeGreaterThan(1_000);
        documents.forEach(document -> shouldAgree(document, document.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'schema': 'a/B'}",
                "{'schema': 'a1/B/v1'}",
                "{'schema': 'a/B/v1', 'metadata': {'schema': 'metadata/Document/v2', 'name': 'x'}}",
                "{'schema': 'a/B/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x', 'storagePolicy':"
                        + " 'open'}}",
                "{'schema': 'a/B/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x', 'labels': {'a': 1}}}",
                "{'schema': 'a/B/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x', 'more': {'a': 1}}}",
                "{'schema': 'deckhand/DataSchema/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x'},"
                        + " 'data': 1}",
                "{'schema': 'deckhand/DataSchema/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'a/B/v1'},"
                        + " 'data': 1}",
                "{'schema': 'deckhand/DataSchema/v2', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'a/B/v1'},"
                        + " 'data': 'x'}",
                "{'schema': 'deckhand/DataSchema/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x'}}",
                "{'schema': 'deckhand/LayeringPolicy/v2', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x'}}",
                "{'schema': 'deckhand/LayeringPolicy/v1', 'metadata': {'name': 'x'}, 'data': {'layerOrder': []}}",
                "{'schema': 'deckhand/Passphrase/v1', 'metadata': {'name': 'x', 'layeringDefinition': {'layer': 'l'}}}",
                "{'schema': 'deckhand/Passphrase/v1', 'metadata': {'schema': 'metadata/Control/v1', 'name': 'x'}}",
                "{'schema': 'a/B/v1', 'metadata': {'name': 'x'}}",
                "{'schema': 'my-app/B.c/v1', 'metadata': {'name': 'x', 'layeringDefinition': {'layer': 'l'}}}",
                "{'schema': '-app/B/v1', 'metadata': {'name': 'x', 'layeringDefinition': {'layer': 'l'}}}",
                "{'schema': 'deckhand/DataSchema/v1', 'metadata': {'name': 'my-app/B/v1'}, 'data': 'x'}",
                "{'apiVersion': 'v1', 'kind': 'Service', 'metadata': {'name': 'x'}}",
                "[]"
            })
    void shouldAgreeWithTheEngineOnRulesForControlDocuments(String document) {
        shouldAgree(Json.value(document), document);
    }

    private static boolean shouldAgree(Value tree, String what) {
        JsonNode node;
        try {
            node = JSON.readTree(JsonBytes.of(tree));
        } catch (IOException e) {
            throw new AssertionError(what, e);
        }
        List<Error> violations = schema.validate(node);
        assertThat(violations.isEmpty()).as(what + ": " + violations).isEqualTo(DocumentFormatTest.isDocument(tree));
        return violations.isEmpty();
    }
}
