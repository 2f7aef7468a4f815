package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.CHILD;
import static dev.strake.topology.TopologyHarness.FAMILY;
import static dev.strake.topology.TopologyHarness.PARENT;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.ProblemKey;
import dev.strake.topology.history.Retention;
import dev.strake.topology.query.Differences.Difference;
import dev.strake.topology.store.NumberedRevision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What happens to revisions that retention does not keep, and to deleted workspaces. */
class PruningTest {

    private static final DocumentId CHILD_ID = new DocumentId("example/Thing/v1", "site", "child");
    private static final Duration HOUR = Duration.ofHours(1);

    @AutoClose
    private TopologyHarness strake = keeping(3, Duration.ZERO);

    private static TopologyHarness keeping(long revisions, Duration age) {
        return new TopologyHarness(TopologySettings.of(1).retaining(new Retention(revisions, age)));
    }

    private static String childOfSize(int size) {
        return CHILD.replace("shape: round", "size: " + size);
    }

    private Outcome makeChildOfSize(int size) {
        return strake.put(childOfSize(size));
    }

    private Outcome change(String type, String value) {
        return strake.send(WORKSPACE, value, "ce_type", "dev.strake." + type);
    }

    private void makeRevisions(int last) {
        strake.putBucket(FAMILY);
        for (int revision = 2; revision <= last; revision++) {
            makeChildOfSize(revision);
        }
    }

    /* Scans the workspaces, then prunes step by step until nothing is left. */
    private void prune() {
        strake.advance(Duration.ofSeconds(5));
        for (int step = 0; step < 50; step++) {
            strake.advance(Duration.ofMillis(20));
        }
    }

    private List<Long> revisions() {
        return Whole.revisions(strake.queries(), WORKSPACE).stream()
                .map(NumberedRevision::number)
                .toList();
    }

    @Test
    void shouldKeepTheNewestRevisionsAndTheTaggedOnes() {
        makeRevisions(4);
        change("revision.tag", "{revision: 3, tag: good}");
        for (int revision = 5; revision <= 10; revision++) {
            makeChildOfSize(revision);
        }
        prune();
        assertThat(revisions()).containsExactly(3L, 8L, 9L, 10L);
        assertThat(Whole.diff(strake.queries(), WORKSPACE, 3, 8).documents())
                .containsEntry(CHILD_ID, Difference.MODIFIED);
        assertThat(Whole.diff(strake.queries(), WORKSPACE, 0, 8).documents()).hasSize(3);
        Outcome outcome = strake.rollback(3);
        assertThat(outcome.documents().changed()).isEqualTo(1);
        assertThat(strake.rendered("example/Thing/v1|child")).endsWith("\"data\":{\"color\":\"red\",\"size\":3}}");
        assertThat(strake.rollback(0).documents().total()).isZero();
    }

    @Test
    void shouldPruneInBatchesWhenManyRevisionsAreKept() {
        strake.close();
        strake = keeping(640, Duration.ZERO); // ten at a time
        makeRevisions(649);
        strake.advance(Duration.ofMillis(20));
        assertThat(revisions()).hasSize(649);
        makeChildOfSize(650);
        for (int step = 0; step < 50; step++) { // a step ends by the clock, so a busy machine may need several
            strake.advance(Duration.ofMillis(20));
        }
        assertThat(revisions()).hasSize(640).startsWith(11L);
        makeChildOfSize(651);
        prune(); // until it is idle
        assertThat(revisions()).hasSize(640).startsWith(12L);
    }

    @Test
    void shouldNotShowDifferencesFromARecordOfAPrunedRevision() {
        makeRevisions(2);
        makeChildOfSize(3);
        String broken = CHILD.replace("method: merge, path: .", "method: delete, path: .no");
        strake.put(broken);
        assertThat(differencesOfACorrection())
                .contains("\"difference\":\"modified\",\"changes\":[{\"path\":\".data.size\"}]");

        for (int times = 0; times < 3; times++) {
            strake.put(broken.replace("shape: round", "size: " + times));
        }
        prune();
        assertThat(differencesOfACorrection()).endsWith("\"difference\":\"modified\"}]");
    }

    private String differencesOfACorrection() {
        Outcome planned = strake.put(childOfSize(1), "dry-run", "true");
        return TopologyHarness.text(JsonBytes.of(planned.planned().preview().get("differences")));
    }

    @Test
    void shouldNameKeptRevisionsForAPrunedOne() {
        makeRevisions(4);
        change("revision.tag", "{revision: 2, tag: good}");
        makeChildOfSize(5);
        makeChildOfSize(6);
        prune();
        Outcome outcome = strake.rollback(3);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.REVISION_NOT_FOUND);
            assertThat(problem.message()).isEqualTo("revision 3 was pruned; kept are 4 to 6, and the tagged 2");
            assertThat(problem.hint()).contains("strake.history.revisions");
        });
        assertThat(change("revision.tag", "{revision: 1, tag: late}")
                        .problems()
                        .get(0)
                        .message())
                .startsWith("revision 1 was pruned");
        assertThat(strake.rollback(7).problems().get(0).message())
                .isEqualTo("the workspace has no revision 7; the last is 6");
    }

    @Test
    void shouldPruneARevisionWhenItsLastTagGoes() {
        makeRevisions(2);
        change("revision.tag", "{revision: 1, tag: a}");
        change("revision.tag", "{revision: 1, tag: b}");
        makeRevisions(6);
        prune();
        change("revision.untag", "{revision: 1, tag: a}");
        prune();
        assertThat(revisions()).startsWith(1L);
        change("revision.untag", "{revision: 1, tag: b}");
        prune();
        assertThat(revisions()).hasSize(3);
    }

    @Test
    void shouldCountTheAgeOfARevisionFromItsReplacement() {
        strake.close();
        strake = keeping(0, HOUR);
        makeRevisions(2);
        strake.advance(HOUR.multipliedBy(3));
        makeChildOfSize(3);
        prune();
        assertThat(revisions()).containsExactly(2L, 3L);
        strake.advance(HOUR);
        prune();
        assertThat(revisions()).containsExactly(3L);
        strake.advance(HOUR.multipliedBy(99));
        prune();
        assertThat(revisions()).containsExactly(3L);
    }

    @Test
    void shouldKeepTheRenderingOfADocumentWhoseOldVersionIsPruned() {
        strake.close();
        strake = keeping(1, Duration.ZERO);
        strake.putBucket(FAMILY);
        // The parent now selects a parent that does not exist. It renders to the same data as before, in another way.
        String looking = PARENT.replace(
                "abstract: true", "abstract: true, parentSelector: {no: body}, actions: [{method: merge, path: .}]");
        assertThat(change("documents.put", looking).status()).isEqualTo(OutcomeStatus.RENDERED);
        prune();
        assertThat(revisions()).containsExactly(2L);
        TopologyHarness restored = strake.restored();
        strake.close();
        strake = restored;
        String larger = childOfSize(3);
        strake.put(larger, "ce_id", "after");
        assertThat(strake.rendered("example/Thing/v1|child")).endsWith("\"data\":{\"color\":\"red\",\"size\":3}}");
    }

    @Test
    void shouldDeleteAWorkspaceWithItsHistoryAndTags() {
        makeRevisions(2);
        change("revision.tag", "{revision: 1, tag: good}");
        strake.send("site-b", FAMILY);
        Outcome outcome = change("workspace.delete", null);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(outcome.revision()).isEqualTo(3);
        assertThat(outcome.documents()).isEqualTo(new Outcome.Documents(0, 0, 0, 3));
        assertThat(outcome.work().removed()).isEqualTo(2);
        assertThat(strake.rendered().keySet()).noneMatch(key -> key.startsWith("site-a|"));
        assertThat(revisions()).as("at once, not when it is pruned").containsExactly(3L);
        assertThat(strake.rollback(1).problems().get(0).message())
                .isEqualTo("revision 1 was deleted with the workspace, which made revision 3");
        prune();
        strake.dump()
                .forEach(
                        (store, entries) -> assertThat(entries.keySet().stream().filter(key -> key.contains(WORKSPACE)))
                                .as(store)
                                .hasSize(store.equals("revisions") ? 2 : store.equals("changes") ? 4 : 0));
        assertThat(strake.renderedTrees("site-b")).hasSize(2);
    }

    @Test
    void shouldContinueTheNumbersOfADeletedWorkspace() {
        makeRevisions(2);
        change("workspace.delete", null);
        prune();
        assertThat(strake.putBucket(FAMILY).revision()).isEqualTo(4);
        prune();
        assertThat(revisions()).containsExactly(3L, 4L);
        assertThat(Whole.diff(strake.queries(), WORKSPACE, 3, 4).documents()).hasSize(3);
        assertThat(strake.rollback(3).documents().total()).isZero();
    }

    @Test
    void shouldClearTheProblemsOfADeletedWorkspace() {
        strake.putBucket(CHILD);
        assertThat(strake.problems()).containsKey(new ProblemKey(WORKSPACE, null).text());
        assertThat(change("workspace.delete", null).status()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(strake.problems()).isEmpty();
    }

    @Test
    void shouldWarnOfADeletionThatDeletesNothing() {
        Outcome outcome = change("workspace.delete", null);
        assertThat(outcome.status()).isEqualTo(OutcomeStatus.UNCHANGED);
        assertThat(outcome.revision()).isZero();
        assertThat(outcome.warnings().get(0).code()).isEqualTo(ProblemCode.WORKSPACE_NOT_FOUND);
        makeRevisions(2);
        strake.putBucket(null);
        assertThat(change("workspace.delete", null).warnings().get(0).message()).contains("only its history");
        assertThat(revisions()).containsExactly(3L);
    }

    @Test
    void shouldRejectADeletionWithDocuments() {
        makeRevisions(1);
        assertThat(change("workspace.delete", CHILD).status()).isEqualTo(OutcomeStatus.REJECTED);
        assertThat(strake.rendered()).hasSize(2);
    }
}
