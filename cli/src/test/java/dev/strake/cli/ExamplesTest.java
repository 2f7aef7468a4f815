package dev.strake.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.testing.TypedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The folder examples: its rendered output, and the claims of its pages and comments. */
class ExamplesTest {

    private static final Path EXAMPLES = Path.of("../examples");
    private static final Path SCHEMA = Path.of("../docs/document.schema.json");
    private static final String MODELINE = "# yaml-language-server: $schema=";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"site, site", "helm, helm/documents", "kustomize, kustomize/documents"})
    void shouldRenderToTheRecordedDocumentsWithoutAWarning(String name, String documents) throws Exception {
        String path = EXAMPLES.resolve(documents).toString();
        StrakeCommand.run(ExitCode.FINE, "validate", "--strict", path);
        assertThat(StrakeCommand.run(ExitCode.FINE, "render", path))
                .isEqualTo(Files.readString(EXAMPLES.resolve("rendered").resolve(name + ".yaml")));
    }

    @Test
    void shouldRenderTheValuesThatHelmMerges() throws Exception {
        Value values = MapValue.EMPTY;
        for (String file : List.of("values.yaml", "values-production.yaml", "values-north.yaml")) {
            values = coalesced(
                    values, read(EXAMPLES.resolve("helm/before").resolve(file)).get(0));
        }
        Value set = ((MapValue) values).with("replicaCount", JsonReader.read("5"));
        assertThat(json(data("helm/documents", "helm/Values/v1"))).isEqualTo(json(set));
    }

    /* Merges values over those of a chart, like Helm: mappings are merged, null removes, other values are replaced. */
    private static Value coalesced(Value under, Value over) {
        if (!(under instanceof MapValue below) || !(over instanceof MapValue above)) {
            return over;
        }
        MapValue result = below;
        for (String key : above.keys()) {
            Value value = above.get(key);
            result = value instanceof Null
                    ? result.without(key)
                    : result.with(key, below.has(key) ? coalesced(below.get(key), value) : value);
        }
        return result;
    }

    @Test
    void shouldPointEditorsToTheSchema() throws Exception {
        ObjectMapper json = new ObjectMapper();
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(json.readTree(Files.readString(SCHEMA)));
        for (String set : List.of("site", "helm/documents", "kustomize/documents")) {
            for (Path file : files(EXAMPLES.resolve(set))) {
                String modeline = Files.readAllLines(file).get(0);
                assertThat(modeline).as(file.toString()).startsWith(MODELINE);
                assertThat(file.resolveSibling(modeline.substring(MODELINE.length()))
                                .toRealPath())
                        .isEqualTo(SCHEMA.toRealPath());
                for (Value document : read(file)) {
                    assertThat(schema.validate(json.readTree(JsonBytes.of(document))))
                            .as(file.toString())
                            .isEmpty();
                }
            }
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the commands of the page are those of a POSIX shell")
    void shouldPrintTheOutputOfThePage() throws Exception {
        try (Stream<Path> all = Files.walk(EXAMPLES)) {
            for (Path file : all.toList()) {
                Path copy = folder.resolve(EXAMPLES.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
        String page = Files.readString(EXAMPLES.resolve("README.md"));
        assertThat(new TypedPage(page, folder, TypedPage.OF_THIS_CLASS_PATH, Map.of()).follow())
                .isGreaterThan(4);
    }

    private static Value data(String documents, String schema) {
        Value rendered = JsonReader.read(StrakeCommand.run(
                ExitCode.FINE,
                "render",
                "-o",
                "json",
                EXAMPLES.resolve(documents).toString()));
        return ((ListValue) rendered)
                .items().stream()
                        .map(MapValue.class::cast)
                        .filter(document -> document.get("schema").equals(new Text(schema)))
                        .findFirst()
                        .orElseThrow()
                        .get("data");
    }

    private static List<Value> read(Path file) throws Exception {
        return new DocumentReader(Limits.DEFAULT)
                .readTrees(Files.readAllBytes(file), TextFormat.DETECTED, file.toString()).stream()
                        .map(ReadDocument::value)
                        .toList();
    }

    private static List<Path> files(Path documents) throws IOException {
        try (Stream<Path> all = Files.walk(documents)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static String json(Value value) {
        return new String(JsonBytes.sorted(value), UTF_8);
    }
}
