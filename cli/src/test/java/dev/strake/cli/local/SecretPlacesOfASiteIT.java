package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.strake.cli.StrakeCommand;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.KeysetFile;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.server.settings.Catalogue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real site, published with default settings: readers of the topic see all values but those of encrypted documents.
 * A Python program finds the places of these from the raw documents; it shares no code with the engine.
 */
class SecretPlacesOfASiteIT {

    private static final Path RAW = Path.of("src/main/resources/dev/strake/cli/local/airsloop/documents.jsonl.gz");

    /** The output of Deckhand's engine for this site. */
    private static final Path RENDERED =
            Path.of("../topology/src/test/resources/treasuremap/airsloop-rendered.jsonl.gz");

    private static final Pattern MASK = Pattern.compile("\\*{6} [0-9a-f]{16}");

    @TempDir
    static Path directory;

    private static Map<String, List<String>> places;
    private static Map<String, MapValue> recorded;
    private static Map<String, ConsumerRecord<byte[], byte[]>> records;

    @BeforeAll
    static void publish() throws Exception {
        places = places();
        recorded = recorded();
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        Path site = Files.createDirectory(directory.resolve("airsloop"));
        BundledSite.write(site);
        try (TestStrake strake = TestStrake.start(
                directory.resolve("data"), settings -> settings.with(Catalogue.SECRETS_KEYSET, keyset))) {
            StrakeCommand.run(
                    0,
                    ("publish -w airsloop --wait --bootstrap-servers " + strake.bootstrapServers() + " " + site)
                            .split(" "));
            records = new TreeMap<>();
            for (ConsumerRecord<byte[], byte[]> record : strake.read("strake.rendered-documents")) {
                assertThat(records.put(name(document(record)), record)).isNull();
            }
        }
    }

    @AfterAll
    static void forget() {
        places = null;
        recorded = null;
        records = null;
    }

    private static Map<String, List<String>> places() throws Exception {
        Path script = Path.of(SecretPlacesOfASiteIT.class
                .getResource("/secret-places/secret_places.py")
                .toURI());
        Path errors = directory.resolve("errors");
        Process python;
        try {
            python = new ProcessBuilder("python3", script.toString(), RAW.toString(), RENDERED.toString())
                    .redirectError(errors.toFile())
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "nothing to compare with: there is no python3");
            throw e;
        }
        Map<String, List<String>> found = new TreeMap<>();
        new String(python.getInputStream().readAllBytes(), UTF_8).lines().forEach(line -> {
            MapValue told = (MapValue) JsonReader.read(line);
            found.put(told.text("schema") + "/" + told.text("name"), texts(told.get("places")));
        });
        assertThat(python.waitFor()).as(Files.readString(errors)).isZero();
        return found;
    }

    private static Map<String, MapValue> recorded() throws IOException {
        Map<String, MapValue> found = new TreeMap<>();
        try (InputStream in = Files.newInputStream(RENDERED);
                BufferedReader lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(in), UTF_8))) {
            lines.lines().forEach(line -> {
                MapValue document = (MapValue) JsonReader.read(line);
                found.put(name(document), document);
            });
        }
        return found;
    }

    private static MapValue document(ConsumerRecord<byte[], byte[]> record) {
        return RenderedRecord.read(record.key(), record.value(), record.headers())
                .document()
                .orElseThrow();
    }

    private static String name(MapValue document) {
        return document.text("schema") + "/" + document.map("metadata").text("name");
    }

    private static List<String> texts(Value list) {
        return ((ListValue) list)
                .items().stream().map(text -> ((Text) text).value()).toList();
    }

    /* Returns the header of a record, or null. */
    private static String header(String name, ConsumerRecord<byte[], byte[]> record) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }

    @Test
    void shouldNameTheDestinationsOfEncryptedValues() {
        Map<String, List<String>> named = new TreeMap<>();
        records.forEach((name, record) -> {
            String paths = header("secret-paths", record);
            if (paths != null) {
                List<String> pointers = new ArrayList<>(texts(JsonReader.read(paths)));
                pointers.sort(null);
                named.put(name, pointers);
            }
        });
        Map<String, List<String>> wanted = new TreeMap<>(places);
        wanted.values().removeIf(List::isEmpty);

        assertThat(named).containsExactlyEntriesOf(wanted).hasSize(79);
        assertThat(named.values().stream().filter(List.of("")::equals)).hasSize(70);
        assertThat(named.values().stream().mapToInt(List::size).sum()).isEqualTo(126);
    }

    @Test
    void shouldMarkRecordsWithSecretsAndTheirForm() {
        records.forEach((name, record) -> {
            boolean isSecret = !places.get(name).isEmpty();
            assertThat(header("secret-paths", record) != null).as(name).isEqualTo(isSecret);
            assertThat(header("secret", record)).as(name).isEqualTo(isSecret ? "true" : null);
            assertThat(header("secret-data", record)).as(name).isEqualTo(isSecret ? "redacted" : null);
        });
    }

    @Test
    void shouldMaskOnlyTheValuesAtSecretPlaces() {
        assertThat(records.keySet())
                .isEqualTo(recorded.keySet())
                .isEqualTo(places.keySet())
                .hasSize(381);
        List<String> wrong = new ArrayList<>();
        records.forEach((name, record) -> {
            MapValue published = document(record);
            MapValue wanted = recorded.get(name);
            assertThat(published.without("data")).as(name).isEqualTo(wanted.without("data"));
            List<String> differences = new ArrayList<>();
            compare(published.get("data"), wanted.get("data"), "", places.get(name), differences);
            differences.forEach(pointer -> wrong.add(name + " " + pointer));
        });
        assertThat(wrong).isEmpty();
    }

    /* Collects places without the recorded value, or without a mask where one is required. */
    private static void compare(Value found, Value wanted, String pointer, List<String> places, List<String> wrong) {
        if (found instanceof MapValue a
                && wanted instanceof MapValue b
                && !a.isEmpty()
                && Set.copyOf(a.keys()).equals(Set.copyOf(b.keys()))) {
            a.forEach((key, child) -> compare(child, b.get(key), pointer + "/" + escaped(key), places, wrong));
        } else if (found instanceof ListValue a
                && wanted instanceof ListValue b
                && a.size() > 0
                && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                compare(a.get(i), b.get(i), pointer + "/" + i, places, wrong);
            }
        } else {
            boolean isSecret = places.stream().anyMatch(each -> pointer.equals(each) || pointer.startsWith(each + "/"));
            if (isSecret ? !isMask(found) : !found.equals(wanted)) {
                wrong.add(pointer);
            }
        }
    }

    private static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }

    private static boolean isMask(Value value) {
        return value instanceof Text text && MASK.matcher(text.value()).matches();
    }
}
