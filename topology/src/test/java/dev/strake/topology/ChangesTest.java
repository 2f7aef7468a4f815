package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Num;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.query.HeldBack;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a publisher sees: the outcome of each type of change. */
class ChangesTest {

    private static final String VALIDATION = "dev.strake.validation.put";

    private static final String POLICY = """
            schema: deckhand/LayeringPolicy/v1
            metadata: {schema: metadata/Control/v1, name: policy}
            data: {layerOrder: [global, site]}
            """;
    private static final String PARENT = """
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: parent
              storagePolicy: cleartext
              labels: {family: a}
              layeringDefinition: {layer: global, abstract: true}
            data: {color: red, size: 1}
            """;
    private static final String CHILD = """
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
    private static final String ALL = POLICY + "---\n" + PARENT + "---\n" + CHILD;

    private TopologyHarness strake = new TopologyHarness();

    @AfterEach
    void close() {
        strake.close();
    }

    @Test
    void shouldRenderAPlainRecordOfYamlWithoutAnyHeader() {
        Outcome outcome = strake.send(WORKSPACE, ALL);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.revision()).isEqualTo(1);
        assertThat(outcome.change().bucket()).isEqualTo("default");
        assertThat(outcome.change().id()).isEqualTo("strake.document-changes-0-0");
        assertThat(outcome.documents()).isEqualTo(new Outcome.Documents(3, 3, 0, 0));
        assertThat(outcome.published().records()).isEqualTo(2);
        assertThat(TopologyHarness.text(strake.rendered().get("site-a|example/Thing/v1|child")))
                .endsWith("\"data\":{\"color\":\"red\",\"size\":1,\"shape\":\"round\"}}");
    }

    @Test
    void shouldPublishOnlyWhatCameOutDifferent() {
        strake.send(WORKSPACE, ALL);
        Outcome outcome = strake.send(WORKSPACE, ALL.replace("size: 1", "size: 2"));
        assertThat(outcome.documents()).isEqualTo(new Outcome.Documents(3, 0, 1, 0));
        assertThat(outcome.work().emitted()).isEqualTo(1);
        assertThat(strake.lastRendered()).hasSize(1);
    }

    @Test
    void shouldAnswerUnchangedWhenTheDocumentsAreWhatTheyWere() {
        strake.send(WORKSPACE, ALL);
        Outcome outcome = strake.send(WORKSPACE, CHILD + "---\n" + PARENT + "---\n" + POLICY);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(outcome.revision()).isEqualTo(1);
    }

    @Test
    void shouldSayOfAnUnchangedHeadWhatIsWrongWithIt() {
        String broken = ALL + "---\n" + BROKEN;
        Outcome failed = strake.send(WORKSPACE, broken);
        assertThat(failed.problems()).hasSize(1);
        Outcome again = strake.send(WORKSPACE, broken);
        assertThat(again.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(again.problems()).isEqualTo(failed.problems());
        Outcome planned = strake.send(WORKSPACE, broken, "dry-run", "true");
        assertThat(planned.problems()).isEqualTo(failed.problems());
        assertThat(planned.planned().preview().get("staying")).isEqualTo(Num.of(1));
        assertThat(strake.send(WORKSPACE, "{revision: 1, tag: bad}", "ce_type", "dev.strake.revision.tag")
                        .problems())
                .as("of a tag")
                .isEmpty();
    }

    /* The rendering is stored as "same as published", which stays true although the new document has a selector. */
    @Test
    void shouldFindTheDataOfAParentThatBeganToLookForAParentInVain() {
        strake.send(WORKSPACE, ALL);
        String looking = "{layer: site, parentSelector: {family: nobody}, actions: [{method: merge, path: .}]}";
        String parent =
                PARENT.replace("{layer: global, abstract: true}", looking.replace("site", "global, abstract: true"));
        strake.send(WORKSPACE, parent, "ce_type", "dev.strake.documents.put");
        Outcome outcome =
                strake.send(WORKSPACE, CHILD.replace("round", "square"), "ce_type", "dev.strake.documents.put");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(TopologyHarness.text(strake.rendered().get("site-a|example/Thing/v1|child")))
                .endsWith("\"data\":{\"color\":\"red\",\"size\":1,\"shape\":\"square\"}}");
    }

    @Test
    void shouldFindTheDataOfADocumentInTroubleThatBeganToLookForAParentInVain() {
        String schema = """
                schema: deckhand/DataSchema/v1
                metadata: {schema: metadata/Control/v1, name: example/Thing/v1}
                data: {required: [size]}
                """;
        String plain =
                CHILD.replace("parentSelector: {family: a}", "").replace("actions: [{method: merge, path: .}]", "");
        assertThat(strake.send(WORKSPACE, POLICY + "---\n" + schema + "---\n" + plain)
                        .status())
                .isEqualTo(OutcomeStatus.FAILED);
        strake.send(WORKSPACE, CHILD, "ce_type", "dev.strake.documents.put");
        Outcome outcome =
                strake.send(WORKSPACE, schema.replace("size", "shape"), "ce_type", "dev.strake.documents.put");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(TopologyHarness.text(strake.rendered().get("site-a|example/Thing/v1|child")))
                .endsWith("\"data\":{\"shape\":\"round\"}}");
    }

    @Test
    void shouldRemoveWhatABucketNoLongerNames() {
        strake.send(WORKSPACE, ALL);
        Outcome outcome = strake.send(WORKSPACE, POLICY + "---\n" + PARENT);
        assertThat(outcome.work().removed()).isEqualTo(1);
        assertThat(strake.lastRendered()).hasSize(1);
        assertThat(strake.lastRendered().get(0).value()).isNull();
        assertThat(strake.send(WORKSPACE, null).documents().total()).isZero();
        assertThat(strake.rendered()).isEmpty();
    }

    @Test
    void shouldApplyAnIdOnce() {
        strake.send(WORKSPACE, ALL, "ce_id", "one");
        Outcome outcome = strake.send(WORKSPACE, "", "ce_id", "one");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(outcome.documents().total()).isEqualTo(3);
    }

    @Test
    void shouldSayAgainWhatIsWrongWithDocumentsThatComeTwiceWithOneId() {
        Outcome failed = strake.send(WORKSPACE, ALL + "---\n" + BROKEN, "ce_id", "one");
        assertThat(failed.problems()).isNotEmpty();
        assertThat(strake.send(WORKSPACE, "", "ce_id", "one").problems()).isEqualTo(failed.problems());

        for (int i = 0; i < 2; i++) {
            Outcome tagged = strake.send(
                    WORKSPACE, "{revision: 1, tag: t}", "ce_type", "dev.strake.revision.tag", "ce_id", "two");
            assertThat(tagged.problems()).as("a tag says nothing of documents").isEmpty();
        }
        strake.send(WORKSPACE, ALL);
        assertThat(strake.send(WORKSPACE, "", "ce_id", "one").problems()).isEmpty();
    }

    @Test
    void shouldTryAnIdAgainThatWasRejected() {
        assertThat(strake.send(WORKSPACE, "{", "ce_id", "one").status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(strake.send(WORKSPACE, ALL, "ce_id", "one").status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldRejectADocumentThatAnotherBucketHoldsWhateverWasPutInBetween() {
        strake.send(WORKSPACE, ALL, "bucket", "a");
        strake.send(WORKSPACE, BROKEN, "bucket", "b");
        strake.send(WORKSPACE, null, "bucket", "b");
        var before = strake.dump();
        Outcome outcome = strake.send(WORKSPACE, CHILD, "bucket", "c");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.DUPLICATE_DOCUMENT_EXISTS);
        TopologyHarness.assertSameState(strake.dump(), before);
    }

    @Test
    void shouldHoldARevisionBackUntilAllOfItRenders() {
        strake.send(WORKSPACE, ALL);
        Outcome failed = strake.send(WORKSPACE, ALL.replace("size: 1", "size: 2") + "---\n" + BROKEN);
        assertThat(failed.status()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(failed.revision()).isEqualTo(2);
        assertThat(failed.published().revision()).isEqualTo(1);
        assertThat(failed.problems().get(0).code()).isEqualTo(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND);
        assertThat(strake.lastRendered()).isEmpty();
        assertThat(strake.problems()).containsOnlyKeys("site-a|example/Thing/v1|site|broken");
        Outcome healed = strake.send(WORKSPACE, ALL.replace("size: 1", "size: 2"));
        assertThat(healed.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(healed.work().emitted()).isEqualTo(1);
        assertThat(strake.problems()).isEmpty();
    }

    @Test
    void shouldHoldBackOnlyDocumentsInTroubleWhenAskedTo() {
        strake.close();
        strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true));
        Outcome outcome = strake.send(WORKSPACE, ALL + "---\n" + BROKEN);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.PARTIAL);
        assertThat(outcome.work().emitted()).isEqualTo(2);
    }

    @Test
    void shouldCountAsHeldBackWhatIsNoLongerAbstractAndStillInTrouble() {
        String abstractly = BROKEN.replace("{layer: site}", "{layer: site, abstract: true}");
        strake.send(WORKSPACE, POLICY + "---\n" + abstractly);
        assertThat(strake.queries().heldBack(WORKSPACE, 1, 10).documents()).isZero();
        strake.send(WORKSPACE, POLICY + "---\n" + BROKEN);
        assertThat(strake.queries().heldBack(WORKSPACE, 2, 10).documents()).isOne();
        strake.send(WORKSPACE, POLICY + "---\n" + abstractly);
        assertThat(strake.queries().heldBack(WORKSPACE, 3, 10).documents()).isZero();
    }

    @Test
    void shouldSayWhatConsumersHeldWhenAnotherHeadComesWhileItIsRead() {
        strake.close();
        strake = new TopologyHarness(TopologySettings.of(1).holdingDocuments(true));
        strake.send(WORKSPACE, POLICY + "---\n" + BROKEN.replace("name: broken", "name: never"));
        String whole = BROKEN.replaceAll("(?s)  substitutions:.*?\ndata", "data");
        strake.send(WORKSPACE, whole, "bucket", "b");
        strake.send(WORKSPACE, BROKEN, "bucket", "b");
        DocumentKey broken = new DocumentKey("example/Thing/v1", "broken");
        DocumentKey never = new DocumentKey("example/Thing/v1", "never");
        HeldBack heldBack = strake.queriesDuring(() -> strake.send(WORKSPACE, null, "bucket", "b"))
                .heldBack(WORKSPACE, 3, 10);
        assertThat(strake.queries().history().lastRevision(WORKSPACE)).isEqualTo(4);
        assertThat(heldBack.documents()).isEqualTo(2);
        assertThat(heldBack.some()).containsExactly(Map.entry(broken, true), Map.entry(never, false));
    }

    @Test
    void shouldRollBackExactlyAndToNothing() {
        strake.send(WORKSPACE, ALL, "bucket", "a");
        Map<String, byte[]> first = Map.copyOf(strake.rendered());
        String other = CHILD.replace("name: child", "name: other");
        strake.send(WORKSPACE, other, "bucket", "a", "ce_type", "dev.strake.documents.put");
        strake.send(WORKSPACE, CHILD.replace("name: child", "name: third"), "bucket", "b");
        Outcome outcome = strake.rollback(1);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.revision()).isEqualTo(4);
        assertThat(strake.rendered()).containsExactlyInAnyOrderEntriesOf(first);
        assertThat(strake.rollback(0).documents().total()).isZero();
        assertThat(strake.rollback(77).problems().get(0).code()).isEqualTo(ProblemCode.REVISION_NOT_FOUND);
    }

    @Test
    void shouldKeepTheLayerGraphOfEveryRevision() {
        strake.send(WORKSPACE, ALL);
        strake.send(WORKSPACE, PARENT.replace("family: a", "family: b"), "ce_type", "dev.strake.documents.put");
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
        strake.send(WORKSPACE, ALL);
        Outcome tagged = strake.send(
                WORKSPACE, "{revision: 1, tag: good, data: {by: me}}", "ce_type", "dev.strake.revision.tag");
        assertThat(tagged.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(Whole.revisions(strake.queries(), WORKSPACE)
                        .get(0)
                        .revision()
                        .tags())
                .containsOnlyKeys("good");
        strake.send(WORKSPACE, "{revision: 1, tag: good}", "ce_type", "dev.strake.revision.untag");
        assertThat(Whole.revisions(strake.queries(), WORKSPACE)
                        .get(0)
                        .revision()
                        .tags())
                .isEmpty();
    }

    @Test
    void shouldKeepResultsOfValidationsWithTheirRevision() {
        strake.send(WORKSPACE, ALL);
        String failure = "{revision: 1, name: site-validation, status: failure, validator: {name: robot},"
                + " errors: [{message: no master}]}";
        Outcome posted = strake.send(WORKSPACE, failure, "ce_type", VALIDATION, "ce_id", "once");
        assertThat(posted.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(posted.revision()).isEqualTo(1);
        assertThat(strake.send(WORKSPACE, failure, "ce_type", VALIDATION, "ce_id", "once")
                        .status())
                .isEqualTo(OutcomeStatus.DUPLICATE);
        assertThat(strake.send(WORKSPACE, failure, "ce_type", VALIDATION, "dry-run", "true")
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
        strake.send(WORKSPACE, null, "ce_type", "dev.strake.workspace.delete");
        assertThat(strake.send(WORKSPACE, failure, "ce_type", VALIDATION).problems())
                .extracting(Problem::code)
                .containsExactly(ProblemCode.REVISION_NOT_FOUND);
    }

    @Test
    void shouldForgetTheResultsOfAnEmptyHeadWhenTheWorkspaceIsDeletedAgain() {
        strake.send(WORKSPACE, ALL);
        strake.send(WORKSPACE, null, "ce_type", "dev.strake.workspace.delete");
        String success = "{revision: 2, name: site-validation, status: success, validator: {name: robot}}";
        strake.send(WORKSPACE, success, "ce_type", VALIDATION);
        assertThat(strake.queries().history().results(WORKSPACE, 2)).hasSize(1);
        strake.send(WORKSPACE, null, "ce_type", "dev.strake.workspace.delete");
        assertThat(strake.queries().history().results(WORKSPACE, 2)).isEmpty();
    }

    @Test
    void shouldIgnoreDeletionsOfWhatIsNotThere() {
        strake.send(WORKSPACE, ALL);
        String list = "[{schema: example/Thing/v1, layer: site, name: child}, {schema: a/B/v1, name: x}]";
        Outcome outcome = strake.send(WORKSPACE, list, "ce_type", "dev.strake.documents.delete");
        assertThat(outcome.documents().removed()).isEqualTo(1);
        assertThat(outcome.warnings()).hasSize(1);
        assertThat(outcome.warnings().get(0).document().name()).isEqualTo("x");
    }

    @Test
    void shouldTakeTheLastOfEqualKeysAndWarnWhateverBecomesOfTheChange() {
        String doubled = ALL.replace("{shape: round}", "{shape: round, deep: {1: a, \"1\": b}, shape: square}");

        Outcome rendered = strake.send(WORKSPACE, doubled);
        assertThat(rendered.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(TopologyHarness.text(strake.rendered().get("site-a|example/Thing/v1|child")))
                .endsWith("\"shape\":\"square\",\"deep\":{\"1\":\"b\"}}}");
        assertThat(rendered.warnings()).extracting(Problem::path).containsExactly(".data.deep.1", ".data.shape");
        assertThat(rendered.warnings()).allSatisfy(warning -> {
            assertThat(warning.code()).isEqualTo(ProblemCode.DUPLICATE_KEY);
            assertThat(warning.document().name()).isEqualTo("child");
            assertThat(warning.message()).contains("line 23, column ");
        });

        Outcome unchanged = strake.send(WORKSPACE, doubled);
        assertThat(unchanged.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        Outcome planned = strake.send(WORKSPACE, doubled.replace("square", "oval"), "dry-run", "true");
        assertThat(planned.status()).isEqualTo(OutcomeStatus.PLANNED);
        Outcome rejected = strake.send(WORKSPACE, doubled, "bucket", "other");
        assertThat(rejected.status()).isEqualTo(OutcomeStatus.REJECTED);
        Outcome tagged =
                strake.send(WORKSPACE, "{revision: 1, tag: old, tag: good}", "ce_type", "dev.strake.revision.tag");
        assertThat(tagged.warnings()).extracting(Problem::path).containsExactly(".tag");
        assertThat(List.of(unchanged, planned, rejected))
                .allSatisfy(outcome -> assertThat(outcome.warnings()).isEqualTo(rendered.warnings()));
    }

    @Test
    void shouldApplyAChangeInPartsWhenAllHaveCome() {
        assertThat(strake.send(WORKSPACE, CHILD, "ce_id", "x", "part", "3/3").status())
                .isEqualTo(OutcomeStatus.PENDING);
        assertThat(strake.send(WORKSPACE, CHILD, "ce_id", "x", "part", "3/3").warnings())
                .hasSize(1);
        assertThat(strake.send(WORKSPACE, POLICY, "ce_id", "x", "part", "3/3").status())
                .isEqualTo(OutcomeStatus.REJECTED);
        assertThat(strake.send(WORKSPACE, POLICY, "ce_id", "x", "part", "1/3").status())
                .isEqualTo(OutcomeStatus.PENDING);
        Outcome outcome = strake.send(WORKSPACE, PARENT, "ce_id", "x", "part", "2/3");
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.published().records()).isEqualTo(2);
        assertThat(strake.send(WORKSPACE, PARENT, "ce_id", "x", "part", "2/3").status())
                .isEqualTo(OutcomeStatus.DUPLICATE);
    }

    @Test
    void shouldGiveUpAChangeWhoseLastPartNeverComes() {
        var before = strake.dump();
        strake.send(WORKSPACE, CHILD, "ce_id", "x", "part", "2/2");
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
    void shouldPassOverWhatHasNoWorkspaceAndGoOn() {
        byte[] value = ALL.getBytes(StandardCharsets.UTF_8);
        assertThat(strake.send((byte[]) null, value, TopologyHarness.headers())).isEmpty();
        byte[] blank = "no name".getBytes(StandardCharsets.UTF_8);
        assertThat(strake.send(blank, value, TopologyHarness.headers())).isEmpty();
        assertThat(strake.send(WORKSPACE, ALL).status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldPublishTheSameBytesAfterARestartWhereAParentCameToTheSameInAnotherOrder() {
        String leaf = CHILD.replace("name: child", "name: leaf")
                .replace("layer: site", "layer: rack")
                .replace("family: a", "family: b");
        String middle = CHILD.replace("storagePolicy: cleartext", "storagePolicy: cleartext\n  labels: {family: b}");
        strake.send(
                WORKSPACE,
                ALL.replace("[global, site]", "[global, site, rack]").replace(CHILD, middle) + "---\n" + leaf);
        String reordered = PARENT.replace("labels: {family: a}", "labels: {family: a, more: b}")
                .replace("{color: red, size: 1}", "{size: 1, color: red}");
        put(reordered, "reordered");
        try (TopologyHarness restored = strake.restored()) {
            String edited = leaf.replace("shape: round", "shape: square");
            put(edited, "edited");
            restored.send(WORKSPACE, edited, "ce_id", "edited", "ce_type", "dev.strake.documents.put");
            assertThat(TopologyHarness.text(strake.rendered().get("site-a|example/Thing/v1|leaf")))
                    .contains("{\"size\":1,\"color\":\"red\",\"shape\":\"square\"}")
                    .isEqualTo(TopologyHarness.text(restored.rendered().get("site-a|example/Thing/v1|leaf")));
        }
    }

    private void put(String documents, String id) {
        strake.send(WORKSPACE, documents, "ce_id", id, "ce_type", "dev.strake.documents.put");
    }
}
