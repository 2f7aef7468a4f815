package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.JsonReader;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.SecretPlaces;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.keyset.Keyset;
import dev.strake.serdes.keyset.PublishingKey;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.query.DocumentQuery;
import dev.strake.serdes.query.Selection;
import dev.strake.serdes.rendered.RenderedRecord;
import dev.strake.serdes.secret.Purpose;
import dev.strake.serdes.secret.SealedData;
import dev.strake.serdes.secret.SecretsOutput;
import dev.strake.serdes.text.DocumentReader;
import dev.strake.serdes.text.Limits;
import dev.strake.serdes.text.ReadDocument;
import dev.strake.serdes.text.TextFormat;
import dev.strake.serdes.text.UnreadableTextException;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.apply.Secrets;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How records with secrets are published. A topology without keys gets the same changes and tells the expected
 * contents. {@code -Dstrake.seed=N} repeats the stories.
 */
class SecretOutputTest {

    private static final List<SecretsOutput> ALL = List.of(SecretsOutput.values());
    private static final String WS = TopologyHarness.WORKSPACE;
    private static final int STORIES = Integer.getInteger("strake.stories", 6);
    private static final int STEPS = Integer.getInteger("strake.changes", 120);
    private static final String SITE = POLICY + """
            ---
            schema: example/Password/v1
            metadata: {schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {layer: site}}
            data: {value: s3cr3t-t0ken, none: null, list: [1, {}]}
            ---
            schema: example/Database/v1
            metadata:
              schema: metadata/Document/v1
              name: db
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions: [{src: {schema: example/Password/v1, name: password, path: .value}, dest: {path: .password}}]
            data: {user: admin}
            ---
            schema: example/Other/v1
            metadata: {schema: metadata/Document/v1, name: other, storagePolicy: cleartext, layeringDefinition: {layer: site}}
            data: {user: admin}
            """;

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private boolean isInAnotherForm; // than at the start of the story
    private Keyset keys = Keyset.create();

    private TopologySettings with(SecretsOutput output) {
        return TopologySettings.of(1).withSecrets(new Secrets(() -> keys, false, output, true));
    }

    private static MapValue tree(byte[] value) {
        return (MapValue) JsonReader.read(value);
    }

    private static RenderedRecord read(TestRecord<byte[], byte[]> record) {
        return RenderedRecord.read(record.key(), record.value(), record.headers());
    }

    private static RenderedRecord db(TopologyHarness strake) {
        return read(strake.records().get("site-a|example/Database/v1|db"));
    }

    private static String text(RenderedRecord record) {
        return JsonBytes.text(record.document().orElseThrow());
    }

    @Test
    void shouldPublishMasksByDefault() {
        try (TopologyHarness strake = new TopologyHarness(with(SecretsOutput.REDACTED))) {
            strake.putBucket(SITE);
            RenderedRecord db = db(strake);

            assertThat(db.headers().secret()).isTrue();
            assertThat(db.isRedacted()).isTrue();
            assertThat(((MapValue) db.document().orElseThrow().get("metadata")).get("storagePolicy"))
                    .isEqualTo(new Text("cleartext"));
            MapValue data = (MapValue) db.document().orElseThrow().get("data");
            assertThat(data.keys()).containsExactly("user", "password");
            assertThat(JsonBytes.text(data)).matches("\\{\"user\":\"admin\",\"password\":\"\\*{6} [0-9a-f]{16}\"}");
            assertThat(db.headers().secrets().paths()).containsExactly("/password");
            assertThat(read(strake.records().get("site-a|example/Other/v1|other"))
                            .headers()
                            .secrets()
                            .data())
                    .isNull();
            assertThat(strake.cleartext()).isEmpty();
            assertThat(strake.lastRecords()).noneMatch(record -> record.contains("s3cr3t-t0ken"));
        }
    }

    /* Values that an encrypted document takes from others are as secret as its own. */
    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldHideClearValuesInAnEncryptedDocument(SecretsOutput output) {
        String documents = POLICY + """
                ---
                schema: example/Clear/v1
                metadata: {schema: metadata/Document/v1, name: parent, labels: {a: b}, storagePolicy: cleartext, layeringDefinition: {layer: global}}
                data: {inherited: inh3rited, list: [s0urce]}
                ---
                schema: example/Clear/v1
                metadata:
                  schema: metadata/Document/v1
                  name: child
                  storagePolicy: encrypted
                  layeringDefinition: {layer: site, parentSelector: {a: b}, actions: [{method: merge, path: .}]}
                  substitutions: [{src: {schema: example/Clear/v1, name: parent, path: '.list'}, dest: {path: .taken}}]
                data: {own: 0wn}
                """;
        try (TopologyHarness strake = new TopologyHarness(with(output))) {
            Outcome outcome = strake.putBucket(documents);

            assertThat(outcome.status()).as("%s", outcome.problems()).isEqualTo(OutcomeStatus.RENDERED);
            RenderedRecord child = read(strake.records().get("site-a|example/Clear/v1|child"));
            assertThat(child.headers().secrets().paths()).containsExactly("");
            assertThat(text(child))
                    .doesNotContain("inh3rited")
                    .doesNotContain("s0urce")
                    .doesNotContain("0wn");
        }
    }

    /* Lists two secret places in the order of the surrounding keys. */
    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldNotPublishAgainForAnotherOrderOfKeys(SecretsOutput output) {
        String parents = POLICY + """
                ---
                schema: example/Database/v1
                metadata: {schema: metadata/Document/v1, name: one, labels: {is: ONE}, storagePolicy: cleartext, layeringDefinition: {layer: global, abstract: true}}
                data: {a: {}, b: {}}
                ---
                schema: example/Database/v1
                metadata: {schema: metadata/Document/v1, name: two, labels: {is: TWO}, storagePolicy: cleartext, layeringDefinition: {layer: global, abstract: true}}
                data: {b: {}, a: {}}
                """;
        String site = SITE.substring(SITE.indexOf("---"))
                .replace("dest: {path: .password}", "dest: [{path: .a.x}, {path: .b.x}]")
                .replace(
                        "layeringDefinition: {layer: site}\n",
                        "layeringDefinition: {layer: site, parentSelector: {is: parent}, actions: [{method: merge, path: .}]}\n");
        try (TopologyHarness strake = new TopologyHarness(with(output))) {
            strake.putBucket(parents.replace("ONE", "parent").replace("TWO", "other") + site, "ce_id", "first");
            Outcome outcome = strake.putBucket(parents.replace("ONE", "other").replace("TWO", "parent") + site);

            assertThat(db(strake).headers().secrets().paths()).containsExactly("/a/x", "/b/x");
            assertThat(outcome.work().evaluated()).isPositive();
            assertThat(outcome.work().emitted()).isZero();
        }
    }

    /* The value is the same; only its source differs. */
    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldPublishAgainWhenOnlySecretPlacesChange(SecretsOutput output) {
        String clear = SITE.replace("{user: admin}", "{user: admin, password: s3cr3t-t0ken}")
                .replaceAll("(?m)^  substitutions: .*$", "");
        try (TopologyHarness strake = new TopologyHarness(with(output))) {
            Outcome first = strake.putBucket(clear, "ce_id", "first");
            assertThat(db(strake).headers().secret()).isFalse();
            Outcome second = strake.putBucket(SITE.replace("{user: admin}", "{user: admin, password: s3cr3t-t0ken}"));

            assertThat(first.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(second.work().emitted()).isEqualTo(1);
            assertThat(db(strake).headers().secrets().paths()).containsExactly("/password");
            assertThat(strake.putBucket(clear, "ce_id", "third").work().emitted())
                    .isEqualTo(1);
            assertThat(strake.rendered("example/Database/v1|db")).contains("s3cr3t-t0ken");
            assertThat(strake.cleartext()).doesNotContainKey("site-a|example/Database/v1|db");
        }
    }

    /* A document of a failed revision is published later without being rendered again. */
    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldHideSecretsOfDocumentsThatWereHeldBack(SecretsOutput output) {
        String broken = """
                ---
                schema: example/Other/v1
                metadata:
                  schema: metadata/Document/v1
                  name: broken
                  storagePolicy: cleartext
                  layeringDefinition: {layer: site}
                  substitutions: [{src: {schema: example/None/v1, name: none, path: .}, dest: {path: .a}}]
                data: {}
                """;
        try (TopologyHarness strake = new TopologyHarness(with(output))) {
            assertThat(strake.putBucket(SITE + broken, "ce_id", "first").status())
                    .isEqualTo(OutcomeStatus.FAILED);
            Outcome outcome = strake.putBucket(SITE);

            assertThat(outcome.work().evaluated()).isZero();
            assertThat(outcome.work().emitted()).isPositive();
            RenderedRecord db = db(strake);
            assertThat(db.headers().secrets().paths()).containsExactly("/password");
            assertThat(db.headers().secrets().data()).isNotNull();
            assertThat(text(db)).contains("admin").doesNotContain("s3cr3t-t0ken");
        }
    }

    @Test
    void shouldPublishReferencesThatStayTheSameAsLongAsTheValueDoes() {
        try (TopologyHarness strake = new TopologyHarness(with(SecretsOutput.REFERENCES))) {
            strake.putBucket(SITE);
            MapValue first = data(strake, "example/Database/v1|db");
            assertThat(strake.lastRecords()).noneMatch(record -> record.contains("s3cr3t-t0ken"));
            Outcome same = strake.putBucket(SITE.replace("none: null", "none: 1"), "ce_id", "second");
            Outcome other = strake.putBucket(SITE.replace("s3cr3t-t0ken", "n3w-t0ken"), "ce_id", "third");

            assertThat(((Text) first.get("password")).value())
                    .matches(
                            "/workspaces/site-a/rendered\\?schema=example/Database/v1&name=db&query=\\$\\.data\\.password"
                                    + "&cleartext-secrets=true#[0-9a-f]{16}");
            assertThat(same.work().emitted())
                    .as("the password alone has another value")
                    .isEqualTo(1);
            assertThat(other.work().emitted()).isEqualTo(2);
            MapValue third = data(strake, "example/Database/v1|db");
            assertThat(third.get("user")).isEqualTo(new Text("admin"));
            assertThat(third.get("password")).isNotEqualTo(first.get("password"));
            assertThat(db(strake).isRedacted()).isTrue();
        }
    }

    @Test
    void shouldRejectADocumentWithReferences() {
        try (TopologyHarness strake = new TopologyHarness(with(SecretsOutput.REFERENCES))) {
            strake.putBucket(SITE);
            String reference =
                    ((Text) data(strake, "example/Password/v1|password").get("value")).value();

            Outcome outcome = strake.putBucket(SITE.replace("s3cr3t-t0ken", "'" + reference + "'"), "ce_id", "second");

            assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        }
    }

    private static MapValue data(TopologyHarness strake, String document) {
        return (MapValue) read(strake.records().get("site-a|" + document))
                .document()
                .orElseThrow()
                .get("data");
    }

    @Test
    void shouldPublishEqualBytesForEqualContentWhereTheyAreEncrypted() {
        try (TopologyHarness strake = new TopologyHarness(with(SecretsOutput.ENCRYPTED));
                TopologyHarness again = new TopologyHarness(with(SecretsOutput.ENCRYPTED))) {
            strake.putBucket(SITE);
            again.putBucket(SITE);
            TestRecord<byte[], byte[]> record = strake.records().get("site-a|example/Database/v1|db");

            assertThat(record.value())
                    .isEqualTo(
                            again.records().get("site-a|example/Database/v1|db").value());
            assertThat(strake.lastRecords()).noneMatch(each -> each.contains("s3cr3t-t0ken"));
            assertThat(read(record).isEncrypted()).isTrue();
            assertThat(read(record)
                            .opened((ciphertext, place) -> keys.open(Purpose.OUTPUT, ciphertext, place))
                            .document()
                            .orElseThrow()
                            .get("data"))
                    .isEqualTo(tree(
                            "{\"user\":\"admin\",\"password\":\"s3cr3t-t0ken\"}".getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Test
    void shouldNotDeriveADocumentThatIsTooLargeEncrypted() {
        String half = "x".repeat(6_400_000); // two fit into a record in clear text, but not encrypted
        String thing = """
                ---
                schema: example/Thing/v1
                metadata: {schema: metadata/Document/v1, name: %s, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data: {size: %s}
                """;
        String collection = """
                ---
                schema: strake/Collection/v1
                metadata: {schema: metadata/Document/v1, name: gather, storagePolicy: cleartext, layeringDefinition: {layer: site}}
                data: {schema: example/Thing/v1, path: .size, into: {schema: example/All/v1, name: all}}
                """;
        Limits limits = Limits.DEFAULT.withDocumentsOf(15L << 20);
        TopologySettings settings =
                with(SecretsOutput.ENCRYPTED).withLimits(limits).rendering(new RenderLimits(15L << 20, 256, 1024));
        try (TopologyHarness strake = new TopologyHarness(settings)) {
            strake.putBucket(SITE, "bucket", "site");
            Outcome outcome = strake.putBucket(
                    thing.formatted("one", half) + thing.formatted("two", half) + collection, "bucket", "large");

            assertThat(outcome.status()).isEqualTo(OutcomeStatus.FAILED);
            assertThat(outcome.problems()).singleElement().satisfies(problem -> {
                assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
                assertThat(problem.document().name()).isEqualTo("gather");
                assertThat(problem.message()).contains("in its published form");
            });
            assertThat(strake.records()).doesNotContainKey("site-a|example/All/v1|all");
        }
    }

    @Test
    void shouldReportADocumentThatIsTooLargeOnlyWhenEncrypted() {
        String large = """
                ---
                schema: example/Thing/v1
                metadata: {schema: metadata/Document/v1, name: one, storagePolicy: encrypted, layeringDefinition: {layer: site}}
                data: {size: %s}
                """.formatted("x".repeat(12_800_000));
        Limits limits = Limits.DEFAULT.withDocumentsOf(15L << 20);
        TopologySettings settings =
                with(SecretsOutput.ENCRYPTED).withLimits(limits).rendering(new RenderLimits(15L << 20, 256, 1024));
        try (TopologyHarness strake = new TopologyHarness(settings)) {
            Outcome outcome = strake.putBucket(SITE + large);

            assertThat(outcome.problems()).singleElement().satisfies(problem -> {
                assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
                assertThat(problem.document().name()).isEqualTo("one");
                assertThat(problem.message()).contains("with its secrets in the form encrypted");
                assertThat(problem.hint()).contains("in clear text it would fit");
            });
        }
    }

    @Test
    void shouldEncryptAgainAfterARotation() {
        try (TopologyHarness strake = new TopologyHarness(with(SecretsOutput.ENCRYPTED))) {
            Outcome first = strake.putBucket(SITE);
            keys = keys.rotated(Purpose.OUTPUT);
            Outcome rotated = strake.putBucket(SITE);

            assertThat(rotated.status()).isEqualTo(OutcomeStatus.RENDERED);
            assertThat(rotated.work().emitted()).isEqualTo(2);
            assertThat(rotated.published().contentHash())
                    .isNotEqualTo(first.published().contentHash());
            assertThat(strake.putBucket(SITE).status()).isEqualTo(OutcomeStatus.UNCHANGED);
            assertThat(Whole.diff(strake.queries(), WS, 1, 2).rendered()).isEmpty();
        }
    }

    @Test
    void shouldRemoveClearTextOnceItIsDisabled() {
        TopologyHarness strake = new TopologyHarness(with(SecretsOutput.CLEARTEXT));
        strake.putBucket(SITE);
        assertThat(strake.cleartext().keySet())
                .containsExactly("site-a|example/Database/v1|db", "site-a|example/Password/v1|password");
        assertThat(new String(strake.cleartext().get("site-a|example/Database/v1|db"), StandardCharsets.UTF_8))
                .contains("s3cr3t-t0ken");
        assertThat(db(strake).isRedacted()).isTrue();

        TopologyHarness other = strake.restored(with(SecretsOutput.REDACTED));
        strake.close();
        Outcome outcome = other.putBucket(SITE.replace("{user: admin}", "{user: root}"), "ce_id", "second");

        assertThat(outcome.work().emitted()).isEqualTo(3);
        assertThat(other.cleartext()).isEmpty();
        other.close();
    }

    /** Compares records with those of a topology without keys that got the same changes. */
    private void compare(TopologyHarness strake, TopologyHarness clear, String workspace, Outcome outcome) {
        assertThat(strake.records().keySet()).isEqualTo(clear.records().keySet());
        Digest digest = Digest.ZERO;
        TreeSet<String> inClear = new TreeSet<>();
        for (Map.Entry<String, TestRecord<byte[], byte[]>> each :
                clear.records().entrySet()) {
            TestRecord<byte[], byte[]> record = strake.records().get(each.getKey());
            RenderedRecord read = read(record);
            RenderedRecord expected = read(each.getValue());
            if (each.getKey().startsWith(workspace + "|")) {
                digest = digest.plus(Digest.of(read.key().document(), record.value()));
            }
            assertThat(read.headers().secrets().paths())
                    .containsExactlyInAnyOrderElementsOf(
                            expected.headers().secrets().paths());
            if (!read.headers().secret()) {
                assertThat(record.value()).isEqualTo(each.getValue().value());
                assertThat(read.headers().secrets().data()).isNull();
            } else if ("references".equals(read.headers().secrets().data())) {
                assertReferences(
                        new RenderedRecord(read.key(), read.document().map(this::ordered), read.headers()),
                        marked(expected));
            } else if (read.isRedacted()) {
                assertMasked(ordered(read.document().orElseThrow()), marked(expected));
                if (strake.cleartext().containsKey(each.getKey())) {
                    inClear.add(each.getKey());
                    assertThat(ordered(strake.cleartext().get(each.getKey())))
                            .isEqualTo(ordered(each.getValue().value()));
                }
            } else {
                assertThat(read.isEncrypted()).isTrue();
                assertThat(ordered(JsonBytes.of(
                                read.opened((ciphertext, place) -> keys.open(Purpose.OUTPUT, ciphertext, place))
                                        .document()
                                        .orElseThrow())))
                        .isEqualTo(ordered(each.getValue().value()));
            }
        }
        assertThat(strake.cleartext().keySet()).isEqualTo(inClear);
        assertThat(outcome.published().contentHash()).isEqualTo(digest.toString());
    }

    /*
     * A change in the order of keys alone is not published. When the form changes, all documents are published again in
     * their present order, which may differ from that of the topology without keys.
     */
    private byte[] ordered(byte[] document) {
        return isInAnotherForm ? JsonBytes.sorted(JsonReader.read(document)) : document;
    }

    private MapValue ordered(MapValue document) {
        return (MapValue) JsonReader.read(ordered(JsonBytes.of(document)));
    }

    /* The document with its secrets marked at the places that the headers name. */
    private MapValue marked(RenderedRecord clear) {
        MapValue document = ordered(clear.document().orElseThrow());
        Value data = document.get("data");
        return document.with(
                "data", SecretPlaces.at(clear.headers().secrets().paths(), data).markedIn(data));
    }

    /* Checks without the class that masks: masked data has the same keys and lengths, and else only hashes. */
    private static void assertMasked(MapValue masked, MapValue clear) {
        assertThat(masked.without("data")).isEqualTo(clear.without("data"));
        assertMaskedData(masked.get("data"), clear.get("data"));
    }

    private static void assertMaskedData(Value masked, Value clear) {
        if (!clear.hasSecrets()) {
            assertThat(masked).isEqualTo(clear);
        } else if (isHiddenAsAWhole(masked, clear)) {
            assertThat(((Text) masked).value()).matches("\\*{6} [0-9a-f]{16}");
        } else if (clear instanceof MapValue map && map.size() > 0) {
            assertThat(((MapValue) masked).keys()).isEqualTo(map.keys());
            map.forEach((key, value) -> assertMaskedData(((MapValue) masked).get(key), value));
        } else if (clear instanceof ListValue list && list.size() > 0) {
            assertThat(((ListValue) masked).size()).isEqualTo(list.size());
            for (int i = 0; i < list.size(); i++) {
                assertMaskedData(((ListValue) masked).get(i), list.get(i));
            }
        } else {
            assertThat(((Text) masked).value()).matches("\\*{6} [0-9a-f]{16}");
        }
    }

    /* Whether a map is masked as one value because its keys come from secrets. */
    private static boolean isHiddenAsAWhole(Value hidden, Value clear) {
        return clear.isSecret() && clear instanceof MapValue map && map.size() > 0 && hidden instanceof Text;
    }

    /* HTTP resolves a reference as a query of the rendered document. The test runs the query on the clear document. */
    private static void assertReferences(RenderedRecord read, MapValue clear) {
        MapValue document = read.document().orElseThrow();
        assertThat(document.without("data")).isEqualTo(clear.without("data"));
        if (clear.has("data")) {
            assertReferences(read, document.get("data"), clear.get("data"), clear);
        }
    }

    private static void assertReferences(RenderedRecord read, Value referred, Value clear, MapValue document) {
        boolean isAlone = isHiddenAsAWhole(referred, clear);
        if (!clear.hasSecrets()) {
            assertThat(referred).isEqualTo(clear);
        } else if (!isAlone && clear instanceof MapValue map && map.size() > 0) {
            assertThat(((MapValue) referred).keys()).isEqualTo(map.keys());
            map.forEach((key, value) -> assertReferences(read, ((MapValue) referred).get(key), value, document));
        } else if (clear instanceof ListValue list && list.size() > 0) {
            assertThat(((ListValue) referred).size()).isEqualTo(list.size());
            for (int i = 0; i < list.size(); i++) {
                assertReferences(read, ((ListValue) referred).get(i), list.get(i), document);
            }
        } else {
            URI reference = URI.create(((Text) referred).value());
            assertThat(reference.getPath())
                    .isEqualTo("/workspaces/" + read.key().workspace() + "/rendered");
            assertThat(reference.getFragment()).matches("[0-9a-f]{16}");
            Map<String, String> query = Stream.of(reference.getRawQuery().split("&"))
                    .map(each -> each.split("=", 2))
                    .collect(Collectors.toMap(
                            each -> each[0], each -> URLDecoder.decode(each[1], StandardCharsets.UTF_8)));
            assertThat(query)
                    .containsEntry("schema", read.key().document().schema())
                    .containsEntry("name", read.key().document().name())
                    .containsEntry("cleartext-secrets", "true");
            List<Selection.Part> parts =
                    DocumentQuery.of(query.get("query")).in(document).parts();
            assertThat(parts).as(query.get("query")).hasSize(1);
            assertThat(parts.get(0).value()).isEqualTo(clear);
        }
    }

    /* Seals half of the puts. Other changes stay as they are. */
    private Sent sealed(Sent sent, String workspace, SplittableRandom random) {
        if (random.nextBoolean() || !sent.type().endsWith(".put")) {
            return sent;
        }
        PublishingKey key = keys.publishingKey();
        List<Value> items = new ArrayList<>();
        try {
            for (ReadDocument each : new DocumentReader(Limits.DEFAULT)
                    .readDocuments(sent.value().getBytes(StandardCharsets.UTF_8), TextFormat.DETECTED, "change")) {
                items.add(
                        each.value() instanceof MapValue document
                                ? SealedData.forService(document, workspace, key::seal)
                                : each.value());
            }
        } catch (UnreadableTextException e) {
            return sent;
        }
        String value = JsonBytes.text(ListValue.of(items));
        return new Sent(value, sent.type(), sent.bucket(), sent.id());
    }

    @ParameterizedTest
    @EnumSource(SecretsOutput.class)
    void shouldPublishTheSameContentInAnyForm(SecretsOutput output) {
        int secrets = 0;
        for (int story = 0; story < STORIES && secrets == 0; story++) { // in some stories nothing renders
            secrets = tell(output, false, false, seed + story);
        }
        assertThat(secrets).as("records of secrets").isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldContinueInAnotherForm(boolean holdDocuments) {
        for (int story = 0; story < STORIES; story++) {
            tell(ALL.get(story % ALL.size()), holdDocuments, true, seed + story);
        }
    }

    /* Runs one story and returns how many changes published secrets. */
    private int tell(SecretsOutput first, boolean holdDocuments, boolean changing, long storySeed) {
        SplittableRandom random = new SplittableRandom(storySeed);
        String workspace = "story";
        SecretsOutput output = first;
        TopologyHarness strake = new TopologyHarness(with(output).holdingDocuments(holdDocuments));
        TopologyHarness clear = new TopologyHarness(TopologySettings.of(1).holdingDocuments(holdDocuments));
        RandomPublisher publisher = new RandomPublisher(random, workspace);
        Outcome last = null;
        isInAnotherForm = false;
        int secrets = 0;
        try {
            for (int step = 0; step < STEPS; step++) {
                if (changing && random.nextInt(8) == 0) {
                    output = ALL.get(random.nextInt(ALL.size()));
                    TopologyHarness next = strake.restored(with(output).holdingDocuments(holdDocuments));
                    strake.close();
                    strake = next;
                    isInAnotherForm = true;
                }
                Sent sent = publisher.next(clear, last).withMoreSecrets(random);
                Outcome expected = sent.to(clear, workspace);
                Outcome outcome = sealed(sent, workspace, random).to(strake, workspace);
                if (!isInAnotherForm) {
                    assertThat(outcome.status()).isEqualTo(expected.status());
                    assertThat(outcome.work().emitted())
                            .isEqualTo(expected.work().emitted());
                    assertThat(outcome.revision()).isEqualTo(expected.revision());
                }
                if (expected.status() != OutcomeStatus.REJECTED && expected.status() != OutcomeStatus.UNCHANGED) {
                    last = expected;
                }
                if (outcome.revision() != null && outcome.revision().equals(expected.revision())) {
                    compare(strake, clear, workspace, outcome);
                } else if (isInAnotherForm) {
                    return secrets; // only the other form made this change a revision: numbers differ from here on
                }
                secrets += strake.lastRendered().stream()
                                .anyMatch(each -> each.value() != null
                                        && read(each).headers().secret())
                        ? 1
                        : 0;
            }
            return secrets;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dstrake.seed=" + storySeed, e);
        } finally {
            strake.close();
            clear.close();
        }
    }
}
