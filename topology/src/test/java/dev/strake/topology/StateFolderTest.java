package dev.strake.topology;

import static org.apache.kafka.streams.state.Stores.keyValueStoreBuilder;
import static org.apache.kafka.streams.state.Stores.persistentKeyValueStore;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.query.WorkspaceQueries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A state folder that an earlier build wrote opens with this one: every question has the answer that it had then, and
 * changes go on from it. See the README beside the folder; {@code -Dstrake.state.write=true} writes it anew.
 */
class StateFolderTest {

    private static final Path KEPT = Path.of("src/test/resources/state-1");
    private static final Path LISTING = KEPT.resolve("listing.txt");
    private static final Path ENTRIES = KEPT.resolve("entries.txt");
    private static final Path STATE = KEPT.resolve("state");

    @TempDir
    private Path temporary;

    /** The stores of a task in its state folder, opened as Kafka Streams does. */
    private static final class Stores implements AutoCloseable {

        private final Map<String, KeyValueStore<Bytes, byte[]>> byName = new HashMap<>();

        Stores(Path directory) {
            MockProcessorContext<byte[], byte[]> context =
                    new MockProcessorContext<>(new Properties(), new TaskId(0, 0), directory.toFile());
            for (String name : RenderTopology.STORES) {
                KeyValueStore<Bytes, byte[]> store = keyValueStoreBuilder(
                                persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingDisabled()
                        .build();
                store.init(context.getStateStoreContext(), store);
                byName.put(name, store);
            }
        }

        KeyValueStore<Bytes, byte[]> get(String name) {
            return byName.get(name);
        }

        @Override
        public void close() {
            byName.values().forEach(KeyValueStore::close);
        }
    }

    @BeforeAll
    static void writeIfAsked(@TempDir Path directory) throws IOException {
        if (!Boolean.getBoolean("strake.state.write")) {
            return;
        }
        if (Files.exists(STATE)) {
            try (Stream<Path> old = Files.walk(STATE)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        try (TopologyHarness strake = StateFolder.told()) {
            try (Stores stores = new Stores(directory)) {
                strake.dump()
                        .forEach((name, entries) -> entries.forEach((key, value) ->
                                stores.get(name).put(Bytes.wrap(key.getBytes(StandardCharsets.ISO_8859_1)), value)));
            }
            copy(directory, STATE);
            Files.writeString(LISTING, StateFolder.listing(strake.queries()));
            Files.writeString(ENTRIES, text(strake.dump()));
        }
    }

    /* Without what RocksDB makes anew: its log, its lock, and options, which are those of Kafka Streams anyway. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                String name = path.getFileName().toString();
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else if (!name.startsWith("LO") && !name.startsWith("OPTIONS")) {
                    Files.copy(path, target);
                }
            }
        }
    }

    private static String text(Map<String, Map<String, byte[]>> stores) {
        StringBuilder text = new StringBuilder();
        HexFormat hex = HexFormat.of();
        stores.forEach((store, entries) -> entries.forEach((key, value) -> text.append(store)
                .append(' ')
                .append(hex.formatHex(key.getBytes(StandardCharsets.ISO_8859_1)))
                .append(' ')
                .append(hex.formatHex(value))
                .append('\n')));
        return text.toString();
    }

    private static Map<String, Map<String, byte[]>> keptEntries() throws IOException {
        Map<String, Map<String, byte[]>> stores = new TreeMap<>();
        RenderTopology.STORES.forEach(store -> stores.put(store, new TreeMap<>()));
        HexFormat hex = HexFormat.of();
        for (String line : Files.readAllLines(ENTRIES)) {
            String[] parts = line.split(" ", -1);
            String key = new String(hex.parseHex(parts[1]), StandardCharsets.ISO_8859_1);
            stores.get(parts[0]).put(key, hex.parseHex(parts[2]));
        }
        return stores;
    }

    @Test
    void shouldOpenTheFolderThatAnEarlierBuildWrote() throws IOException {
        copy(STATE, temporary);
        try (Stores stores = new Stores(temporary)) {
            TopologyHarness.assertSameState(TopologyHarness.dump(stores::get), keptEntries());
            assertThat(StateFolder.listing(new WorkspaceQueries(stores::get))).isEqualTo(Files.readString(LISTING));
        }
    }

    @Test
    void shouldGoOnFromTheEntriesThatAnEarlierBuildWrote() throws IOException {
        try (TopologyHarness empty = new TopologyHarness(StateFolder.HOLDING_DOCUMENTS);
                TopologyHarness strake = empty.restoredFrom(keptEntries())) {
            assertThat(StateFolder.listing(strake.queries())).isEqualTo(Files.readString(LISTING));
            goOn(strake);
        }
    }

    /* One change more in each workspace, and those that are not new. */
    private static void goOn(TopologyHarness strake) {
        Outcome again = strake.send(StateFolder.WHOLE, "{revision: 4}", "ce_id", StateFolder.APPLIED);
        assertThat(again.status()).isEqualTo(OutcomeStatus.DUPLICATE);
        Outcome complete = strake.send(
                StateFolder.WHOLE,
                StateFolder.waiting(2),
                "ce_id",
                StateFolder.WAITING,
                "ce_type",
                "dev.strake.documents.put",
                "part",
                "2/2");
        assertThat(complete.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(complete.documents().added()).isEqualTo(2);
        for (String workspace : List.of(StateFolder.PARTIAL, StateFolder.FAILED, StateFolder.LAWLESS)) {
            long head = strake.queries().head(workspace);
            Outcome next = strake.send(
                    workspace, StateFolder.waiting(3), "ce_type", "dev.strake.documents.put", "ce_id", "next");
            assertThat(next.revision()).isEqualTo(head + 1);
            assertThat(next.documents().added()).isEqualTo(1);
        }
        Outcome mended = rollback(strake, StateFolder.FAILED, 2);
        assertThat(mended.status()).isEqualTo(OutcomeStatus.RENDERED);
        Outcome back = rollback(strake, StateFolder.WHOLE, 1);
        assertThat(back.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(back.documents().total()).isEqualTo(9);
    }

    private static Outcome rollback(TopologyHarness strake, String workspace, long revision) {
        String value = "{revision: " + revision + "}";
        return strake.send(workspace, value, "ce_type", "dev.strake.revision.rollback", "ce_id", "rollback");
    }
}
