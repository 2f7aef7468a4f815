package dev.strake.serdes.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real PyYAML, like that of Deckhand's clients, reads {@link YamlOutput} with the same values and types. */
class PyYamlTest {

    private static final Path CORPUS = Path.of(System.getProperty("strake.corpus", "../../shared/corpus"));

    /** Even the C loader needs seconds for a site of this size. The smaller one comes from the same generator. */
    private static final String TOO_LARGE = "documents-10000.jsonl.gz";

    private static final int IN_A_STREAM = 50;

    /** Words with a meaning in YAML 1.1 or 1.2, or similar to one. */
    private static final List<String> WORDS = List.of(
            "yes", "no", "on", "off", "y", "n", "true", "false", "null", "~", ".inf", "-.inf", "+.inf", ".nan", "<<",
            "=");

    @TempDir
    Path directory;

    @BeforeAll
    static void findPyYaml() throws Exception {
        assumeTrue(
                has("python3", "-c", "import yaml"),
                "nothing to compare with: there is no python3 with the module yaml");
    }

    private static List<String> listed(String name) {
        try (InputStream in = PyYamlTest.class.getResourceAsStream("/pyyaml/texts.json")) {
            return ((MapValue) JsonReader.read(in.readAllBytes()))
                    .items(name).stream().map(each -> ((Text) each).value()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean has(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // Python is not installed
        }
    }

    @Test
    void shouldPrintTextsAndKeysThatPyYamlReadsAlike() throws Exception {
        Set<String> texts = new LinkedHashSet<>();
        for (String word : WORDS) {
            for (String each : List.of(
                    word,
                    word.toUpperCase(Locale.ROOT),
                    word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))) {
                texts.add(each);
            }
        }
        Stream.of("numbers", "marks", "spaces").map(PyYamlTest::listed).forEach(texts::addAll);
        List<UnaryOperator<String>> around = List.of(
                text -> text + " ",
                text -> " " + text,
                text -> text + "\n",
                text -> "a" + text,
                text -> text + "a",
                text -> text + ":",
                text -> text + text,
                text -> text + "\nb",
                text -> "a " + text,
                text -> "word ".repeat(40) + text,
                text -> "x".repeat(1_100) + text,
                text -> (text + "é").repeat(300));
        List<String> simple = List.copyOf(texts);
        around.forEach(change -> simple.forEach(text -> texts.add(change.apply(text))));
        texts.add("long ".repeat(20_000));
        texts.add("日".repeat(20_000));
        List<Value> values = new ArrayList<>();
        for (String text : texts) {
            Text value = new Text(text);
            values.add(MapValue.of("text", value)
                    .with(text, value)
                    .with(
                            "items",
                            ListValue.of(List.of(value, ListValue.of(List.of(value)), MapValue.of(text, value)))));
        }
        assertReadEqual("pure", values);
        assertReadEqual("fast", values);
    }

    @Test
    void shouldPrintNumbersThatPyYamlReadsAlike() throws Exception {
        List<Value> values = new ArrayList<>();
        for (String literal : listed("json numbers")) {
            values.add(MapValue.of("number", Num.ofLiteral(literal))
                    .with("list", ListValue.of(List.of(Num.ofLiteral(literal)))));
        }
        assertReadEqual("pure", values);
    }

    @Test
    void shouldPrintRandomValuesThatPyYamlReadsAlike() throws Exception {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            values.add(MapValue.of("seed " + seed, YamlOutputTest.value(random, 4)));
        }
        assertReadEqual("pure", values);
    }

    @Test
    void shouldPrintDocumentsOfAllCorporaThatPyYamlReadsAlike() throws Exception {
        assumeTrue(Files.exists(CORPUS), "no documents without the corpus: -Dstrake.corpus=DIR says where it is");
        Set<Value> values = new LinkedHashSet<>();
        try (Stream<Path> files = Files.walk(CORPUS)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                values.addAll(values(file));
            }
        }
        assertThat(values.size()).isGreaterThan(3_000);
        assertReadEqual("fast", List.copyOf(values));
    }

    private static List<Value> values(Path file) throws IOException {
        String name = file.getFileName().toString();
        if (name.equals(TOO_LARGE)) {
            return List.of();
        }
        byte[] bytes;
        try (InputStream in =
                name.endsWith(".gz") ? new GZIPInputStream(Files.newInputStream(file)) : Files.newInputStream(file)) {
            bytes = in.readAllBytes();
        }
        if (name.contains(".jsonl")) {
            return new String(bytes, UTF_8)
                    .lines()
                    .map(line -> JsonReader.read(line))
                    .toList();
        } else if (name.contains(".json")) {
            return List.of(JsonReader.read(bytes));
        } else if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            try {
                return new DocumentReader(Limits.DEFAULT)
                        .readTrees(bytes, TextFormat.YAML, name).stream()
                                .map(ReadDocument::value)
                                .toList();
            } catch (UnreadableTextException e) {
                return List.of(); // invalid on purpose
            }
        }
        return List.of();
    }

    private void assertReadEqual(String loader, List<? extends Value> values) throws Exception {
        Path script = directory.resolve("read.py");
        try (InputStream in = PyYamlTest.class.getResourceAsStream("/pyyaml/read.py")) {
            Files.write(script, in.readAllBytes());
        }
        Path streams = directory.resolve("streams");
        Path found = directory.resolve("found");
        List<List<? extends Value>> groups = new ArrayList<>();
        for (int i = 0; i < values.size(); i += IN_A_STREAM) {
            groups.add(values.subList(i, Math.min(values.size(), i + IN_A_STREAM)));
        }
        try (PrintWriter out = new PrintWriter(streams.toFile(), UTF_8)) {
            groups.forEach(group -> out.println(JsonBytes.text(new Text(stream(group)))));
        }
        Process python = new ProcessBuilder("python3", script.toString(), loader, streams.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(found.toFile())
                .start();
        assertThat(python.waitFor()).isZero();
        List<String> lines = Files.readAllLines(found, UTF_8);
        assertThat(lines).hasSameSizeAs(groups);
        for (int i = 0; i < lines.size(); i++) {
            Value read = JsonReader.read(lines.get(i));
            List<Value> wanted = groups.get(i).stream().map(PyYamlTest::told).toList();
            if (!read.equals(ListValue.of(wanted))) {
                assertThat(JsonBytes.text(read)).isEqualTo(JsonBytes.text(ListValue.of(wanted)));
            }
        }
    }

    private static String stream(List<? extends Value> values) {
        StringWriter text = new StringWriter();
        YamlOutput.printAll(new PrintWriter(text), values);
        return text.toString();
    }

    /** Converts a value to the format of read.py. */
    private static Value told(Value value) {
        if (value instanceof MapValue map) {
            MapValue.Builder told = MapValue.builder();
            for (int i = 0; i < map.size(); i++) {
                told.put(map.keyAt(i), told(map.valueAt(i)));
            }
            return told.build();
        } else if (value instanceof ListValue list) {
            return ListValue.of(list.items().stream().map(PyYamlTest::told).toList());
        } else if (value instanceof Num num) {
            return num.isInteger()
                    ? MapValue.of("!int", new Text(new BigInteger(num.literal()).toString()))
                    : MapValue.of(
                            "!float",
                            new Text("%016x".formatted(Double.doubleToRawLongBits(Double.parseDouble(num.literal())))));
        }
        return value;
    }
}
