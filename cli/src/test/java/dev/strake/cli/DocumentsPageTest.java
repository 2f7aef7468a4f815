package dev.strake.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.TextFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every example of docs/documents.md renders to the stated result, or has the stated problem. */
class DocumentsPageTest {

    private static final Path PAGE = Path.of("../docs/documents.md");

    /** A heading, a block, or the sentence that describes a block. */
    private static final Pattern PART = Pattern.compile(
            "^#+ (?<heading>[^\n]*)$|^`(?<name>[\\w/-]+)` (?:renders to|has the problem `(?<code>\\w+)`\\.)$"
                    + "|^```(?:yaml|json)\n(?<block>.*?)^```$",
            Pattern.DOTALL | Pattern.MULTILINE);

    @TempDir
    Path folder;

    /** The expected result of an example: the data of a document, or the code of its problem. */
    private record Expectation(String document, String data, String code) {}

    private record Example(String heading, String documents, List<Expectation> expectations) {}

    @TestFactory
    Stream<DynamicTest> shouldRenderEachExampleAsThePageSays() throws Exception {
        List<Example> examples = examples();
        assertThat(examples).hasSizeGreaterThan(14);
        String policy = examples.stream()
                .map(Example::documents)
                .filter(documents -> documents.contains("deckhand/LayeringPolicy/v1"))
                .findFirst()
                .orElseThrow();
        return examples.stream()
                .filter(example -> !example.documents().equals(policy))
                .map(example -> DynamicTest.dynamicTest(
                        example.heading() + ", " + example.documents().hashCode(), () -> check(policy, example)));
    }

    private void check(String policy, Example example) throws Exception {
        assertThat(example.expectations()).as(example.documents()).isNotEmpty();
        Path file = Files.writeString(folder.resolve("all.yaml"), policy + "---\n" + example.documents());
        CapturedTerminal validating = CapturedTerminal.pipe();
        int validated = Strake.run(validating.terminal(), "validate", file.toString());
        List<String> codes = example.expectations().stream()
                .map(Expectation::code)
                .filter(Objects::nonNull)
                .toList();
        if (!codes.isEmpty()) {
            assertThat(validated).isEqualTo(ExitCode.RENDER_PROBLEMS);
            for (Expectation expected : example.expectations()) {
                assertThat(validating.out().lines())
                        .anyMatch(line -> line.contains(" " + expected.code() + ": ")
                                && line.contains(", " + expected.document() + "]"));
            }
            return;
        }
        assertThat(validated).as(validating.out() + validating.err()).isEqualTo(ExitCode.FINE);
        MapValue rendered = MapValue.EMPTY;
        for (Value document : ((ListValue) JsonReader.read(StrakeCommand.run(
                        ExitCode.FINE, "render", "--cleartext-secrets", "-o", "json", file.toString())))
                .items()) {
            Text name = (Text) ((MapValue) ((MapValue) document).get("metadata")).get("name");
            rendered = rendered.with(name.value(), ((MapValue) document).get("data"));
        }
        for (Expectation expected : example.expectations()) {
            assertThat(JsonBytes.text(rendered.get(expected.document())))
                    .isEqualTo(JsonBytes.text(read(expected.data())));
        }
    }

    private static List<Example> examples() throws Exception {
        List<Example> examples = new ArrayList<>();
        Matcher part = PART.matcher(Files.readString(PAGE));
        String heading = "";
        String name = null;
        while (part.find()) {
            if (part.group("heading") != null) {
                heading = part.group("heading");
            } else if (part.group("code") != null) {
                add(examples, new Expectation(part.group("name"), null, part.group("code")));
            } else if (part.group("name") != null) {
                name = part.group("name");
            } else if (name != null) {
                add(examples, new Expectation(name, part.group("block"), null));
                name = null;
            } else {
                examples.add(new Example(heading, part.group("block"), new ArrayList<>()));
            }
        }
        return examples;
    }

    private static void add(List<Example> examples, Expectation expectation) {
        examples.get(examples.size() - 1).expectations().add(expectation);
    }

    private static Value read(String text) throws Exception {
        return new DocumentReader(Limits.DEFAULT)
                .readTrees(text.getBytes(UTF_8), TextFormat.DETECTED, "page")
                .get(0)
                .value();
    }
}
