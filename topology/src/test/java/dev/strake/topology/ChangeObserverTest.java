package dev.strake.topology;

import static dev.strake.topology.TopologyHarness.POLICY;
import static dev.strake.topology.TopologyHarness.WORKSPACE;
import static dev.strake.topology.TopologyHarness.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.secret.InstalledKeys;
import dev.strake.topology.history.Retention;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.observe.ProcessedChange;
import dev.strake.topology.observe.WorkspaceStatus;
import dev.strake.topology.observe.WorkspaceStatus.OpenProblem;
import dev.strake.topology.observe.WorkspaceStatuses;
import dev.strake.topology.store.StateReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the topology reports to its observer. */
class ChangeObserverTest {

    private static final String GOOD = POLICY + """
            ---
            schema: example/Thing/v1
            metadata:
              schema: metadata/Document/v1
              name: thing
              storagePolicy: cleartext
              layeringDefinition: {layer: site}
            data: {color: red}
            """;
    private static final String BAD = GOOD.replace(
            "layer: site}\n",
            "layer: site}\n  substitutions: [{src: {schema: a/Absent/v1, name: absent, path: .}, dest: {path: .x}}]\n");
    private static final DocumentId THING = new DocumentId("example/Thing/v1", "site", "thing");
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final Recording heard = new Recording();

    @AutoClose
    private TopologyHarness strake = new TopologyHarness(TopologySettings.of(1), heard);

    @Test
    void shouldReportEveryOutcomeWithItsTimes() {
        long began = System.currentTimeMillis();
        Outcome rendered = strake.putBucket(GOOD, HeaderNames.CE_ID, "a");
        Outcome duplicate = strake.putBucket(GOOD, HeaderNames.CE_ID, "a");
        Outcome unchanged = strake.putBucket(GOOD);
        Outcome rejected = strake.putBucket("{");
        Outcome failed = strake.putBucket(BAD);

        assertThat(heard.changes)
                .extracting(change -> change.outcome().status())
                .containsExactly(
                        rendered.status(), duplicate.status(), unchanged.status(), rejected.status(), failed.status());
        assertThat(heard.changes)
                .extracting(ProcessedChange::madeRevision)
                .containsExactly(true, false, false, false, true);
        assertThat(heard.changes).allSatisfy(change -> {
            assertThat(change.times().decodeNanos()).isPositive();
            assertThat(change.times().record()).isPositive();
            assertThat(change.times().begun()).isBetween(began, System.currentTimeMillis());
        });
        assertThat(heard.changes)
                .extracting(change -> change.times().renderNanos() > 0)
                .as("those that were rendered")
                .containsExactly(true, false, false, false, true);
        assertThat(heard.changes)
                .extracting(change -> change.times().revisionNanos() > 0)
                .as("those that were compared with the head")
                .containsExactly(true, false, true, false, true);
    }

    @Test
    void shouldNameTheDocumentsWithTheMostWork() {
        StringBuilder site = new StringBuilder(POLICY);
        for (int i = 1; i <= 8; i++) {
            site.append("---\n")
                    .append(GOOD.substring(GOOD.indexOf("schema: example"))
                            .replace("name: thing", "name: thing-" + i)
                            .replace("red", "r".repeat(1_000 * i)));
        }
        strake.putBucket(site.toString());
        strake.putBucket(site.toString());

        List<ProcessedChange.Costly> costliest = heard.changes.get(0).costliest();
        assertThat(costliest)
                .extracting(each -> each.document().name())
                .containsExactly("thing-8", "thing-7", "thing-6", "thing-5", "thing-4");
        assertThat(costliest).allSatisfy(each -> assertThat(each.steps()).isGreaterThan(100));
        assertThat(heard.changes.get(1).costliest()).as("nothing was rendered").isEmpty();
    }

    @Test
    void shouldReportTheStatusOfAWorkspaceAfterEachRevision() {
        strake.putBucket(GOOD);
        assertThat(heard.status(WORKSPACE).last().state()).isEqualTo(OutcomeStatus.RENDERED);
        assertThat(heard.status(WORKSPACE).last().documents()).isEqualTo(2);
        assertThat(heard.status(WORKSPACE).last().rendered()).isEqualTo(2);
        assertThat(heard.status(WORKSPACE).heldSince()).isZero();

        long broken = strake.putBucket(BAD).time().toEpochMilli();
        strake.advance(Duration.ofSeconds(1));
        strake.putBucket(BAD.replace("red", "green"));
        WorkspaceStatus status = heard.status(WORKSPACE);
        assertThat(status.last().state()).isEqualTo(OutcomeStatus.FAILED);
        assertThat(status.last().revision()).isEqualTo(3);
        assertThat(status.heldSince()).isEqualTo(broken);
        assertThat(status.problems())
                .isEqualTo(Map.of(THING, new OpenProblem(ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND, broken)));

        strake.putBucket(GOOD);
        assertThat(heard.status(WORKSPACE).heldSince()).isZero();
        assertThat(heard.status(WORKSPACE).problems()).isEmpty();
    }

    @Test
    void shouldCountTheProblemOfTheWholeWorkspace() {
        strake.putBucket(GOOD.substring(POLICY.length()));
        assertThat(heard.status(WORKSPACE).problems())
                .containsKey(WorkspaceStatus.WHOLE)
                .isEqualTo(reopened().status(WORKSPACE).problems());
        strake.putBucket(GOOD);
        assertThat(heard.status(WORKSPACE).problems()).isEmpty();
    }

    @Test
    void shouldReadTheSameFromTheStoresWhenATaskBegins() {
        strake.send("good", GOOD);
        strake.send("good", GOOD.replace("red", "green"));
        strake.send("bad", GOOD);
        strake.send("bad", BAD);
        strake.advance(Duration.ofSeconds(1));
        strake.send("bad", BAD.replace("red", "green"));
        strake.advance(Duration.ofSeconds(1));
        strake.send("bad", BAD.replace("absent", "lost"));
        strake.send("never-good", BAD);
        strake.send("gone", GOOD);
        strake.send("gone", null, HeaderNames.CE_TYPE, "dev.strake.workspace.delete");
        strake.advance(Duration.ofSeconds(10));

        assertThat(heard.statuses).hasSize(4);
        assertThat(reopened().statuses).isEqualTo(heard.statuses);
    }

    @Test
    void shouldReportPrunedHistory() {
        strake.close();
        strake = new TopologyHarness(TopologySettings.of(1).retaining(new Retention(2, Duration.ZERO)), heard);
        for (int i = 0; i < 5; i++) {
            strake.putBucket(GOOD.replace("red", "red" + i));
        }
        for (int step = 0; step < 50; step++) { // a step stops when its time is up
            strake.advance(Duration.ofSeconds(1));
        }

        assertThat(heard.status(WORKSPACE).oldestRevision()).isEqualTo(4);
        assertThat(heard.pruned).isPositive();
        assertThat(reopened().statuses).isEqualTo(heard.statuses);
    }

    @Test
    void shouldForwardTheTraceOfAChange() {
        Outcome outcome = strake.putBucket(GOOD, HeaderNames.TRACEPARENT, TRACE);
        assertThat(outcome.change().carried().traceparent()).isEqualTo(TRACE);
        assertThat(strake.lastRendered())
                .hasSize(2)
                .allSatisfy(record -> assertThat(text(record.headers()
                                .lastHeader(HeaderNames.TRACEPARENT)
                                .value()))
                        .isEqualTo(TRACE));
    }

    @Test
    void shouldNotTimeARejectionOfMissingParts() {
        strake.putBucket(GOOD, HeaderNames.CE_ID, "a", HeaderNames.PART, "1/2");
        assertThat(strake.advance(Duration.ofMinutes(20))).hasSize(1);
        assertThat(heard.changes)
                .extracting(
                        change -> change.outcome().status(),
                        change -> change.times().record() > 0)
                .containsExactly(tuple(OutcomeStatus.PENDING, true), tuple(OutcomeStatus.REJECTED, false));
    }

    @Test
    void shouldReportTheEndOfATask() {
        strake.putBucket(GOOD);
        strake.close();
        assertThat(heard.statuses).isEmpty();
        strake = new TopologyHarness();
    }

    /* Starts a new task on the same stores and returns what it reports. */
    private Recording reopened() {
        Recording anew = new Recording();
        anew.opened(
                0,
                new WorkspaceStatuses(
                                new StateReader(strake::store, InstalledKeys.NONE), strake.store(RevisionsLayout.STORE))
                        .read());
        return anew;
    }

    private static final class Recording implements ChangeObserver {

        private final List<ProcessedChange> changes = new ArrayList<>();
        private final Map<String, WorkspaceStatus> statuses = new TreeMap<>();
        private int pruned;

        WorkspaceStatus status(String workspace) {
            return statuses.get(workspace);
        }

        @Override
        public void opened(int partition, Collection<WorkspaceStatus> workspaces) {
            statuses.clear();
            workspaces.forEach(this::stands);
        }

        private void stands(WorkspaceStatus status) {
            statuses.put(status.workspace(), status);
        }

        @Override
        public void done(ProcessedChange change) {
            changes.add(change);
            change.status().ifPresent(this::stands);
        }

        @Override
        public void pruned(int partition, WorkspaceStatus status) {
            stands(status);
            pruned++;
        }

        @Override
        public void closed(int partition) {
            statuses.clear();
        }
    }
}
