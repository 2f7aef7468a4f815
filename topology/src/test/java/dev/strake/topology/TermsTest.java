package dev.strake.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.outcome.PreviewJson;
import dev.strake.topology.apply.Intake;
import dev.strake.topology.query.RevisionReadiness;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The terms and the author of a change. */
class TermsTest {

    private static final String WORKSPACE = TopologyHarness.WORKSPACE;
    private static final String POLICY =
            "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                    + "'data':{'layerOrder':['site']}}";

    @AutoClose
    private final TopologyHarness strake = new TopologyHarness();

    @BeforeEach
    void publishARevision() {
        assertThat(strake.putBucket(bucket("1")).revision()).isEqualTo(1);
    }

    private static String bucket(String data) {
        return bucket(POLICY + ",", data);
    }

    private static String bucket(String policy, String data) {
        return ("[" + policy
                        + "{'schema':'a/B/v1','metadata':{'schema':'metadata/Document/v1','name':'x','storagePolicy':'cleartext',"
                        + "'layeringDefinition':{'layer':'site','abstract':false}},'data':{'a':" + data + "}}]")
                .replace('\'', '"');
    }

    @Test
    void shouldKeepThePolicyOfABucketForDeckhand() {
        Outcome without = strake.putBucket(bucket("", "2"), "as-deckhand", "true");
        assertThat(without.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(without.documents()).isEqualTo(new Outcome.Documents(2, 0, 1, 0));
        assertThat(without.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.code()).isEqualTo(ProblemCode.LAYERING_POLICY_KEPT);
            assertThat(warning.document().name()).isEqualTo("p");
        });

        Outcome again = strake.putBucket(bucket("", "2"), "as-deckhand", "true");
        assertThat(again.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(again.warnings()).hasSize(1);

        String another = POLICY.replace("'p'", "'q'") + ",";
        Outcome replaced = strake.putBucket(bucket(another, "2"), "as-deckhand", "true");
        assertThat(replaced.documents()).isEqualTo(new Outcome.Documents(2, 1, 0, 1));
        assertThat(replaced.warnings()).isEmpty();

        Outcome otherBucket = strake.putBucket("[]", "bucket", "other", "as-deckhand", "true");
        assertThat(otherBucket.warnings()).isEmpty();
    }

    @Test
    void shouldMakeARevisionToValidateAgainForDeckhand() {
        String documents = bucket(
                POLICY
                        + ",{'schema':'deckhand/ValidationPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'v'},"
                        + "'data':{'validations':[{'name':'site-validation'}]}},",
                "1");
        strake.putBucket(documents);
        String result = "{revision: 2, name: site-validation, status: success, validator: {name: robot}}";
        strake.send(ChangeType.VALIDATION_PUT, result);
        assertThat(strake.putBucket(documents).status()).isEqualTo(OutcomeStatus.UNCHANGED);

        Outcome anew = strake.putBucket(documents, "as-deckhand", "true");
        assertThat(anew.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(anew.revision()).isEqualTo(3);
        assertThat(anew.documents()).isEqualTo(new Outcome.Documents(3, 0, 1, 0));
        assertThat(strake.lastRendered())
                .as("what is the same is not published")
                .isEmpty();
        assertThat(Whole.diff(strake.queries(), WORKSPACE, 2, 3).documents()).isEmpty();
        assertThat(strake.queries().history().results(WORKSPACE, 3)).isEmpty();
        assertThat(isReady(3)).isFalse();
        assertThat(isReady(2)).isTrue();
    }

    private boolean isReady(long revision) {
        return new RevisionReadiness(strake.queries(), WORKSPACE, revision)
                .report(0)
                .isReady();
    }

    @Test
    void shouldKeepThePolicyOfAnEmptiedBucketOnlyForDeckhand() {
        assertThat(strake.putBucket(bucket("", "2"), "dry-run", "true")
                        .documents()
                        .removed())
                .isEqualTo(1);
        Outcome emptied = strake.putBucket("[]", "as-deckhand", "true");
        assertThat(emptied.documents().removed()).isEqualTo(1);
        assertThat(emptied.warnings()).extracting(Problem::code).contains(ProblemCode.LAYERING_POLICY_KEPT);
        assertThat(strake.putBucket("[]").documents().removed()).isEqualTo(1);
    }

    @Test
    void shouldKeepThePolicyForAChangeInParts() {
        strake.putBucket(bucket("", "2"), "as-deckhand", "true", "ce_id", "x", "part", "1/2");
        Outcome outcome = strake.putBucket("[]", "as-deckhand", "true", "ce_id", "x", "part", "2/2");
        assertThat(outcome.documents().removed()).isZero();
    }

    @Test
    void shouldPublishMissingFieldsAsDefaults() {
        String left = bucket("1").replaceAll("\"schema\":\"metadata/[^,]*,|\"storagePolicy\":[^,]*,", "");
        assertThat(left).doesNotContain("cleartext").doesNotContain("metadata/");
        assertThat(strake.putBucket(left).status()).isEqualTo(OutcomeStatus.UNCHANGED);
        strake.send("written", bucket("1"));
        List<String> written = strake.lastRendered().stream()
                .map(each -> TopologyHarness.text(each.value()))
                .toList();
        strake.send("left", left);
        assertThat(strake.lastRendered())
                .extracting(each -> TopologyHarness.text(each.value()))
                .isEqualTo(written);
    }

    @Test
    void shouldRejectDocumentsThatDeckhandRejectsForDeckhand() {
        String left = bucket("2").replaceAll("\"schema\":\"metadata/[^,]*,|\"storagePolicy\":[^,]*,", "");
        assertThat(strake.putBucket(left, "as-deckhand", "true").problems())
                .extracting(Problem::path)
                .containsOnly(".metadata.schema");
        String named = bucket("2").replace("a/B/v1", "my-app/B/v1");
        assertThat(strake.putBucket(named, "as-deckhand", "true").problems())
                .extracting(Problem::path)
                .containsExactly(".schema");
        assertThat(strake.putBucket(named).status()).isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldRejectAChangeThatExpectsAnotherHead() {
        Outcome late = strake.putBucket(bucket("2"), "expected-revision", "0");
        assertThat(late.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(late.problems()).extracting(Problem::code).containsExactly(ProblemCode.REVISION_CONFLICT);
        assertThat(late.problems().get(0).message()).isEqualTo("the head is revision 1, but the change expects 0");

        assertThat(strake.putBucket(bucket("2"), "expected-revision", "1").revision())
                .isEqualTo(2);
        assertThat(strake.send("new", bucket("2"), "expected-revision", "0").revision())
                .as("the first revision of a workspace")
                .isEqualTo(1);
    }

    @Test
    void shouldApplyAChangeAgainThatWasRejectedForItsExpectation() {
        strake.putBucket(bucket("2"), "ce_id", "same", "expected-revision", "0");

        assertThat(strake.putBucket(bucket("2"), "ce_id", "same", "expected-revision", "1")
                        .status())
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldNotRecognizeADryRunAsTheChange() {
        Outcome planned = strake.putBucket(bucket("2"), "ce_id", "same", "dry-run", "true");
        assertThat(planned.status()).isEqualTo(OutcomeStatus.PLANNED);
        assertThat(planned.planned().wouldBe()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(planned.revision()).isEqualTo(2);

        assertThat(strake.putBucket(bucket("2"), "ce_id", "same").status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.putBucket(bucket("2"), "ce_id", "same", "dry-run", "true")
                        .planned()
                        .wouldBe())
                .as("of a change that was applied")
                .isEqualTo(OutcomeStatus.DUPLICATE);
    }

    @Test
    void shouldListDifferencesWithoutValues() {
        Outcome planned = strake.putBucket(bucket("'hidden'"), "dry-run", "true");
        assertThat(planned.planned().preview().get("differences"))
                .isEqualTo(Json.value(
                        "[{'schema':'a/B/v1','name':'x','difference':'modified','changes':[{'path':'.data.a'}]}]"));
        assertThat(planned.planned().preview().get("complete")).isEqualTo(Bool.TRUE);
        assertThat(new String(OutcomeJson.write(planned), UTF_8)).doesNotContain("hidden");

        Outcome secret = strake.putBucket(bucket("2").replace("cleartext", "encrypted"), "dry-run", "true");
        assertThat(secret.planned().preview().get("differences"))
                .as("of a secret document, whose keys may be secrets, too")
                .isEqualTo(Json.value("[{'schema':'a/B/v1','name':'x','difference':'modified',"
                        + "'changes':[{'path':'.metadata.storagePolicy'},{'path':'.data'}]}]"));
        assertThat(secret.planned().preview().get("complete")).isEqualTo(Bool.TRUE);

        Outcome same = strake.putBucket(bucket("1"), "dry-run", "true");
        assertThat(same.planned().preview()).isEqualTo(PreviewJson.NOTHING);
        assertThat(strake.putBucket(bucket("2")).planned()).as("of a change").isNull();
    }

    @Test
    void shouldListDifferencesUpToTheSizeOfAnOutcome() {
        String one = bucket("1").substring(bucket("1").indexOf("},{") + 2).replace("]", "");
        StringBuilder many = new StringBuilder("[");
        for (int i = 0; i < 1_500; i++) {
            many.append(i == 0 ? "" : ",").append(one.replace("\"x\"", "\"" + "x".repeat(990) + i + "\""));
        }
        Outcome planned = strake.put(many + "]", "dry-run", "true");

        assertThat(planned.work().emitted()).isEqualTo(1_500);
        assertThat(((ListValue) planned.planned().preview().get("differences")).size())
                .isBetween(500, 1_100);
        assertThat(planned.planned().preview().get("complete")).isEqualTo(Bool.FALSE);
    }

    @Test
    void shouldCountRemovalsAgainstTheBucket() {
        String others = bucket("1").replace(POLICY.replace('\'', '"'), "{}").replace("[{},", "[");
        String two = others.replace("\"x\"", "\"y\"").replace("]", ",")
                + others.replace("\"x\"", "\"z\"").substring(1);
        assertThat(strake.putBucket(two, "bucket", "other").documents().total()).isEqualTo(4);

        assertThat(strake.putBucket("[]", "max-removals", "50%").status())
                .as("two of two, though two of four in the workspace")
                .isEqualTo(OutcomeStatus.REJECTED);
    }

    @Test
    void shouldRejectAChangeThatRemovesMoreThanItsAuthorAllows() {
        Outcome empties = strake.putBucket("[]", "max-removals", "50%");
        assertThat(empties.status()).isEqualTo(OutcomeStatus.REJECTED);
        Problem problem = empties.problems().get(0);
        assertThat(problem.code()).isEqualTo(ProblemCode.TOO_MANY_REMOVALS);
        assertThat(problem.message())
                .isEqualTo("the change would remove 2 of 2 documents of bucket default, but its author allows 1");
        assertThat(problem.related()).hasSize(2);

        Outcome planned = strake.putBucket("[]", "max-removals", "1", "dry-run", "true");
        assertThat(planned.planned().wouldBe()).isEqualTo(OutcomeStatus.REJECTED);
        Outcome rollback = strake.send(ChangeType.ROLLBACK, "{\"revision\":0}", "max-removals", "1");
        assertThat(rollback.problems().get(0).message()).contains("2 of 2 documents of the workspace");
        assertThat(strake.putBucket("[]", "bucket", "other", "max-removals", "0")
                        .status())
                .as("of a bucket without documents")
                .isEqualTo(OutcomeStatus.UNCHANGED);

        assertThat(strake.putBucket("[]", "ce_id", "id", "max-removals", "1").status())
                .isEqualTo(OutcomeStatus.REJECTED);
        assertThat(strake.putBucket("[]", "ce_id", "id", "max-removals", "2")
                        .documents()
                        .removed())
                .as("of the same change with a higher limit")
                .isEqualTo(2);
    }

    @Test
    void shouldGuardABucketThatWouldBeEmptied() {
        String foreign = bucket("1").replace("\"x\"", "\"y\"").replace("\"p\"", "\"q\"");
        for (String documents : List.of("[]", foreign)) {
            assertThat(strake.putBucket(documents, "max-removals", "guard").problems())
                    .extracting(Problem::message)
                    .containsExactly(
                            "the change would remove 2 of 2 documents of bucket default," + " so none would be left");
        }
        assertThat(strake.putBucket("[]").documents().removed())
                .as("of a record that says nothing")
                .isEqualTo(2);
    }

    @Test
    void shouldGuardAThirdOfABucketAndTwoDocuments() {
        strake.putBucket(documents("x", "y", "z", "u", "v"));
        assertThat(strake.putBucket(documents("x", "y", "z"), "max-removals", "guard")
                        .documents()
                        .removed())
                .as("two of six")
                .isEqualTo(2);
        assertThat(strake.putBucket(documents("x"), "max-removals", "guard").problems())
                .extracting(Problem::message)
                .containsExactly(
                        "the change would remove 2 of 4 documents of bucket default, which is more than a third");
        strake.putBucket(documents("x"));
        assertThat(strake.putBucket(documents(), "max-removals", "guard")
                        .documents()
                        .removed())
                .as("one of two")
                .isEqualTo(1);
    }

    private static String documents(String... names) {
        return Stream.of(names)
                .map(name ->
                        bucket(",", "1").replace("\"x\"", "\"" + name + "\"").replaceAll("^\\[|]$", ""))
                .collect(joining("", "[" + POLICY.replace('\'', '"'), "]"));
    }

    @Test
    void shouldApplyTheConfiguredLimitOfRemovals() {
        TopologySettings settings = TopologySettings.of(1);
        Intake intake = settings.intake();
        try (TopologyHarness bounded = new TopologyHarness(settings.accepting(new Intake(
                intake.limits(),
                intake.incompleteAfter(),
                intake.forgetChangesAfter(),
                intake.tags(),
                new RemovalLimit(1, 0))))) {
            bounded.putBucket(bucket("1"));
            Outcome empties = bounded.putBucket("[]", "max-removals", "100%");
            assertThat(empties.status()).isEqualTo(OutcomeStatus.REJECTED);
            assertThat(empties.problems().get(0).message())
                    .isEqualTo("the change would remove 2 of 2 documents of bucket default, "
                            + "but strake.limits.bucket-removals allows 1");

            String both = "[{\"schema\":\"deckhand/LayeringPolicy/v1\",\"name\":\"p\"},"
                    + "{\"schema\":\"a/B/v1\",\"layer\":\"site\",\"name\":\"x\"}]";
            assertThat(bounded.send(ChangeType.DOCUMENTS_DELETE, both)
                            .documents()
                            .removed())
                    .as("by name")
                    .isEqualTo(2);
        }
    }

    @Test
    void shouldKeepAuthorAndMessageOfARevision() {
        strake.putBucket(bucket("2"), "author", "Ada", "message", "more\nof it");

        assertThat(note(2)).isEqualTo(new Note("Ada", "more\nof it"));
        assertThat(note(1)).isEqualTo(Note.NONE);
    }

    private Note note(long revision) {
        return strake.queries()
                .history()
                .revision(WORKSPACE, revision)
                .orElseThrow()
                .change()
                .note();
    }
}
