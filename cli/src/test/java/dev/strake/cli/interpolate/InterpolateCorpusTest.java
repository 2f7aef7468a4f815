package dev.strake.cli.interpolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.cli.files.PlainYaml;
import dev.strake.engine.interpolation.Variables;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Real files, compared with recorded answers of {@code bosh interpolate}. */
class InterpolateCorpusTest {

    /** A part of the corpus, stored with the other recorded answers. */
    private static final Path DEPLOYMENT = Path.of("../engine/src/test/resources/cf-deployment");

    private static final Path CORPUS = Path.of(System.getProperty("strake.corpus", "../../shared/corpus"));

    /* Values that can be null in Strake, in every spelling; see docs/bosh-compatibility.md. */
    private static final Map<String, String> NULLS = Map.of(
            "shared-yaml-14-0015", "{\"proxy-39\":null}",
            "shared-yaml-14-0016", "{\"proxy-39\":\"null\"}",
            "shared-yaml-14-0017", "{\"proxy-39\":\"~\"}");

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> shouldReadYamlAsTheToolDoes() throws IOException {
        try (InputStream in =
                new GZIPInputStream(InterpolateCorpusTest.class.getResourceAsStream("/bosh-ops/yaml.jsonl.gz"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> (MapValue) JsonReader.read(line))
                    .map(recorded -> DynamicTest.dynamicTest(text(recorded, "id"), () -> assertRead(recorded)));
        }
    }

    private void assertRead(MapValue recorded) throws IOException, InvalidInputException {
        Path base = Files.writeString(folder.resolve("base.yml"), text(recorded, "document_yaml"));
        Path operations = Files.writeString(folder.resolve("ops.yml"), text(recorded, "ops_yaml"));
        MapValue expected = (MapValue) recorded.get("expect");
        if (NULLS.containsKey(text(recorded, "id"))) {
            assertThat(result(base, List.of(operations.toString())))
                    .isEqualTo(JsonReader.read(NULLS.get(text(recorded, "id"))));
        } else if (expected.has("error")) {
            assertThatExceptionOfType(InvalidInputException.class)
                    .isThrownBy(() -> result(base, List.of(operations.toString())))
                    .withMessageStartingWith(operations + ":");
        } else {
            assertThat(comparable(result(base, List.of(operations.toString()))))
                    .isEqualTo(comparable(expected.get("document")));
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldMakeOfARealDeploymentWhatTheToolMakes() throws IOException {
        return cases(DEPLOYMENT);
    }

    @TestFactory
    Stream<DynamicTest> shouldApplyAllRecordedFilesOfTheDeployment() throws IOException {
        Path all = CORPUS.resolve("cf-deployment");
        if (Files.exists(all)) {
            return cases(all);
        }
        // A separate test, because reports do not list a skipped factory.
        return Stream.of(DynamicTest.dynamicTest(
                "all files",
                () -> Assumptions.abort("no more files without the corpus: -Dstrake.corpus=DIR says where it is")));
    }

    private static Stream<DynamicTest> cases(Path deployment) throws IOException {
        MapValue recorded = (MapValue) JsonReader.read(Files.readString(deployment.resolve("expected.json")));
        return items(recorded, "cases")
                .map(MapValue.class::cast)
                .map(one -> DynamicTest.dynamicTest(text(one, "id"), () -> assertMade(deployment, one)));
    }

    private static void assertMade(Path deployment, MapValue recorded) throws IOException, InvalidInputException {
        MapValue expected = (MapValue) recorded.get("expect");
        Path base = deployment.resolve("cf-deployment.yml");
        List<String> operations = files(deployment, recorded, "ops");
        if (expected.has("error")) {
            String words = text(expected, "error");
            assertThatExceptionOfType(InvalidInputException.class)
                    .isThrownBy(() -> result(base, operations))
                    .withMessageStartingWith(deployment.resolve(text(expected, "file")) + ":")
                    .withMessageContaining("operation [" + ((Num) expected.get("op")).literal() + "]")
                    .withMessageContaining(words);
            return;
        }
        Variables variables = new VariableSources(
                        items(recorded, "vars")
                                .map(item -> ((Text) item).value())
                                .toList(),
                        List.of(),
                        files(deployment, recorded, "vars_files"),
                        List.of())
                .read(yaml(), Map.of());
        Value result = recorded.has("vars")
                ? Interpolating.read(yaml(), base.toString(), operations).result(variables, false, false)
                : Interpolating.read(yaml(), base.toString(), operations).patched();
        assertThat(sha256(result)).isEqualTo(text(expected, "sha256"));
    }

    @Test
    void shouldNotChangeADocumentWithoutOperations() throws IOException, InvalidInputException {
        MapValue recorded = (MapValue) JsonReader.read(Files.readString(DEPLOYMENT.resolve("expected.json")));
        Value base = Interpolating.read(
                        yaml(), DEPLOYMENT.resolve("cf-deployment.yml").toString(), List.of())
                .patched();
        assertThat(sha256(base)).isEqualTo(text((MapValue) recorded.get("base"), "sha256"));
    }

    private static Value result(Path base, List<String> operations) throws IOException, InvalidInputException {
        return Interpolating.read(yaml(), base.toString(), operations).patched();
    }

    private static PlainYaml yaml() {
        return new PlainYaml(InputStream.nullInputStream());
    }

    private static String sha256(Value value) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(JsonBytes.sorted(value)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static String comparable(Value value) {
        return new String(JsonBytes.sorted(byValue(value)), StandardCharsets.UTF_8);
    }

    /* Compares numbers by value: Strake keeps 1.0, and bosh writes 1. */
    private static Value byValue(Value value) {
        if (value instanceof MapValue map) {
            MapValue.Builder result = MapValue.builder();
            map.forEach((key, item) -> result.put(key, byValue(item)));
            return result.build();
        }
        if (value instanceof ListValue list) {
            return ListValue.of(
                    list.items().stream().map(InterpolateCorpusTest::byValue).toList());
        }
        return value instanceof Num num
                ? new Text("number " + num.decimal().stripTrailingZeros().toPlainString())
                : value;
    }

    private static List<String> files(Path deployment, MapValue recorded, String key) {
        return items(recorded, key)
                .map(item -> deployment.resolve(((Text) item).value()).toString())
                .toList();
    }

    private static Stream<Value> items(MapValue map, String key) {
        return map.get(key) instanceof ListValue list ? list.items().stream() : Stream.of();
    }

    private static String text(MapValue map, String key) {
        return map.get(key) instanceof Text text ? text.value() : "";
    }
}
