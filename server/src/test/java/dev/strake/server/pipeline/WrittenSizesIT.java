package dev.strake.server.pipeline;

import static dev.strake.server.pipeline.Installation.MIB;
import static dev.strake.server.pipeline.Installation.TIMEOUT;
import static dev.strake.server.pipeline.LargeTexts.GLOBAL;
import static dev.strake.server.pipeline.LargeTexts.OF_PARENT;
import static dev.strake.server.pipeline.LargeTexts.PARENT;
import static dev.strake.server.pipeline.LargeTexts.SITE;
import static dev.strake.server.pipeline.LargeTexts.array;
import static dev.strake.server.pipeline.LargeTexts.child;
import static dev.strake.server.pipeline.LargeTexts.collection;
import static dev.strake.server.pipeline.LargeTexts.document;
import static dev.strake.server.pipeline.LargeTexts.gathering;
import static dev.strake.server.pipeline.LargeTexts.json;
import static dev.strake.server.pipeline.LargeTexts.longNamed;
import static dev.strake.server.pipeline.LargeTexts.many;
import static dev.strake.server.pipeline.LargeTexts.policy;
import static dev.strake.server.pipeline.LargeTexts.quoted;
import static dev.strake.server.pipeline.LargeTexts.secret;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.broker.EmbeddedBroker;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.secrets.Keyset;
import dev.strake.secrets.KeysetFile;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.RecordSize;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.store.ChangesLayout;
import dev.strake.serdes.store.DocumentsLayout;
import dev.strake.serdes.store.LayerGraphLayout;
import dev.strake.serdes.store.RevisionsLayout;
import dev.strake.server.pipeline.Installation.Stored;
import dev.strake.server.pipeline.Installation.Written;
import dev.strake.server.pipeline.LargeTexts.Text;
import dev.strake.server.settings.Catalogue;
import dev.strake.server.settings.Settings;
import dev.strake.topology.RenderTopology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The largest records that limits let the pipeline write into its topics and changelogs, packed well and badly: all fit. An
 * instance that lost its state restores it, goes on, and renders the same again.
 */
class WrittenSizesIT {

    @TempDir
    private static Path directory;

    private static EmbeddedBroker broker;

    private Installation strake;
    private Path data;
    private Pipeline pipeline;
    private int published;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = EmbeddedBroker.start(directory.resolve("kafka"), 0);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @AfterEach
    void stop() {
        pipeline.close();
        strake.close();
    }

    private void start(String name, Settings settings) {
        data = directory.resolve(name);
        strake = new Installation(broker, name + ".", 1, data, settings);
        pipeline = strake.start();
    }

    @Test
    void shouldWriteWhatTheUsualLimitsAllowAndSayWhatIsBeyondThem() throws Exception {
        start("usual", Settings.defaults());
        for (Text text : Text.values()) {
            String fits = text.of(MIB - document("one", SITE, "", quoted("")).length());
            put("document-" + text, "fits-" + text, document("one", SITE, "", quoted(fits)));
            put("document-" + text, "beyond-" + text, document("one", SITE, "", quoted(fits + "a")));
            String sources = many(9, i -> document("source-" + i, SITE, "", quoted(text.of(MIB - 1_000))));
            put("rendered-" + text, "renders-" + text, sources, gathering(8));
            add("rendered-" + text, "renders-beyond-" + text, gathering(9));
            for (int part = 1; part <= 5; part++) {
                publish("parts", "parts-" + text, text.of(14 * MIB), HeaderNames.PART, part + "/6");
            }
        }
        String things = many(1_000, i -> document("thing-" + i, SITE, "", "1"));
        put("reads", "reads", things, collection("'path':'.%s'", Text.PLAIN.of(1_000_000)));
        strake.awaitOutcomes(published, pipeline);
        for (Text text : Text.values()) {
            assertStatus(OutcomeStatus.RENDERED, "fits-" + text, "renders-" + text);
            assertBeyond("beyond-" + text, OutcomeStatus.REJECTED, MIB + " bytes");
            assertBeyond("renders-beyond-" + text, OutcomeStatus.FAILED, 8 * MIB + " bytes");
            assertBeyond("parts-" + text, OutcomeStatus.REJECTED, 64 * MIB + " bytes in all parts");
        }
        assertBeyond("reads", OutcomeStatus.FAILED, "characters of names and paths");

        Map<String, Stored> stored = restart();
        assertThat(stored.get(DocumentsLayout.STORE).largest()).isGreaterThan(MIB);
        Map<String, Written> topics =
                assertRendersTheSame("document-PLAIN", "document-NOISE", "rendered-PLAIN", "rendered-NOISE");
        assertThat(topics.get(TopicNames.RENDERED).largest()).isGreaterThan(7L * MIB);
    }

    @Test
    void shouldTellOfManyDocumentsOfLongNamesInWhatTopicsTake() throws Exception {
        start("names", Settings.defaults());
        for (Text text : Text.values()) {
            String policy = policy(text.name(0));
            String parents = longNamed(text, 0, 20, "", PARENT).replace(text.name(0) + "\"}", "global\"}");
            String orphans = longNamed(text, 1_000, 110, OF_PARENT.replace("parent\"}", "nobody\"}"), "");
            String problems = longNamed(text, 2_000, 110, OF_PARENT, "");
            String others = longNamed(text, 3_000, 110, OF_PARENT, "");
            String fine = longNamed(text, 4_000, 300, "", "");
            publish("names-" + text, "names-" + text, array(policy, longNamed(text, 5_000, 600, "", "")));
            publish("problems-" + text, "problems-" + text, array(policy, parents, problems));
            String[] dryRun = {HeaderNames.DRY_RUN, "true", HeaderNames.MESSAGE, "m".repeat(4_096)};
            publish("problems-" + text, "dry-run-" + text, array(policy, parents, orphans, others, fine), dryRun);
        }
        strake.awaitOutcomes(published, pipeline);
        for (Text text : Text.values()) {
            assertStatus(OutcomeStatus.RENDERED, "names-" + text);
            assertStatus(OutcomeStatus.FAILED, "problems-" + text);
            assertThat(strake.outcome("problems-" + text).problems()).hasSizeBetween(2, 99);
            assertStatus(OutcomeStatus.PLANNED, "dry-run-" + text);
        }

        Map<String, Stored> stored = restart();
        assertThat(stored.get(RevisionsLayout.STORE).largest()).isGreaterThan(3L * MIB);
        Map<String, Written> topics = assertRendersTheSame("names-PLAIN", "names-NOISE");
        assertThat(topics.get(TopicNames.OUTCOMES).largest()).isGreaterThan(4L * MIB);
        assertThat(topics.get(TopicNames.PROBLEMS).largest()).isGreaterThan(130_000);
    }

    @Test
    void shouldWriteWhatTheHighestLimitsAllow() throws Exception {
        Path keyset = directory.resolve("keyset");
        new KeysetFile(Keyset.create(), Optional.empty()).create(keyset);
        int most = 15 * MIB;
        start(
                "highest",
                Settings.defaults()
                        .with(Catalogue.DOCUMENT_BYTES, most)
                        .with(Catalogue.RENDERED_BYTES, most)
                        .with(Catalogue.SECRETS_KEYSET, keyset)
                        .with(Catalogue.SECRETS_OUTPUT, "cleartext"));
        for (Text text : Text.values()) {
            String inherited = json("{'a':'%s'}").formatted(text.of(9 * MIB));
            String fits =
                    text.of(RenderLimits.RECORD_BYTES - child("", inherited).length());
            put("layered-" + text, "fits-" + text, document("parent", GLOBAL, PARENT, inherited), child(fits, "{}"));
            if (text == Text.NOISE) {
                add("layered-NOISE", "layered-beyond", child(fits + "a", "{}"));
            }
            put("selection-" + text, "selection-" + text, collection("'labels':{'a':'%s'}", text.of(most - 1_000)));
        }
        String noise = Text.NOISE.of(most - 1_000);
        String half = noise.substring(0, most / 2 - 1_000);
        // What is encrypted is noise, whatever it was.
        put("secret", "secret", secret("one", SITE, "", quoted(noise)));
        String selects = json(",'parentSelector':{'a':'%s'},'actions':[{'method':'merge','path':'.'}]");
        put(
                "facts",
                "facts",
                secret(
                        "one",
                        SITE + selects.formatted(half),
                        json(",'labels':{'a':'%s'}").formatted(half),
                        "{}"));
        put(
                "derived",
                "derived",
                document("one", SITE, "", quoted(half)),
                document("two", SITE, "", quoted(half)),
                collection("'path':'%s'", "."));
        put("tags", "held", secret("one", SITE, "", "1"));
        put("tags", "holds", secret("one", SITE, "", "2"), gathering(1));
        tag("first", noise.substring(0, 250_000));
        tag("beyond-tags", noise.substring(0, 20_000));
        add("beyond", "beyond", document("one", SITE, "", quoted(Text.PLAIN.of(most))));
        for (int part = 1; part <= 3; part++) {
            publishPart(part, noise);
        }
        publishPartThatNothingPacks();
        strake.awaitOutcomes(published, pipeline);
        assertStatus(OutcomeStatus.RENDERED, "fits-PLAIN", "fits-NOISE", "selection-PLAIN", "selection-NOISE");
        assertStatus(OutcomeStatus.RENDERED, "secret", "facts", "derived", "held");
        assertStatus(OutcomeStatus.FAILED, "holds");
        assertStatus(OutcomeStatus.UNCHANGED, "first");
        assertBeyond("layered-beyond", OutcomeStatus.FAILED, RenderLimits.RECORD_BYTES + " bytes");
        assertBeyond("beyond-tags", OutcomeStatus.REJECTED, (256 << 10) + " bytes");
        assertBeyond("beyond", OutcomeStatus.REJECTED, most + " bytes");

        Map<String, Stored> stored = restart();
        assertThat(stored.get(DocumentsLayout.STORE).largest()).isGreaterThan(most - MIB);
        assertThat(stored.get(LayerGraphLayout.STORE).largest()).isGreaterThan(2L * (most - MIB));
        assertThat(stored.get(RevisionsLayout.STORE).largest()).isGreaterThan(2L * (most - MIB));
        assertThat(stored.get(ChangesLayout.STORE).largest()).isGreaterThan(MIB);
        publishPart(4, noise);
        Map<String, Written> topics = assertRendersTheSame("layered-PLAIN", "secret");
        assertStatus(OutcomeStatus.RENDERED, "parts");
        assertThat(topics.get(TopicNames.RENDERED).largest()).isGreaterThan(RenderLimits.RECORD_BYTES);
        assertThat(topics.get(TopicNames.CLEARTEXT).largest()).isGreaterThan(most - MIB);
        assertThat(topics.get(TopicNames.CLEARTEXT).versionsOf("secret"))
                .singleElement()
                .satisfies(of -> assertThat(of).containsExactly(of.get(0), of.get(0)));
    }

    private void tag(String tag, String text) throws Exception {
        String body = json("{'revision':2,'tag':'%s','data':{'a':'%s'}}").formatted(tag, text);
        publish("tags", tag, body, HeaderNames.CE_TYPE, ChangeType.TAG.text());
    }

    private void publishPart(int part, String noise) throws Exception {
        String policy = part == 1 ? policy("site") + "," : "";
        String one = document("one-" + part, SITE, "", quoted(noise));
        publish("parts", "parts", array(policy + one), HeaderNames.PART, part + "/4");
    }

    /* A part is read once all have come, so it may be no text at all. */
    private void publishPartThatNothingPacks() throws Exception {
        byte[] noise = new byte[3 * MIB];
        new Random(1).nextBytes(noise);
        ProducerRecord<byte[], byte[]> record = strake.at("parts", 0);
        record.headers().add(HeaderNames.PART, "1/2".getBytes(UTF_8));
        strake.publish("none", record, "waits", noise);
        published++;
    }

    private void put(String workspace, String id, String... documents) throws Exception {
        publish(workspace, id, array(policy("site"), String.join(",", documents)));
    }

    private void add(String workspace, String id, String document) throws Exception {
        publish(workspace, id, array(document), HeaderNames.CE_TYPE, ChangeType.DOCUMENTS_PUT.text());
    }

    private void publish(String workspace, String id, String body, String... headers) throws Exception {
        ProducerRecord<byte[], byte[]> record = strake.at(workspace, 0);
        for (int i = 0; i < headers.length; i += 2) {
            record.headers().add(headers[i], headers[i + 1].getBytes(UTF_8));
        }
        strake.publish("lz4", record, id, body.getBytes(UTF_8));
        published++;
    }

    /** Lets an instance go on that has to restore all state. Returns what the stores have. */
    private Map<String, Stored> restart() throws Exception {
        Map<String, Stored> before = strake.stores(pipeline);
        pipeline.close();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        pipeline = strake.start();
        pipeline.awaitReady(TIMEOUT);
        assertThat(strake.stores(pipeline)).isEqualTo(before);
        assertThat(before.values())
                .allSatisfy(store -> assertThat(store.largest()).isLessThanOrEqualTo(RenderTopology.MAX_RECORD_BYTES));
        return before;
    }

    /** Deletes all documents of workspaces, and puts those of their first revisions back. Returns what is in the topics. */
    private Map<String, Written> assertRendersTheSame(String... workspaces) throws Exception {
        for (String each : workspaces) {
            for (int revision : new int[] {0, 1}) {
                String body = json("{'revision':%d}").formatted(revision);
                publish(each, each + "-to-" + revision, body, HeaderNames.CE_TYPE, ChangeType.ROLLBACK.text());
            }
        }
        strake.awaitOutcomes(published, pipeline);
        Map<String, Written> topics = strake.written();
        for (String each : workspaces) {
            assertStatus(OutcomeStatus.RENDERED, each + "-to-0", each + "-to-1");
            List<List<Long>> versions = topics.get(TopicNames.RENDERED).versionsOf(each);
            assertThat(versions)
                    .isNotEmpty()
                    .allSatisfy(of -> assertThat(of)
                            .as("once before and once after, the same")
                            .containsExactly(of.get(0), of.get(0)));
        }
        assertThat(topics.values())
                .allSatisfy(topic -> assertThat(topic.largest()).isLessThanOrEqualTo(RecordSize.MOST));
        return topics;
    }

    private void assertStatus(OutcomeStatus status, String... ids) {
        for (String id : ids) {
            assertThat(strake.outcome(id).status()).as(id).isEqualTo(status);
        }
    }

    private void assertBeyond(String id, OutcomeStatus status, String limit) {
        assertStatus(status, id);
        assertThat(strake.outcome(id).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
            assertThat(problem.message()).contains(limit);
        });
    }
}
