package dev.strake.cli.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.strake.cli.Strake;
import dev.strake.cli.terminal.CapturedTerminal;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.WorkspaceKey;
import dev.strake.server.Server;
import dev.strake.server.kafka.KafkaSettings;
import dev.strake.server.pipeline.PipelineSettings;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code strake verify} with intact and damaged workspaces. Each test has its own workspace. */
@Order(1) // slow: starts first
class VerifyIT {

    private static final int PARTITIONS = 2;

    private static final String POLICY = """
            ---
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: layering-policy}
            data: {layerOrder: [global, site]}
            """;

    @TempDir
    static Path directory;

    private static TestStrake local;
    /** A server on the same broker with its own topics: holds back documents, and keeps two revisions. */
    private static Server holding;

    private static KafkaProducer<byte[], byte[]> stranger;

    private String workspace;
    private String prefix = "strake.";
    private CapturedTerminal terminal;

    @BeforeAll
    static void start() throws Exception {
        local = TestStrake.start(
                directory.resolve("data"), settings -> settings.with(Catalogue.PARTITIONS, PARTITIONS));
        PipelineSettings settings = new PipelineSettings(
                KafkaSettings.of(local.bootstrapServers()),
                Settings.defaults()
                        .with(Catalogue.APPLICATION_ID, "holding")
                        .with(Catalogue.TOPIC_PREFIX, "holding.")
                        .with(Catalogue.PARTITIONS, PARTITIONS)
                        .with(Catalogue.REPLICATION_FACTOR, 1)
                        .with(Catalogue.THREADS, 1)
                        .with(Catalogue.DATA, directory.resolve("holding"))
                        .with(Catalogue.HTTP_PORT, 0)
                        .with(Catalogue.ON_PROBLEM, "hold-document")
                        .with(Catalogue.HISTORY_REVISIONS, 2));
        holding = Server.start(settings);
        stranger = new KafkaProducer<>(
                Map.of("bootstrap.servers", local.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        holding.pipeline().awaitReady(Duration.ofMinutes(10));
    }

    @AfterAll
    static void stop() {
        stranger.close();
        holding.close();
        local.close();
    }

    @BeforeEach
    void takeAWorkspace(TestInfo test) {
        workspace = test.getTestMethod().orElseThrow().getName() + "-" + System.nanoTime();
    }

    @Test
    void shouldConfirmThatConsumersHoldTheRenderedDocuments() {
        MapValue outcome = publish(POLICY + parent(1) + child("merge, path: ."));
        verify(ExitCode.FINE);
        assertThat(terminal.out())
                .isEqualToIgnoringNewLines(
                        "equal: 3 documents, revision 1, content hash " + text(outcome, "contentHash"));
        MapValue json = verified(ExitCode.FINE);
        assertThat(JsonBytes.of(json)).asString().startsWith("{\"workspace\":\"" + workspace + "\",\"equal\":true,");
        assertThat(at(json, "contentHash", "stores")).isEqualTo(outcome.get("contentHash"));
        assertThat(at(json, "contentHash", "outcome")).isEqualTo(outcome.get("contentHash"));
    }

    @Test
    void shouldVerifyDocumentsOfCollectionsAndStacks() {
        String leaf =
                template("leaf.yaml", "{heat_template_version: rocky, parameters: {p: {type: number, default: 1}}}");
        publish(POLICY
                + document("one", "{a: 1}")
                + document(
                        "strake/Collection/v1",
                        "all",
                        "{schema: example/Kind/v1, into: {schema: example/All/v1, name: all}}")
                + template("top.yaml", "{heat_template_version: rocky, resources: {r: {type: leaf.yaml}}}")
                + leaf
                + document("heat/Stack/v1", "stack", "{template: top.yaml}"));
        publish(leaf.replace("default: 1", "default: 2"), "--add");
        MapValue json = verified(ExitCode.FINE);
        assertThat(number(json, "revision")).isEqualTo(2);
        assertThat(number(json, "documents")).isEqualTo(7);

        plant("heat/ParameterSchema/v1|stack/r", null);
        plant("heat/ParameterSchema/v1|stack/s", "{}");
        plant("example/All/v1|all", "{\"schema\":\"example/All/v1\",\"data\":[]}");
        assertThat(items(verified(ExitCode.DIFFERENT_OR_INVALID)))
                .extracting(each -> text(each, "difference") + " " + text(each, "name"))
                .containsExactly("differs all", "missing stack/r", "unexpected stack/s");
    }

    private static String template(String name, String data) {
        return document("heat/Template/v1", name, data);
    }

    @Test
    void shouldNameEveryDifference() {
        publish(POLICY + parent(1) + child("merge, path: .") + document("lonely", "{c: 3}"));
        plant("example/Kind/v1|parent", "{\"schema\":\"example/Kind/v1\",\"data\":\"a-secret\"}");
        plant("example/Kind/v1|child", null);
        plant("example/Kind/v1|alien", "{}");
        plant("example/Kind/v1|lonely", "no JSON");
        plant("deckhand/LayeringPolicy/v1|layering-policy", "[".repeat(100_000) + "]".repeat(100_000));
        plant("no-bar", "{}");
        plant("example/Kind/v1|gone-again", "{}");
        plant("example/Kind/v1|gone-again", null);
        send("rendered-documents", new byte[] {'|', 'a', '|', (byte) 0xFF}, "{}".getBytes(UTF_8));

        List<Value> differences = items(verified(ExitCode.DIFFERENT_OR_INVALID));
        assertThat(differences)
                .extracting(each -> text(each, "difference") + " " + text(each, "schema") + " " + text(each, "name"))
                .containsExactly(
                        "unreadable deckhand/LayeringPolicy/v1 layering-policy",
                        "unexpected example/Kind/v1 alien",
                        "missing example/Kind/v1 child",
                        "unreadable example/Kind/v1 lonely",
                        "differs example/Kind/v1 parent",
                        "unreadable null null",
                        "unreadable null null");
        assertThat(text(differences.get(1), "record")).startsWith("strake.rendered-documents-");
        assertThat(terminal.out()).doesNotContain("a-secret");
        verify(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.out())
                .hasLineCount(9)
                .contains("missing     example/Kind/v1")
                .doesNotContain("a-secret");
        assertThat(terminal.err()).contains("7 differences in documents at revision 1");
    }

    @Test
    void shouldRecognizeEqualDocumentsByTheContentHash() {
        MapValue outcome = publish(POLICY + parent(1));
        plant("example/Kind/v1|parent", """
                {"data":{"b":1,"a":1},"schema":"example/Kind/v1","metadata":{"name":"parent",\
                "schema":"metadata/Document/v1","storagePolicy":"cleartext","labels":{"name":"parent"},\
                "layeringDefinition":{"layer":"global"}}}""");
        MapValue json = verified(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(items(json)).isEmpty();
        assertThat(at(json, "contentHash", "topic")).isNotEqualTo(outcome.get("contentHash"));
        assertThat(at(json, "contentHash", "stores")).isEqualTo(outcome.get("contentHash"));
    }

    @Test
    void shouldCompareWithTheLastRevisionThatDidNotFail() {
        publish(POLICY + parent(1) + child("merge, path: ."));
        publish(POLICY + parent(2) + child("delete, path: .nowhere"));
        MapValue json = verified(ExitCode.FINE);
        assertThat(number(json, "head")).isEqualTo(2);
        assertThat(number(json, "revision")).isEqualTo(1);
        verify(ExitCode.FINE);
        assertThat(terminal.out()).startsWith("equal: 3 documents, revision 1, head 2 failed, content hash ");
    }

    @Test
    void shouldOmitDocumentsThatAreHeldBack() {
        prefix = "holding.";
        publish(POLICY + parent(1) + child("merge, path: ."));
        publish(POLICY + parent(2) + child("delete, path: .nowhere"));
        MapValue json = verified(ExitCode.FINE);
        assertThat(number(json, "revision")).isEqualTo(2);
        assertThat(number(json, "documents")).isEqualTo(2);
        assertThat(number(json, "inTrouble")).isEqualTo(1);
        plant("example/Kind/v1|parent", "{}");
        assertThat(items(verified(ExitCode.DIFFERENT_OR_INVALID)))
                .extracting(each -> text(each, "name"))
                .containsExactly("parent");
    }

    @Test
    void shouldReportTheVersionsThatConsumersKeepOfHeldDocuments() {
        prefix = "holding.";
        publish(POLICY + parent(1) + child("merge, path: ."));
        publish(POLICY
                + parent(2)
                + child("delete, path: .nowhere")
                + child("delete, path: .nowhere").replace("name: child", "name: new"));
        for (String[] which : new String[][] {{"get", "rendered"}, {"get", "rendered", "--published"}}) {
            List<String> all = new ArrayList<>(List.of(which));
            all.addAll(List.of("-w", workspace, "--url", url()));
            run(ExitCode.FINE, all.toArray(String[]::new));
            assertThat(terminal.out()).contains("parent").doesNotContain("child");
            assertThat(terminal.err())
                    .contains(
                            "revision 2, the head, is published in part",
                            "They keep an earlier example/Kind/v1/child. They have no example/Kind/v1/new. 'strake get");
        }
        publish(POLICY + parent(2) + child("merge, path: ."));
        run(ExitCode.FINE, "get", "rendered", "-w", workspace, "--url", url());
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void shouldReportThatTheRevisionOfConsumersWasPruned() {
        prefix = "holding.";
        publish(POLICY + parent(1));
        for (int a = 2; a < 6; a++) {
            publish(parent(a)); // nothing renders without a policy
        }
        await().atMost(Duration.ofMinutes(10)).untilAsserted(() -> {
            run(ExitCode.FINE, "get", "revisions", "-w", workspace, "--url", url());
            assertThat(terminal.out()).hasLineCount(3);
        });
        verify(ExitCode.DIFFERENT_OR_INVALID);
        assertThat(terminal.err()).contains("was pruned");
        assertThat(terminal.out()).isEmpty();
    }

    @Test
    void shouldExpectNothingOfADeletedWorkspace() {
        publish(POLICY + parent(1));
        run(ExitCode.FINE, kafka("delete", "-w", workspace, "--yes", "--wait"));
        assertThat(number(verified(ExitCode.FINE), "documents")).isZero();
        plant("example/Kind/v1|parent", "{}");
        assertThat(items(verified(ExitCode.DIFFERENT_OR_INVALID)))
                .extracting(each -> text(each, "difference"))
                .containsExactly("unexpected");
    }

    @Test
    void shouldNotReportAChangingWorkspaceAsDifferent() throws Exception {
        publish(POLICY + parent(1) + child("merge, path: ."));
        Thread changes = new Thread(() -> {
            for (int a = 2; a < 150; a++) {
                send("document-changes", new byte[0], (POLICY + parent(a) + child("merge, path: .")).getBytes(UTF_8));
            }
        });
        changes.start();
        do {
            verify(ExitCode.FINE);
        } while (changes.isAlive());
        changes.join();
        assertThat(number(verified(ExitCode.FINE), "head")).isGreaterThan(1);
    }

    @Test
    void shouldGiveUpWhereStateAndTopicsNeverAgree() {
        String outcome = JsonBytes.text(publish(POLICY + parent(1)));
        send(
                "outcomes",
                new byte[0],
                outcome.replace("\"revision\":1", "\"revision\":99").getBytes(UTF_8));
        verify(ExitCode.KAFKA_UNAVAILABLE, "--timeout", "1");
        assertThat(terminal.err()).contains("keeps changing", "revision 99", "--timeout");
    }

    @Test
    void shouldRenderWithTheGivenLimits() {
        publish(POLICY + parent(1));
        List<Value> differences =
                items(verified(ExitCode.DIFFERENT_OR_INVALID, "--set", "strake.limits.rendered-bytes=5"));
        assertThat(differences).extracting(each -> text(each, "difference")).containsOnly("unexpected");
        verify(ExitCode.USAGE, "--set", "strake.limits.nonsense=5");
        verify(ExitCode.USAGE, "--accept-empty-state");
    }

    private static String parent(int a) {
        return """
                ---
                schema: example/Kind/v1
                metadata:
                  schema: metadata/Document/v1
                  name: parent
                  storagePolicy: cleartext
                  labels: {name: parent}
                  layeringDefinition: {layer: global}
                data: {a: %d, b: 1}
                """.formatted(a);
    }

    private static String child(String action) {
        return """
                ---
                schema: example/Kind/v1
                metadata:
                  schema: metadata/Document/v1
                  name: child
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site, parentSelector: {name: parent}, actions: [{method: %s}]}
                data: {b: 2}
                """.formatted(action);
    }

    private static String document(String name, String data) {
        return document("example/Kind/v1", name, data);
    }

    private static String document(String schema, String name, String data) {
        return """
                ---
                schema: %s
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: %s
                """.formatted(schema, name, data);
    }

    private MapValue publish(String documents, String... options) {
        List<String> all = new ArrayList<>(List.of("publish", "-w", workspace, "--wait", "-o", "json", "-"));
        all.addAll(List.of(options));
        terminal = CapturedTerminal.reading(documents);
        Strake.run(terminal.terminal(), kafka(all.toArray(String[]::new)));
        assertThat(terminal.out()).as(() -> terminal.err()).isNotEmpty();
        return (MapValue) JsonReader.read(terminal.out());
    }

    /* Writes a record that Strake did not write to the rendered documents. */
    private void plant(String name, String value) {
        send("rendered-documents", ("|" + name).getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
    }

    private void send(String topic, byte[] behindTheWorkspace, byte[] value) {
        byte[] start = workspace.getBytes(UTF_8);
        byte[] key = Arrays.copyOf(start, start.length + behindTheWorkspace.length);
        System.arraycopy(behindTheWorkspace, 0, key, start.length, behindTheWorkspace.length);
        int partition = WorkspaceKey.partition(workspace, PARTITIONS);
        deliver(new ProducerRecord<>(prefix + topic, partition, key, value));
    }

    private static void deliver(ProducerRecord<byte[], byte[]> record) {
        try {
            stranger.send(record).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private MapValue verified(int code, String... options) {
        verify(code, Stream.concat(Stream.of("-o", "json"), Stream.of(options)).toArray(String[]::new));
        return (MapValue) JsonReader.read(terminal.out());
    }

    private void verify(int code, String... options) {
        List<String> all = new ArrayList<>(List.of("verify", "-w", workspace, "--url", url()));
        all.addAll(List.of(options));
        run(code, kafka(all.toArray(String[]::new)));
    }

    private String url() {
        return prefix.equals("holding.") ? "http://127.0.0.1:" + holding.httpPort() : local.url();
    }

    private String[] kafka(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--bootstrap-servers", local.bootstrapServers(), "--topic-prefix", prefix));
        return all.toArray(String[]::new);
    }

    private void run(int code, String... args) {
        terminal = CapturedTerminal.pipe().run(code, args);
    }

    private static List<Value> items(MapValue json) {
        return ((ListValue) json.get("differences")).items();
    }

    private static Value at(MapValue json, String first, String second) {
        return ((MapValue) json.get(first)).get(second);
    }

    private static String text(Value json, String name) {
        Value value = ((MapValue) json).get(name);
        return value instanceof Null ? null : ((Text) value).value();
    }

    private static long number(MapValue json, String name) {
        return Long.parseLong(((Num) json.get(name)).literal());
    }
}
