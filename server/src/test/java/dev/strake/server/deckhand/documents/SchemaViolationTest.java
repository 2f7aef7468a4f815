package dev.strake.server.deckhand.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.document.Document;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SchemaViolationTest {

    private static final String SCHEMA = """
            schema: deckhand/DataSchema/v1
            metadata: {schema: metadata/Control/v1, name: a/B/v1, storagePolicy: cleartext}
            data: {properties: {b: {maximum: 100}}}
            """;

    private static final String DOCUMENT = """
            schema: a/B/v1
            metadata:
              schema: metadata/Document/v1
              name: bad
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
              - src: {schema: a/Secret/v1, name: s, path: .}
                dest: {path: .a}
              - src: {schema: a/Secret/v1, name: s, path: .}
                dest: [{path: '.deep.list[0].x'}, {path: .deep.new}]
            data: {a: s3cr3t, b: 177, deep: {list: [{x: s3cr3t, y: 1}]}}
            """;

    private static MapValue diagnostic(String document, String schema, String path) throws Exception {
        Document broken = read(document);
        Problem problem = Problem.of(
                        ProblemCode.INVALID_DOCUMENT_FORMAT,
                        broken.id(),
                        "violates the schema a/B/v1: .data.b is too large (schema $.properties.b.maximum)",
                        null)
                .at(path);
        return SchemaViolation.diagnostic(problem, broken, read(schema));
    }

    private static Document read(String yaml) throws Exception {
        return Document.of(new DocumentReader(Limits.DEFAULT)
                .readTrees(yaml.getBytes(StandardCharsets.UTF_8), TextFormat.YAML, "test")
                .get(0)
                .value());
    }

    @Test
    void shouldReportTheRuleTheSchemaAndTheContext() throws Exception {
        MapValue diagnostic = diagnostic(DOCUMENT, SCHEMA, ".data.b");
        assertThat(diagnostic.text("schema_path")).isEqualTo(".properties.b.maximum");
        assertThat(diagnostic.get("validation_schema")).isEqualTo(read(SCHEMA).data());
        MapValue section = diagnostic.map("error_section");
        assertThat(section.text("a")).isEqualTo("Sanitized to avoid exposing secret.");
        assertThat(section.get("b")).isEqualTo(Num.of(177));
        assertThat(diagnostic(DOCUMENT, SCHEMA, ".data.deep.list[0].y")
                        .map("error_section")
                        .get("y"))
                .isEqualTo(Num.of(1));
    }

    @Test
    void shouldHideSubstitutedAndEncryptedValues() throws Exception {
        for (String path :
                new String[] {".data", ".data.b", ".data.deep.list", ".data.deep.list[0].x", ".data.no.where"}) {
            assertThat(JsonBytes.text(diagnostic(DOCUMENT, SCHEMA, path)))
                    .as(path)
                    .doesNotContain("s3cr3t");
        }
        assertThat(diagnostic(DOCUMENT.replace("cleartext", "encrypted"), SCHEMA, ".data.b")
                        .has("error_section"))
                .isFalse();
        assertThat(diagnostic(DOCUMENT, SCHEMA.replace("cleartext", "encrypted"), ".data.b")
                        .has("validation_schema"))
                .isFalse();
    }
}
