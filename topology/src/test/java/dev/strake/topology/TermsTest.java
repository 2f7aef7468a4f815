package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On what terms a change is published, and who published it. */
class TermsTest {

    private static final String WORKSPACE = TopologyHarness.WORKSPACE;
    private static final String POLICY =
            "{'schema':'deckhand/LayeringPolicy/v1','metadata':{'schema':'metadata/Control/v1','name':'p'},"
                    + "'data':{'layerOrder':['site']}}";

    private final TopologyHarness strake = new TopologyHarness();

    @BeforeEach
    void publishARevision() {
        assertThat(strake.send(WORKSPACE, bucket("1")).revision()).isEqualTo(1);
    }

    @AfterEach
    void close() {
        strake.close();
    }

    private static String bucket(String data) {
        return ("[" + POLICY
                        + ",{'schema':'a/B/v1','metadata':{'schema':'metadata/Document/v1','name':'x','storagePolicy':'cleartext',"
                        + "'layeringDefinition':{'layer':'site','abstract':false}},'data':{'a':" + data + "}}]")
                .replace('\'', '"');
    }

    @Test
    void shouldRejectAChangeWhoseAuthorSawAnotherHead() {
        Outcome late = strake.send(WORKSPACE, bucket("2"), "expected-revision", "0");
        assertThat(late.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(late.problems()).extracting(Problem::code).containsExactly(ProblemCode.REVISION_CONFLICT);
        assertThat(late.problems().get(0).message()).isEqualTo("the head is revision 1, and the change expects 0");

        assertThat(strake.send(WORKSPACE, bucket("2"), "expected-revision", "1").revision())
                .isEqualTo(2);
        assertThat(strake.send("new", bucket("2"), "expected-revision", "0").revision())
                .as("the first revision of a workspace")
                .isEqualTo(1);
    }

    @Test
    void shouldGoOnWithAChangeThatWasRejectedForItsExpectation() {
        strake.send(WORKSPACE, bucket("2"), "ce_id", "same", "expected-revision", "0");

        assertThat(strake.send(WORKSPACE, bucket("2"), "ce_id", "same", "expected-revision", "1")
                        .status())
                .isEqualTo(OutcomeStatus.RENDERED);
    }

    @Test
    void shouldNotTakeADryRunForTheChange() {
        Outcome planned = strake.send(WORKSPACE, bucket("2"), "ce_id", "same", "dry-run", "true");
        assertThat(planned.status()).isEqualTo(OutcomeStatus.PLANNED);
        assertThat(planned.wouldBe()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(planned.revision()).isEqualTo(2);

        assertThat(strake.send(WORKSPACE, bucket("2"), "ce_id", "same").status())
                .isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.send(WORKSPACE, bucket("2"), "ce_id", "same", "dry-run", "true")
                        .wouldBe())
                .as("of a change that was applied")
                .isEqualTo(OutcomeStatus.DUPLICATE);
    }

    @Test
    void shouldTryAChangeInParts() {
        Map<String, Map<String, byte[]>> before = strake.dump();
        String[] terms = {"ce_id", "parts", "dry-run", "true", "ce_type", "dev.strake.documents.put"};
        Outcome first = strake.send(WORKSPACE, bucket("2"), with(terms, "part", "1/2"));
        assertThat(first.status()).isEqualTo(OutcomeStatus.PENDING);

        Outcome whole = strake.send(WORKSPACE, "[]", with(terms, "part", "2/2"));
        assertThat(whole.status()).isEqualTo(OutcomeStatus.PLANNED);
        assertThat(whole.wouldBe()).isEqualTo(OutcomeStatus.RENDERED);
        TopologyHarness.assertSameState(strake.dump(), before);
    }

    @Test
    void shouldRejectPartsOfWhichSomeAreADryRun() {
        String[] headers = {"ce_id", "parts", "ce_type", "dev.strake.documents.put"};
        strake.send(WORKSPACE, bucket("2"), with(headers, "part", "1/2", "dry-run", "true"));

        Outcome other = strake.send(WORKSPACE, "[]", with(headers, "part", "2/2"));
        assertThat(other.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(other.problems().get(0).message()).isEqualTo("parts of one change differ in their dry-run");
    }

    @Test
    void shouldTryTagsRollbacksAndDeletions() {
        Map<String, Map<String, byte[]>> before = strake.dump();
        for (List<String> change : List.of(
                List.of("dev.strake.revision.tag", "{\"revision\":1,\"tag\":\"t\"}", "unchanged"),
                List.of("dev.strake.revision.tag", "{\"revision\":7,\"tag\":\"t\"}", "rejected"),
                List.of("dev.strake.revision.rollback", "{\"revision\":0}", "rendered"),
                List.of("dev.strake.revision.rollback", "{\"revision\":9}", "rejected"),
                List.of("dev.strake.workspace.delete", "", "rendered"))) {
            Outcome planned = strake.send(WORKSPACE, change.get(1), "ce_type", change.get(0), "dry-run", "true");
            assertThat(planned.status()).isEqualTo(OutcomeStatus.PLANNED);
            assertThat(planned.wouldBe().text()).as("%s", change).isEqualTo(change.get(2));
            assertThat(strake.lastRecords()).hasSize(1);
        }
        TopologyHarness.assertSameState(strake.dump(), before);
    }

    @Test
    void shouldKeepWhoMadeARevisionAndWhy() {
        strake.send(WORKSPACE, bucket("2"), "author", "Ada", "message", "more\nof it");

        assertThat(strake.queries().revision(WORKSPACE, 2).orElseThrow().note())
                .isEqualTo(new Note("Ada", "more\nof it"));
        assertThat(strake.queries().revision(WORKSPACE, 1).orElseThrow().note()).isEqualTo(Note.NONE);
    }

    private static String[] with(String[] headers, String... more) {
        String[] all = Arrays.copyOf(headers, headers.length + more.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return all;
    }
}
