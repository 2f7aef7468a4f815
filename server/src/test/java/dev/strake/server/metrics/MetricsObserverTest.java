package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.workspace.Update;
import dev.strake.serdes.change.Carried;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeEnvelope.Part;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.text.TextFormat;
import dev.strake.server.CapturedLog;
import dev.strake.server.pipeline.PipelineObserver;
import dev.strake.topology.observe.ProcessedChange;
import dev.strake.topology.observe.WorkspaceStatus;
import dev.strake.topology.observe.WorkspaceStatus.OpenProblem;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The metrics computed from the events of a pipeline. */
class MetricsObserverTest {

    private static final String RENDERED = "strake_changes_total{status=\"rendered\"}";
    private static final String BEHIND = "strake_staleness_seconds{class=\"behind\"}";

    @AutoClose
    private final Metrics metrics = new Metrics(Duration.ofSeconds(1));

    private final PipelineObserver pipeline = metrics.observer();

    @Test
    void shouldCountAChangeOnceItIsCommitted() {
        pipeline.done(change(0, 3));
        assertThat(scrape().value(RENDERED)).isZero();
        pipeline.committed();
        assertThat(scrape().value(RENDERED)).isEqualTo(1);
        pipeline.committed();
        assertThat(scrape().value(RENDERED)).isEqualTo(1);
    }

    @Test
    void shouldForgetAbortedChanges() {
        pipeline.done(change(0, 3));
        pipeline.deadLetter();
        pipeline.aborted();
        pipeline.committed();
        Scrape scrape = scrape();
        assertThat(scrape.value(RENDERED)).isZero();
        assertThat(scrape.value("strake_dead_letters_total")).isZero();
    }

    @Test
    void shouldForgetTheChangesOfARevokedTask() {
        pipeline.done(change(0, 3));
        pipeline.done(change(1, 3));
        pipeline.closed(0);
        pipeline.committed();
        assertThat(scrape().value(RENDERED)).isEqualTo(1);
    }

    @Test
    void shouldKeepTheTransactionsOfThreadsApart() throws InterruptedException {
        Thread other = new Thread(() -> pipeline.done(change(0, 3)));
        other.start();
        other.join();
        pipeline.committed();
        assertThat(scrape().value(RENDERED)).isZero();
    }

    @Test
    void shouldBeBehindByTheOldestUncommittedChange() {
        pipeline.done(change(0, 3));
        assertThat(scrape().value(BEHIND)).isBetween(60.0, 90.0);
        assertThat(scrape().value("strake_workspace_staleness_seconds{workspace=\"site\"}"))
                .isBetween(60.0, 90.0);
        pipeline.committed();
        assertThat(scrape().value(BEHIND)).isZero();
        assertThat(scrape().labels("strake_workspace_staleness_seconds")).isEmpty();
    }

    @Test
    void shouldRecordTheLatencyOfCommittedRevisions() {
        pipeline.done(change(0, 3));
        assertThat(metrics.latencies().of("site", 1)).isEmpty();
        pipeline.committed();
        assertThat(metrics.latencies().of("site", 1)).isPresent();
        assertThat(metrics.latencies().of("other", 1)).isEmpty();
    }

    @Test
    void shouldNotRecordTheLatencyOfAChangeWithoutATime() {
        pipeline.done(processed(0, outcome(1), 0));
        pipeline.committed();
        assertThat(scrape().value(RENDERED)).isEqualTo(1);
        scrape().assertShows("""
                strake_render_latency_seconds_count{status="rendered"} 0.0
                strake_change_documents_sum{result="derivations"} 2.0
                strake_change_documents_sum{result="cut-off"} 4.0
                """);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 99_999_999_999_999L})
    void shouldIgnoreAnInvalidTimeForStaleness(long time) {
        pipeline.begun(0, envelope(time));
        assertThat(scrape().value(BEHIND)).as("while it is worked on").isBetween(0.0, 10.0);
        pipeline.done(processed(0, outcome(1), time));
        assertThat(scrape().value(BEHIND)).as("before the commit").isBetween(0.0, 10.0);
        assertThat(scrape().labels("strake_workspace_staleness_seconds")).isEmpty();
        pipeline.committed();
        assertThat(scrape().value("strake_render_latency_seconds_max{status=\"rendered\"}"))
                .isBetween(0.0, 10.0);
    }

    @Test
    void shouldBeBehindDespiteALastRecordFromTheFuture() {
        Staleness staleness = new Staleness();
        MetricsObserver observer = new MetricsObserver(null, null, staleness, null, Clock.systemUTC());
        observer.done(processed(0, outcome(1), now() + 3_600_000));
        Map<Integer, Double> left = Map.of(0, 5.0);
        staleness.find(new WorkspacesHeld(Clock.systemUTC()), List.of(), left, now());
        assertThat(staleness
                        .find(new WorkspacesHeld(Clock.systemUTC()), List.of(), left, now() + 60_000)
                        .behind())
                .isBetween(60_000L, 70_000L);
    }

    private static ChangeEnvelope envelope(long time) {
        ChangeType type = ChangeType.BUCKET_PUT;
        return new ChangeEnvelope(
                "site",
                new ChangeEnvelope.Id("id", null),
                new ChangeEnvelope.Kind(type, type.text()),
                "b",
                new ChangeEnvelope.Body(Part.WHOLE, TextFormat.JSON),
                new ChangeEnvelope.Said(Carried.NOTHING, Terms.NONE, Note.NONE),
                new ChangeEnvelope.Arrival("t", time));
    }

    @Test
    void shouldShowTheOldestProblemsAndTheStalestWorkspacesOnly() {
        pipeline.opened(
                0,
                IntStream.range(0, 100)
                        .mapToObj(i -> failed("site-" + i, now() - (i + 2) * 1_000L))
                        .toList());
        Scrape scrape = scrape();
        assertThat(scrape.value("strake_problems{code=\"InvalidDocumentParent\"}"))
                .isEqualTo(200);
        assertThat(scrape.labels("strake_problem_open_seconds"))
                .hasSize(20)
                .allSatisfy(labels -> assertThat(labels).containsPattern("workspace=\"site-9[0-9]\""))
                .anySatisfy(labels -> assertThat(labels).contains("document=\"*\""))
                .anySatisfy(labels -> assertThat(labels).contains("document=\"a/B/v1/site/name\""));
        assertThat(scrape.labels("strake_workspace_staleness_seconds"))
                .hasSize(10)
                .allSatisfy(labels -> assertThat(labels).containsPattern("workspace=\"site-9[0-9]\""));
        assertThat(scrape.value("strake_staleness_seconds{class=\"held\"}")).isBetween(101.0, 130.0);
        pipeline.closed(0);
        assertThat(scrape().labels("strake_problem_open_seconds")).isEmpty();
    }

    @Test
    void shouldLogASlowChangeOnce() {
        CapturedLog log = CapturedLog.of(SlowChanges.class);
        try (log) {
            pipeline.done(slow(500_000_000, 500_000_000));
            pipeline.committed();
            assertThat(log.lines()).as("a second is not longer than a second").isEmpty();
            pipeline.done(slow(2_500_000_000L, 10_000_000));
            assertThat(log.lines()).as("before the commit").isEmpty();
            pipeline.committed();
            pipeline.committed();
        }
        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("The change at input of site (rendered, revision 1) took 2.510 s of work "
                        + "(decode 0.000 s, commit-revision 0.010 s, render 2.500 s), after 60.")
                .containsPattern(
                        " s in the queue, committed in 0\\.[0-9]{3} s\\. It reached 9 documents and evaluated 0\\. ")
                .endsWith("Most work: \"a/B/v1/site/two\\nlines\" (7 steps), \"a/B/v1/control\" (6 steps), "
                        + "\"a/B/v1/site/c\" (5 steps)");
        scrape().assertShows("""
                strake_slow_changes_total{stage="render"} 1.0
                strake_slow_changes_total{stage="decode"} 0.0
                """);
    }

    @Test
    void shouldKeepTheLastHundredSlowChangesAndShowReadableOnes() {
        for (int i = 0; i < 150; i++) {
            pipeline.done(slow(2_000_000_000L + i * 1_000_000_000L, 0));
        }
        pipeline.committed();
        assertThat(metrics.slow().of(workspace -> workspace.equals("site")))
                .hasSize(100)
                .first()
                .satisfies(slow -> assertThat(slow)
                        .containsEntry("seconds", 151.0)
                        .hasEntrySatisfying(
                                "documents",
                                documents -> assertThat(documents)
                                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                                        .hasSize(4)
                                        .startsWith(Map.of(
                                                "schema",
                                                "a/B/v1",
                                                "layer",
                                                "site",
                                                "name",
                                                "two\nlines",
                                                "steps",
                                                7L))));
        assertThat(metrics.slow().of(workspace -> false)).isEmpty();
    }

    private static ProcessedChange slow(long renderNanos, long revisionNanos) {
        long done = System.nanoTime();
        return processed(
                0, outcome(9), new ProcessedChange.Times(now() - 60_000, now(), done, 0, revisionNanos, renderNanos));
    }

    @Test
    void shouldShowTheProgressOfARestore() {
        StateRestoreListener restores = pipeline.restores().orElseThrow();
        TopicPartition changelog = new TopicPartition("changelog", 2);
        restores.onRestoreStart(changelog, "rendered", 100, 1_100);
        restores.onBatchRestored(changelog, "rendered", 599, 500);
        assertThat(metrics.details().recordsToRestore()).isEqualTo(500);
        restores.onRestoreEnd(changelog, "rendered", 1_000);
        assertThat(metrics.details().recordsToRestore()).isZero();
        assertThat(scrape().value("strake_restore_seconds")).isZero();
    }

    private Scrape scrape() {
        return Scrape.read(metrics.registry().scrape());
    }

    private static long now() {
        return System.currentTimeMillis();
    }

    private static ProcessedChange change(int partition, int affected) {
        return processed(partition, outcome(affected), now() - 60_000);
    }

    private static Outcome outcome(int affected) {
        return new Outcome(
                "site",
                new Outcome.Change("id", "type", null, "input", Carried.NOTHING, Note.NONE),
                OutcomeStatus.RENDERED,
                new Outcome.Result(
                        1L,
                        Outcome.Documents.NONE,
                        new Outcome.Work(affected, 0, 0, 0),
                        new Outcome.Published(1L, 0, null)),
                new Outcome.Findings(List.of(), List.of()),
                Instant.now(),
                null);
    }

    private static WorkspaceStatus failed(String workspace, long since) {
        OpenProblem problem = new OpenProblem(ProblemCode.INVALID_DOCUMENT_PARENT, since);
        Map<DocumentId, OpenProblem> problems =
                List.of(WorkspaceStatus.WHOLE, new DocumentId("a/B/v1", "site", "name")).stream()
                        .collect(Collectors.toMap(id -> id, id -> problem));
        return new WorkspaceStatus(
                workspace, new WorkspaceStatus.Last(7, 5, 4, OutcomeStatus.FAILED), 1, since, problems);
    }

    private static ProcessedChange processed(int partition, Outcome outcome, long recordTime) {
        return processed(partition, outcome, new ProcessedChange.Times(recordTime, now(), System.nanoTime(), 1, 1, 1));
    }

    private static ProcessedChange processed(int partition, Outcome outcome, ProcessedChange.Times times) {
        return new ProcessedChange(
                partition,
                outcome,
                Optional.empty(),
                new Update.Work(9, 5, 4, 2, 0),
                times,
                List.of(
                        costly("site", "two\nlines", 7),
                        costly("", "control", 6),
                        costly("site", "c", 5),
                        costly("site", "d", 4)));
    }

    private static ProcessedChange.Costly costly(String layer, String name, long steps) {
        return new ProcessedChange.Costly(new DocumentId("a/B/v1", layer, name), steps);
    }
}
