package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.topology.layout.RenderedLayout;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.query.WorkspaceQueries;
import dev.strake.topology.store.LiveHeads;
import dev.strake.topology.store.RevisionLeases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.LogAndContinueExceptionHandler;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/** The topology with real stores and without a broker. Keeps the records that it publishes, as a consumer does. */
public final class TopologyHarness implements AutoCloseable {

    public static final String WORKSPACE = "site-a";

    /** The layering policy of most tests. */
    public static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            """;

    /** An abstract parent of {@link #CHILD}. */
    public static final String PARENT = """
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {family: a}
              layeringDefinition: {layer: global, abstract: true}
            data: {color: red, size: 1}
            """;

    public static final String CHILD = """
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: child
              storagePolicy: cleartext
              layeringDefinition:
                layer: site
                parentSelector: {family: a}
                actions: [{method: merge, path: .}]
            data: {shape: round}
            """;

    public static final String FAMILY = POLICY + "---\n" + PARENT + "---\n" + CHILD;

    private static final String APPLICATION = "strake";

    private final Path directory;
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> changes;
    private final TestOutputTopic<byte[], byte[]> renderedTopic;
    private final TestOutputTopic<byte[], byte[]> cleartextTopic;
    private final TestOutputTopic<byte[], byte[]> problemsTopic;
    private final TestOutputTopic<byte[], byte[]> outcomesTopic;

    private final Map<String, TestOutputTopic<byte[], byte[]>> changelogTopics = new TreeMap<>();
    private final Map<String, Map<String, byte[]>> changelogs = new TreeMap<>();
    private final Map<String, byte[]> rendered = new TreeMap<>();
    private final Map<String, TestRecord<byte[], byte[]>> records = new TreeMap<>();
    private final Map<String, byte[]> cleartext = new TreeMap<>();
    private final Map<String, String> problems = new TreeMap<>();
    private final List<TestRecord<byte[], byte[]>> lastRendered = new ArrayList<>();
    private final List<String> lastRecords = new ArrayList<>();
    private final LiveHeads live = new LiveHeads();
    private final TopologySettings settings;
    private Instant time = Instant.parse("2026-01-31T12:00:00Z");

    public TopologyHarness() {
        this(TopologySettings.of(1));
    }

    public TopologyHarness(TopologySettings settings) {
        this(settings, ChangeObserver.NONE);
    }

    public TopologyHarness(TopologySettings settings, ChangeObserver observer) {
        this.settings = settings;
        try {
            directory = Files.createTempDirectory("strake-topology");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Properties config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
        config.put(StreamsConfig.STATE_DIR_CONFIG, directory.toString());
        config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        config.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, "true");
        config.put(
                StreamsConfig.DESERIALIZATION_EXCEPTION_HANDLER_CLASS_CONFIG,
                LogAndContinueExceptionHandler.class.getName());
        config.put(
                StreamsConfig.ERRORS_DEAD_LETTER_QUEUE_TOPIC_NAME_CONFIG,
                settings.topics().prefix() + TopicNames.DEAD_LETTERS);
        driver = new TopologyTestDriver(
                RenderTopology.build(settings, observer, live, UnaryOperator.identity()), config, time);
        changes = driver.createInputTopic(
                settings.topics().prefix() + TopicNames.CHANGES, new ByteArraySerializer(), new ByteArraySerializer());
        renderedTopic = output(settings.topics().prefix() + TopicNames.RENDERED);
        cleartextTopic =
                settings.secrets().cleartextTopic() ? output(settings.topics().prefix() + TopicNames.CLEARTEXT) : null;
        problemsTopic = output(settings.topics().prefix() + TopicNames.PROBLEMS);
        outcomesTopic = output(settings.topics().prefix() + TopicNames.OUTCOMES);
        for (String store : RenderTopology.STORES) {
            changelogTopics.put(store, output(APPLICATION + "-" + store + "-changelog"));
            changelogs.put(store, new TreeMap<>());
        }
    }

    private TestOutputTopic<byte[], byte[]> output(String topic) {
        return driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Makes headers from alternating names and texts. */
    public static Headers headers(String... namesAndTexts) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            headers.add(namesAndTexts[i], namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return headers;
    }

    /** Sends a record unchanged and returns the outcomes. */
    public List<Outcome> send(byte[] key, byte[] value, Headers headers) {
        time = time.plusMillis(1);
        changes.pipeInput(new TestRecord<>(key, value, headers, time));
        return drain();
    }

    public Outcome send(String workspace, String value, String... headers) {
        List<Outcome> outcomes = send(
                workspace.getBytes(StandardCharsets.UTF_8),
                value == null ? null : value.getBytes(StandardCharsets.UTF_8),
                headers(headers));
        if (outcomes.size() != 1) {
            throw new AssertionError("one change has one outcome, this one has " + outcomes);
        }
        return outcomes.get(0);
    }

    /** Puts the default bucket of {@link #WORKSPACE}. */
    public Outcome putBucket(String documents, String... headers) {
        return send(WORKSPACE, documents, headers);
    }

    /** Puts documents into the default bucket of {@link #WORKSPACE}. */
    public Outcome put(String documents, String... headers) {
        return send(ChangeType.DOCUMENTS_PUT, documents, headers);
    }

    /** Sends a change of {@link #WORKSPACE}. */
    public Outcome send(ChangeType type, String value, String... headers) {
        List<String> all = new ArrayList<>(List.of("ce_type", type.text()));
        all.addAll(List.of(headers));
        return send(WORKSPACE, value, all.toArray(String[]::new));
    }

    public Outcome putBucket(String workspace, String bucket, List<MapValue> documents) {
        return send(workspace, json(documents), HeaderNames.BUCKET, bucket);
    }

    public Outcome put(String workspace, String bucket, List<MapValue> documents) {
        return send(workspace, json(documents), HeaderNames.BUCKET, bucket, "ce_type", ChangeType.DOCUMENTS_PUT.text());
    }

    public Outcome delete(String workspace, String bucket, Collection<DocumentId> documents) {
        List<MapValue> identities = documents.stream()
                .map(id -> MapValue.builder()
                        .put("schema", new Text(id.schema()))
                        .put("layer", id.layer().isEmpty() ? Null.NULL : new Text(id.layer()))
                        .put("name", new Text(id.name()))
                        .build())
                .toList();
        return send(
                workspace, json(identities), HeaderNames.BUCKET, bucket, "ce_type", ChangeType.DOCUMENTS_DELETE.text());
    }

    public Outcome rollback(long revision) {
        return send(ChangeType.ROLLBACK, "{\"revision\": " + revision + "}");
    }

    private static String json(List<MapValue> documents) {
        return JsonBytes.text(ListValue.of(documents));
    }

    /** Advances the clock of punctuations. */
    public List<Outcome> advance(Duration duration) {
        driver.advanceWallClockTime(duration);
        return drain();
    }

    private List<Outcome> drain() {
        lastRendered.clear();
        lastRecords.clear();
        for (TestRecord<byte[], byte[]> record : renderedTopic.readRecordsToList()) {
            lastRendered.add(record);
            remember(record);
            if (record.value() == null) {
                rendered.remove(text(record.key()));
                records.remove(text(record.key()));
            } else {
                rendered.put(text(record.key()), record.value());
                records.put(text(record.key()), record);
            }
        }
        for (TestRecord<byte[], byte[]> record :
                cleartextTopic == null ? List.<TestRecord<byte[], byte[]>>of() : cleartextTopic.readRecordsToList()) {
            remember(record);
            if (record.value() == null) {
                cleartext.remove(text(record.key()));
            } else {
                cleartext.put(text(record.key()), record.value());
            }
        }
        for (TestRecord<byte[], byte[]> record : problemsTopic.readRecordsToList()) {
            remember(record);
            if (record.value() == null) {
                problems.remove(text(record.key()));
            } else {
                problems.put(text(record.key()), text(record.value()));
            }
        }
        readChangelogs();
        List<Outcome> outcomes = new ArrayList<>();
        for (TestRecord<byte[], byte[]> record : outcomesTopic.readRecordsToList()) {
            remember(record);
            outcomes.add(OutcomeJson.read(record.value()));
        }
        return outcomes;
    }

    /* Compacts the changelogs as the broker does: keeps the last value of each key, and a tombstone removes the key. */
    private void readChangelogs() {
        changelogTopics.forEach((store, topic) -> topic.readRecordsToList().forEach(record -> {
            String key = new String(record.key(), StandardCharsets.ISO_8859_1);
            if (record.value() == null) {
                changelogs.get(store).remove(key);
            } else {
                changelogs.get(store).put(key, record.value());
            }
        }));
    }

    private void remember(TestRecord<byte[], byte[]> record) {
        StringBuilder all = new StringBuilder(text(record.key()))
                .append(' ')
                .append(record.timestamp())
                .append(' ')
                .append(record.value() == null ? null : text(record.value()));
        record.headers()
                .forEach(header ->
                        all.append(' ').append(header.key()).append('=').append(text(header.value())));
        lastRecords.add(all.toString());
    }

    /** Every record of the last change, with key, time, value and headers. */
    public List<String> lastRecords() {
        return lastRecords;
    }

    /** Removes the position of the change from records, because offsets start at 0 in a new driver. */
    public static List<String> withoutPlace(List<String> records) {
        return records.stream()
                .map(record -> record.replaceAll("\"input\":\"[^\"]*\"", ""))
                .toList();
    }

    /** A store of the topology, which a test may read and write directly. */
    public KeyValueStore<Bytes, byte[]> store(String name) {
        return driver.getKeyValueStore(name);
    }

    /** Returns a new topology whose stores are restored from the changelogs. */
    public TopologyHarness restored() {
        readChangelogs();
        return restoredFrom(changelogs);
    }

    /** As {@link #restored()}, with other settings. */
    public TopologyHarness restored(TopologySettings others) {
        readChangelogs();
        return restoredFrom(changelogs, others);
    }

    /** As {@link #restored()}, from the given entries of stores. */
    public TopologyHarness restoredFrom(Map<String, Map<String, byte[]>> stores) {
        return restoredFrom(stores, settings);
    }

    TopologyHarness restoredFrom(Map<String, Map<String, byte[]>> stores, TopologySettings others) {
        TopologyHarness restored = new TopologyHarness(others);
        stores.forEach((store, entries) -> entries.forEach((key, value) -> restored.driver
                .<Bytes, byte[]>getKeyValueStore(store)
                .put(Bytes.wrap(key.getBytes(StandardCharsets.ISO_8859_1)), value)));
        stores.forEach((store, entries) -> restored.changelogs.get(store).putAll(entries));
        restored.time = time;
        restored.rendered.putAll(rendered);
        restored.records.putAll(records);
        restored.cleartext.putAll(cleartext);
        restored.problems.putAll(problems);
        return restored;
    }

    /** The values that a consumer holds, by key. */
    public Map<String, byte[]> rendered() {
        return rendered;
    }

    /** The value that a consumer holds of a document of {@link #WORKSPACE}. */
    public String rendered(String document) {
        return text(rendered.get(WORKSPACE + "|" + document));
    }

    /** The records that a consumer holds, with headers, by key. */
    public Map<String, TestRecord<byte[], byte[]>> records() {
        return records;
    }

    /** The values that a consumer of the topic of secrets in clear text holds, by key. */
    public Map<String, byte[]> cleartext() {
        return cleartext;
    }

    /** The documents of a workspace that a consumer holds, as trees. */
    public List<MapValue> renderedTrees(String workspace) {
        return rendered.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(workspace + "|"))
                .map(entry -> (MapValue) JsonReader.read(entry.getValue()))
                .toList();
    }

    /** The content hash of the records of a workspace that a consumer holds. */
    public String contentHash(String workspace) {
        Digest digest = Digest.ZERO;
        for (Map.Entry<String, byte[]> record : rendered.entrySet()) {
            RenderedKey key = RenderedKey.of(record.getKey());
            if (key.workspace().equals(workspace)) {
                digest = digest.plus(Digest.of(key.document(), record.getValue()));
            }
        }
        return digest.toString();
    }

    /** The problems of the head, by key. */
    public Map<String, String> problems() {
        return problems;
    }

    /** The rendered records of the last change. */
    public List<TestRecord<byte[], byte[]>> lastRendered() {
        return lastRendered;
    }

    /** Queries that run a change once, when the first range of the store of renderings has been opened. */
    @SuppressWarnings("unchecked") // the proxy has exactly this interface
    public WorkspaceQueries queriesDuring(Runnable change) {
        AtomicBoolean happened = new AtomicBoolean();
        return new WorkspaceQueries(
                name -> (ReadOnlyKeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                        TopologyHarness.class.getClassLoader(),
                        new Class<?>[] {ReadOnlyKeyValueStore.class},
                        (proxy, method, args) -> {
                            Object result = method.invoke(store(name), args);
                            if (name.equals(RenderedLayout.STORE)
                                    && method.getName().equals("range")
                                    && happened.compareAndSet(false, true)) {
                                change.run();
                            }
                            return result;
                        }),
                live,
                settings.secrets().keys());
    }

    public WorkspaceQueries queries() {
        return new WorkspaceQueries(
                driver::getKeyValueStore, live, settings.secrets().keys());
    }

    /** The leases of revisions that are being read through {@link #queries}. */
    public RevisionLeases leases() {
        return live.leases();
    }

    /** All entries of the stores. Each byte of a key becomes one character. */
    public Map<String, Map<String, byte[]>> dump() {
        return dump(this::store);
    }

    static Map<String, Map<String, byte[]>> dump(Function<String, KeyValueStore<Bytes, byte[]>> stores) {
        Map<String, Map<String, byte[]>> result = new TreeMap<>();
        for (String name : RenderTopology.STORES) {
            Map<String, byte[]> entries = new TreeMap<>();
            try (var all = stores.apply(name).all()) {
                all.forEachRemaining(
                        entry -> entries.put(new String(entry.key.get(), StandardCharsets.ISO_8859_1), entry.value));
            }
            result.put(name, entries);
        }
        return result;
    }

    /** Asserts that a dump has the same keys and bytes as the expected one. */
    public static void assertSameState(
            Map<String, Map<String, byte[]>> state, Map<String, Map<String, byte[]>> expected) {
        expected.forEach((store, entries) -> {
            assertThat(state.get(store).keySet()).as(store).isEqualTo(entries.keySet());
            entries.forEach((key, value) ->
                    assertThat(state.get(store).get(key)).as(store + " " + key).isEqualTo(value));
        });
    }

    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        driver.close();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
