package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.CHILD;
import static dev.strake.topology.TopologyHarness.FAMILY;
import static dev.strake.topology.TopologyHarness.PARENT;
import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.query.HeldBack;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a publisher sees: the outcome of each type of change. */
class ChangesTest {

    private static final String BROKEN = """
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: broken
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
              substitutions:
              - src: {schema: example/Thing/v1, name: nobody, path: .a}
                dest: {path: .a}
            data: {}
            """;

    @AutoClose
    private TopologyHarness strake = new TopologyHarness();

    @Test
    void shouldRenderAPlainRecordOfYamlWithoutAnyHeader() {
        Outcome outcome = strake.putBucket(FAMILY);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.revision()).isEqualTo(1);
        assertThat(outcome.change().bucket()).isEqualTo("default");
        assertThat(outcome.change().id()).isEqualTo("strake.document-changes-0-0");
        assertThat(outcome.documents()).isEqualTo(new Outcome.Documents(3, 3, 0, 0));
        assertThat(outcome.published().records()).isEqualTo(2);
        assertThat(strake.rendered("example/Thing/v1|child"))
                .endsWith("\"data\":{\"color\":\"red\",\"size\":1,\"shape\":\"round\"}}");
    }

    @Test
    void shouldPublishOnlyChangedDocuments() {
        strake.putBucket(FAMILY);
        Outcome outcome = strake.putBucket(FAMILY.replace("size: 1", "size: 2"));
        assertThat(outcome.documents()).isEqualTo(new Outcome.Documents(3, 0, 1, 0));
        assertThat(outcome.work().emitted()).isEqualTo(1);
        assertThat(strake.lastRendered()).hasSize(1);
    }

    @Test
    void shouldAnswerUnchangedForTheSameDocuments() {
        strake.putBucket(FAMILY);
        Outcome outcome = strake.putBucket(CHILD + "---\n" + PARENT + "---\n" + POLICY);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(outcome.revision()).isEqualTo(1);
    }

    @Test
    void shouldReportProblemsOfAnUnchangedHead() {
        String broken = FAMILY + "---\n" + BROKEN;
        Outcome failed = strake.putBucket(broken);
        assertThat(failed.problems()).hasSize(1);
        Outcome again = strake.putBucket(broken);
        assertThat(again.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(again.problems()).isEqualTo(failed.problems());
        Outcome planned = strake.putBucket(broken, "dry-run", "true");
        assertThat(planned.problems()).isEqualTo(failed.problems());
        assertThat(planned.planned().preview().get("staying")).isEqualTo(Num.of(1));
        assertThat(strake.send(ChangeType.TAG, "{revision: 1, tag: bad}").problems())
                .as("of a tag")
                .isEmpty();
    }

    /* The rendering is stored as "same as published", which stays true although the new document has a selector. */
    @Test
    void shouldFindTheDataOfAParentThatSelectsAMissingParent() {
        strake.putBucket(FAMILY);
        String looking = "{layer: site, parentSelector: {family: nobody}, actions: [{method: merge, path: .}]}";
        String parent =
                PARENT.replace("{layer: global, abstract: true}", looking.replace("site", "global, abstract: true"));
        strake.put(parent);
        Outcome outcome = strake.put(CHILD.replace("round", "square"));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.rendered("example/Thing/v1|child"))
                .endsWith("\"data\":{\"color\":\"red\",\"size\":1,\"shape\":\"square\"}}");
    }

    @Test
    void shouldFindTheDataOfABrokenDocumentThatSelectsAMissingParent() {
        String schema = """
                schema: deckhand/DataSchema/v1
                metadata: {schema: metadata/Control/v1, name: example/Thing/v1}
                data: {required: [size]}
                """;
        String plain =
                CHILD.replace("parentSelector: {family: a}", "").replace("actions: [{method: merge, path: .}]", "");
        assertThat(strake.putBucket(POLICY + "---\n" + schema + "---\n" + plain).status())
                .isEqualTo(OutcomeStatus.FAILED);
        strake.put(CHILD);
        Outcome outcome = strake.put(schema.replace("size", "shape"));
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.rendered("example/Thing/v1|child")).endsWith("\"data\":{\"shape\":\"round\"}}");
    }

    @Test
    void shouldRemoveDocumentsThatABucketNoLongerHas() {
        strake.putBucket(FAMILY);
        Outcome outcome = strake.putBucket(POLICY + "---\n" + PARENT);
        assertThat(outcome.work().removed()).isEqualTo(1);
        assertThat(strake.lastRendered()).hasSize(1);
        assertThat(strake.lastRendered().get(0).value()).isNull();
        assertThat(strake.putBucket(null).documents().total()).isZero();
        assertThat(strake.rendered()).isEmpty();
    }

    @Test
    void shouldApplyAnIdOnce() {
        strake.putBucket(FAMILY, "ce_id", "one");
        Outcome outcome = strake.putBucket("", "ce_id", "one");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(outcome.documents().total()).isEqualTo(3);
    }

    @Test
    void shouldRepeatProblemsForARepeatedChange() {
        Outcome failed = strake.putBucket(FAMILY + "---\n" + BROKEN, "ce_id", "one");
        assertThat(failed.problems()).isNotEmpty();
        assertThat(strake.putBucket("", "ce_id", "one").problems()).isEqualTo(failed.problems());

        for (int i = 0; i < 2; i++) {
            Outcome tagged = strake.send(ChangeType.TAG, "{revision: 1, tag: t}", "ce_id", "two");
            assertThat(tagged.problems()).as("a tag says nothing of documents").isEmpty();
        }
        strake.putBucket(FAMILY);
        assertThat(strake.putBucket("", "ce_id", "one").problems()).isEmpty();
    }

    @Test
    void shouldApplyARejectedIdAgain() {
        assertThat(strake.putBucket("{", "ce_id", "one").status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(strake.putBucket(FAMILY, "ce_id", "one").status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldRejectADocumentOfAnotherBucket() {
        strake.putBucket(FAMILY, "bucket", "a");
        strake.putBucket(BROKEN, "bucket", "b");
        strake.putBucket(null, "bucket", "b");
        var before = strake.dump();
        Outcome outcome = strake.putBucket(CHILD, "bucket", "c");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.DUPLICATE_DOCUMENT_EXISTS);
        TopologyHarness.assertSameState(strake.dump(), before);
    }

    @Test
    void shouldHoldARevisionBackUntilAllOfItRenders() {
        strake.putBucket(FAMILY);
        Outcome failed = strake.putBucket(FAMILY.replace("size: 1", "size: 2") + "---\n" + BROKEN);
        assertThat(failed.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(failed.revision()).isEqualTo(2);
        assertThat(failed.published().revision()).isEqualTo(1);
        assertThat(failed.problems().get(0).code()).isEqualTo(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);
        assertThat(strake.lastRendered()).isEmpty();
        assertThat(strake.problems()).containsOnlyKeys("site-a|example/Thing/v1|site|broken");
        Outcome healed = strake.putBucket(FAMILY.replace("size: 1", "size: 2"));
        assertThat(healed.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(healed.work().emitted()).isEqualTo(1);
        assertThat(strake.problems()).isEmpty();
    }

    @Test
    void shouldHoldBackOnlyDocumentsInTroubleWhenAskedTo() {
        strake.close();
        strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true));
        Outcome outcome = strake.putBucket(FAMILY + "---\n" + BROKEN);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.PARTIAL);
        assertThat(outcome.work().emitted()).isEqualTo(2);
    }

    @Test
    void shouldCountABrokenDocumentAsHeldBackOnceItIsNotAbstract() {
        String abstractly = BROKEN.replace("{layer: site}", "{layer: site, abstract: true}");
        strake.putBucket(POLICY + "---\n" + abstractly);
        assertThat(strake.queries().heldBack(WORKSPACE, 1, 10).documents()).isZero();
        strake.putBucket(POLICY + "---\n" + BROKEN);
        assertThat(strake.queries().heldBack(WORKSPACE, 2, 10).documents()).isOne();
        strake.putBucket(POLICY + "---\n" + abstractly);
        assertThat(strake.queries().heldBack(WORKSPACE, 3, 10).documents()).isZero();
    }

    @Test
    void shouldReportHeldRecordsOfARevisionWhileTheHeadChanges() {
        strake.close();
        strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true));
        strake.putBucket(POLICY + "---\n" + BROKEN.replace("name: broken", "name: never"));
        String whole = BROKEN.replaceAll("(?s)  substitutions:.*?\ndata", "data");
        strake.putBucket(whole, "bucket", "b");
        strake.putBucket(BROKEN, "bucket", "b");
        DocumentKey broken = new DocumentKey("example/Thing/v1", "broken");
        DocumentKey never = new DocumentKey("example/Thing/v1", "never");
        HeldBack heldBack = strake.queriesDuring(() -> strake.putBucket(null, "bucket", "b"))
                .heldBack(WORKSPACE, 3, 10);
        assertThat(strake.queries().history().lastRevision(WORKSPACE)).isEqualTo(4);
        assertThat(heldBack.documents()).isEqualTo(2);
        assertThat(heldBack.some()).containsExactly(Map.entry(broken, true), Map.entry(never, false));
    }

    @Test
    void shouldRollBackExactlyAndToRevisionZero() {
        strake.putBucket(FAMILY, "bucket", "a");
        Map<String, byte[]> first = Map.copyOf(strake.rendered());
        String other = CHILD.replace("name: child", "name: other");
        strake.put(other, "bucket", "a");
        strake.putBucket(CHILD.replace("name: child", "name: third"), "bucket", "b");
        Outcome outcome = strake.rollback(1);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.revision()).isEqualTo(4);
        assertThat(strake.rendered()).containsExactlyInAnyOrderEntriesOf(first);
        assertThat(strake.rollback(0).documents().total()).isZero();
        assertThat(strake.rollback(77).problems().get(0).code()).isEqualTo(ProblemCode.REVISION_NOT_FOUND);
    }

    @Test
    void shouldKeepTheLayerGraphOfEveryRevision() {
        strake.putBucket(FAMILY);
        strake.put(PARENT.replace("family: a", "family: b"));
        DocumentId child = new DocumentId("example/Thing/v1", "site", "child");
        DocumentId parent = new DocumentId("example/Thing/v1", "global", "parent");
        assertThat(Whole.graph(strake.queries(), WORKSPACE, 1).get(child).parent())
                .isEqualTo(parent);
        assertThat(Whole.graph(strake.queries(), WORKSPACE, 2).get(child).parent())
                .isNull();
        assertThat(Whole.graph(strake.queries(), WORKSPACE, 0)).isEmpty();
    }

    @Test
    void shouldTagARevisionWithoutMakingOne() {
        strake.putBucket(FAMILY);
        Outcome tagged = strake.send(ChangeType.TAG, "{revision: 1, tag: good, data: {by: me}}");
        assertThat(tagged.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(Whole.revisions(strake.queries(), WORKSPACE)
                        .get(0)
                        .revision()
                        .tags())
                .containsOnlyKeys("good");
        strake.send(ChangeType.UNTAG, "{revision: 1, tag: good}");
        assertThat(Whole.revisions(strake.queries(), WORKSPACE)
                        .get(0)
                        .revision()
                        .tags())
                .isEmpty();
    }

    @Test
    void shouldKeepResultsOfValidationsWithTheirRevision() {
        strake.putBucket(FAMILY);
        String failure = "{revision: 1, name: site-validation, status: failure, validator: {name: robot},"
                + " errors: [{message: no master}]}";
        Outcome posted = strake.send(ChangeType.VALIDATION_PUT, failure, "ce_id", "once");
        assertThat(posted.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(posted.revision()).isEqualTo(1);
        assertThat(strake.send(ChangeType.VALIDATION_PUT, failure, "ce_id", "once")
                        .status())
                .isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(strake.send(ChangeType.VALIDATION_PUT, failure, "dry-run", "true")
                        .status())
                .isEqualTo(OutcomeStatus.PLANNED);

        assertThat(strake.queries().history().results(WORKSPACE, 1))
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.name()).isEqualTo("site-validation");
                    assertThat(result.status()).isEqualTo("failure");
                    assertThat(result.errors().get(0).text("message")).isEqualTo("no master");
                    assertThat(Instant.ofEpochMilli(result.time())).isEqualTo(posted.time());
                });
        strake.send(ChangeType.WORKSPACE_DELETE, null);
        assertThat(strake.send(ChangeType.VALIDATION_PUT, failure).problems())
                .extracting(Problem::code)
                .containsExactly(ProblemCode.REVISION_NOT_FOUND);
    }

    @Test
    void shouldForgetResultsWhenAnEmptyWorkspaceIsDeletedAgain() {
        strake.putBucket(FAMILY);
        strake.send(ChangeType.WORKSPACE_DELETE, null);
        String success = "{revision: 2, name: site-validation, status: success, validator: {name: robot}}";
        strake.send(ChangeType.VALIDATION_PUT, success);
        assertThat(strake.queries().history().results(WORKSPACE, 2)).hasSize(1);
        strake.send(ChangeType.WORKSPACE_DELETE, null);
        assertThat(strake.queries().history().results(WORKSPACE, 2)).isEmpty();
    }

    @Test
    void shouldIgnoreDeletionsOfMissingDocuments() {
        strake.putBucket(FAMILY);
        String list = "[{schema: example/Thing/v1, layer: site, name: child}, {schema: a/B/v1, name: x}]";
        Outcome outcome = strake.send(ChangeType.DOCUMENTS_DELETE, list);
        assertThat(outcome.documents().removed()).isEqualTo(1);
        assertThat(outcome.warnings()).hasSize(1);
        assertThat(outcome.warnings().get(0).document().name()).isEqualTo("x");
    }

    @Test
    void shouldUseTheLastOfEqualKeysAndWarnInEveryOutcome() {
        String doubled = FAMILY.replace("{shape: round}", "{shape: round, deep: {1: a, \"1\": b}, shape: square}");

        Outcome rendered = strake.putBucket(doubled);
        assertThat(rendered.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.rendered("example/Thing/v1|child")).endsWith("\"shape\":\"square\",\"deep\":{\"1\":\"b\"}}}");
        assertThat(rendered.warnings()).extracting(Problem::path).containsExactly(".data.deep.1", ".data.shape");
        assertThat(rendered.warnings()).allSatisfy(warning -> {
            assertThat(warning.code()).isEqualTo(ProblemCode.DUPLICATE_KEY);
            assertThat(warning.document().name()).isEqualTo("child");
            assertThat(warning.message()).contains("line 23, column ");
        });

        Outcome unchanged = strake.putBucket(doubled);
        assertThat(unchanged.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        Outcome planned = strake.putBucket(doubled.replace("square", "oval"), "dry-run", "true");
        assertThat(planned.status()).isEqualTo(OutcomeStatus.PLANNED);
        Outcome rejected = strake.putBucket(doubled, "bucket", "other");
        assertThat(rejected.status()).isEqualTo(OutcomeStatus.REJECTED);
        Outcome tagged = strake.send(ChangeType.TAG, "{revision: 1, tag: old, tag: good}");
        assertThat(tagged.warnings()).extracting(Problem::path).containsExactly(".tag");
        assertThat(List.of(unchanged, planned, rejected))
                .allSatisfy(outcome -> assertThat(outcome.warnings()).isEqualTo(rendered.warnings()));
    }

    @Test
    void shouldApplyAChangeInPartsWhenAllHaveCome() {
        assertThat(strake.putBucket(CHILD, "ce_id", "x", "part", "3/3").status())
                .isEqualTo(OutcomeStatus.PENDING);
        assertThat(strake.putBucket(CHILD, "ce_id", "x", "part", "3/3").warnings())
                .hasSize(1);
        assertThat(strake.putBucket(POLICY, "ce_id", "x", "part", "3/3").status())
                .isEqualTo(OutcomeStatus.REJECTED);
        assertThat(strake.putBucket(POLICY, "ce_id", "x", "part", "1/3").status())
                .isEqualTo(OutcomeStatus.PENDING);
        Outcome outcome = strake.putBucket(PARENT, "ce_id", "x", "part", "2/3");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.published().records()).isEqualTo(2);
        assertThat(strake.putBucket(PARENT, "ce_id", "x", "part", "2/3").status())
                .isEqualTo(OutcomeStatus.DUPLICATE);
    }

    @Test
    void shouldGiveUpAChangeWhoseLastPartNeverComes() {
        var before = strake.dump();
        strake.putBucket(CHILD, "ce_id", "x", "part", "2/2");
        assertThat(strake.advance(Duration.ofMinutes(9))).isEmpty();
        List<Outcome> outcomes = strake.advance(Duration.ofMinutes(2));
        assertThat(outcomes).singleElement().satisfies(outcome -> {
            assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
            assertThat(outcome.change().id()).isEqualTo("x");
        });
        TopologyHarness.assertSameState(strake.dump(), before);
        assertThat(strake.advance(Duration.ofMinutes(20))).isEmpty();
    }

    /* An end-to-end test reads the dead letter, because the driver hides the records that handlers send. */
    @Test
    void shouldSkipRecordsWithoutAWorkspace() {
        byte[] value = FAMILY.getBytes(StandardCharsets.UTF_8);
        assertThat(strake.send((byte[]) null, value, TopologyHarness.headers())).isEmpty();
        byte[] blank = "no name".getBytes(StandardCharsets.UTF_8);
        assertThat(strake.send(blank, value, TopologyHarness.headers())).isEmpty();
        assertThat(strake.putBucket(FAMILY).status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldPublishTheSameBytesAfterARestartWithAReorderedParent() {
        String leaf = CHILD.replace("name: child", "name: leaf")
                .replace("layer: site", "layer: rack")
                .replace("family: a", "family: b");
        String middle = CHILD.replace("storagePolicy: cleartext", "storagePolicy: cleartext\n  labels: {family: b}");
        strake.putBucket(
                FAMILY.replace("[global, site]", "[global, site, rack]").replace(CHILD, middle) + "---\n" + leaf);
        String reordered = PARENT.replace("labels: {family: a}", "labels: {family: a, more: b}")
                .replace("{color: red, size: 1}", "{size: 1, color: red}");
        put(reordered, "reordered");
        try (TopologyHarness restored = strake.restored()) {
            String edited = leaf.replace("shape: round", "shape: square");
            put(edited, "edited");
            restored.put(edited, "ce_id", "edited");
            assertThat(strake.rendered("example/Thing/v1|leaf"))
                    .contains("{\"size\":1,\"color\":\"red\",\"shape\":\"square\"}")
                    .isEqualTo(restored.rendered("example/Thing/v1|leaf"));
        }
    }

    private void put(String documents, String id) {
        strake.put(documents, "ce_id", id);
    }
}
