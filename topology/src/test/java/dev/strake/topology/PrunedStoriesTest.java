package dev.strake.topology;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.graph.ParentDecision;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.readiness.ValidationResult;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.workspace.Workspace;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.history.Pruning;
import dev.strake.topology.history.Retention;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.observe.ChangeObserver;
import dev.strake.topology.observe.ChangeWatch;
import dev.strake.topology.store.DocumentCache;
import dev.strake.topology.store.NumberedRevision;
import dev.strake.topology.store.RevisionLeases.Lease;
import dev.strake.topology.store.StateReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random stories of a workspace whose history is pruned by count, by age or by both, beside a twin that keeps
 * everything. Every revision that is kept or being read equals the twin's, and the stores hold exactly what kept
 * revisions need. {@code -Dstrake.seed=N} repeats the stories.
 */
class PrunedStoriesTest {

    private static final String WORKSPACE = TopologyHarness.WORKSPACE;
    private static final int STEPS_IN_A_STORY = 70;
    private static final int STORIES = Integer.getInteger("strake.stories", 5);

    /** The first time of a driver's clock. */
    private static final Instant BEGIN = Instant.parse("2026-01-31T12:00:00Z");

    /** All times are multiples of a tick, so that revisions often have exactly the maximum age. */
    private static final Duration TICK = Duration.ofMillis(10);

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    private TestKeys keys = TestKeys.none();
    private int sealed;
    private TopologyHarness live;
    private TopologyHarness twin;
    private Pruning pruning;
    private Retention retention;
    private RandomPublisher publisher;
    private final SortedMap<Long, Integer> tags = new TreeMap<>();
    private final SortedMap<Long, List<String>> results = new TreeMap<>();
    private final SortedMap<Long, Recorded> history = new TreeMap<>();
    private final SortedMap<Long, Instant> made = new TreeMap<>();
    private final SortedMap<Long, Lease> read = new TreeMap<>();
    private long start;
    private Outcome last;
    private Instant now;
    private boolean driversHaveWork;

    @Test
    void shouldKeepExactlyTheEntriesThatKeptRevisionsNeed() {
        tellAll();
    }

    @Test
    void shouldKeepExactlyTheSealedEntriesThatKeptRevisionsNeed() {
        keys = TestKeys.created();
        tellAll();
        assertThat(sealed).as("sealed entries of documents").isPositive();
    }

    private void tellAll() {
        for (int story = 0; story < STORIES; story++) {
            try {
                tell();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("-Dstrake.seed=" + seed, e);
            } finally {
                live.close();
                twin.close();
            }
        }
    }

    private void tell() {
        // The test prunes in steps of a few documents, so that changes and reads happen in the middle of pruning.
        TopologySettings settings = keys.in(TopologySettings.of(1)
                .retaining(new Retention(0, Duration.ZERO))
                .holdingDocuments(random.nextBoolean()));
        live = new TopologyHarness(settings);
        twin = new TopologyHarness(settings);
        retention = anyRetention();
        publisher = new RandomPublisher(random, WORKSPACE);
        tags.clear();
        results.clear();
        history.clear();
        made.clear();
        read.clear();
        record();
        start = 0;
        last = null;
        now = BEGIN;
        driversHaveWork = false;
        restartPruning();
        for (int step = 0; step < STEPS_IN_A_STORY; step++) {
            act();
            letTimeGoBy();
            pruneALittle();
            checkSome();
            if (random.nextInt(12) == 0) {
                pruneToTheEnd();
                checkAll();
            }
        }
        pruneToTheEnd();
        checkAll();
        live.dump().get(DocumentsLayout.STORE).forEach((key, value) -> {
            sealed += DocumentsLayout.sealed(key.getBytes(ISO_8859_1), value) == null ? 0 : 1;
        });
    }

    private Retention anyRetention() {
        int kind = random.nextInt(3);
        long revisions = kind == 0 ? 0 : 1 + random.nextInt(8);
        Duration age = kind == 1 ? Duration.ZERO : TICK.multipliedBy(1 + random.nextInt(20));
        return new Retention(revisions, age);
    }

    private long head() {
        return twin.queries().history().lastRevision(WORKSPACE);
    }

    /** The revisions that are left when pruning is done. */
    private NavigableSet<Long> kept() {
        NavigableSet<Long> kept = new TreeSet<>();
        for (long revision = Math.max(1, start); revision <= head(); revision++) {
            if (revision == head() || tags.containsKey(revision) || !(isOneTooMany(revision) || isTooOld(revision))) {
                kept.add(revision);
            }
        }
        return kept;
    }

    private boolean isOneTooMany(long revision) {
        return retention.revisions() > 0 && revision <= head() - retention.revisions();
    }

    /* The age of a revision begins with its replacement, even if the replacement is pruned. */
    private boolean isTooOld(long revision) {
        return !retention.age().isZero()
                && !made.get(revision + 1).plus(retention.age()).isAfter(now);
    }

    private long anyKept() {
        List<Long> kept = List.copyOf(kept());
        return kept.isEmpty() ? 0 : kept.get(random.nextInt(kept.size()));
    }

    private void act() {
        int dice = random.nextInt(100);
        if (dice < 10 && head() > 0) {
            long revision = anyKept();
            tags.merge(revision, 1, Integer::sum);
            sendToBoth(publisher.send("revision.tag", tag(revision, tags.get(revision)), "x"));
        } else if (dice < 18 && !tags.isEmpty()) {
            long revision = List.copyOf(tags.keySet()).get(random.nextInt(tags.size()));
            sendToBoth(publisher.send("revision.untag", tag(revision, tags.get(revision)), "x"));
            tags.computeIfPresent(revision, (key, count) -> count == 1 ? null : count - 1);
            driversHaveWork = true;
        } else if (dice < 21) {
            sendToBoth(publisher.send("workspace.delete", null, "x"));
            start = head();
            tags.clear();
            results.clear(); // also those of an empty head
            driversHaveWork = true;
        } else if (dice < 27) {
            sendToBoth(rollback(random.nextInt(4) == 0 ? 0 : anyKept()));
        } else if (dice < 31 && head() > 0) {
            rollBackInVain();
        } else if (dice < 41 && head() > 0) {
            long revision = anyKept();
            Sent result = publisher.result(revision);
            sendToBoth(result);
            results.computeIfAbsent(revision, none -> new ArrayList<>()).add(result.value());
        } else {
            Sent next = publisher.next(live, last);
            if (!next.type().equals("revision.rollback")) { // rollbacks are sent above, to revisions that are kept
                sendToBoth(keys.current().areThere() ? next.withMoreSecrets(random) : next);
            }
        }
    }

    private static String tag(long revision, int number) {
        return "{revision: %d, tag: t%d}".formatted(revision, number);
    }

    private Sent rollback(long revision) {
        return publisher.send("revision.rollback", "{revision: " + revision + "}", "x");
    }

    private void sendToBoth(Sent sent) {
        Outcome outcome = sent.to(live, WORKSPACE);
        sent.to(twin, WORKSPACE);
        assertThat(TopologyHarness.withoutPlace(live.lastRecords()))
                .isEqualTo(TopologyHarness.withoutPlace(twin.lastRecords()));
        if (outcome.status() != OutcomeStatus.REJECTED && outcome.status() != OutcomeStatus.UNCHANGED) {
            last = outcome;
            record();
            made.put(head(), outcome.time());
        }
    }

    private void record() {
        history.put(head(), Recorded.now(twin, WORKSPACE, OutcomeStatus.RENDERED));
    }

    private void rollBackInVain() {
        long revision = 1L + random.nextInt((int) head() + 2);
        if (!live.queries().history().isKept(WORKSPACE, revision)) {
            Outcome outcome = rollback(revision).to(live, WORKSPACE);
            rollback(Long.MAX_VALUE / 100).to(twin, WORKSPACE); // the twin keeps all, so it gets another number
            assertThat(outcome.status()).isEqualTo(OutcomeStatus.REJECTED);
            assertThat(outcome.problems().get(0).code()).isEqualTo(ProblemCode.REVISION_NOT_FOUND);
            assertThat(outcome.problems().get(0).message())
                    .contains(revision > head() ? "has no revision" : revision < start ? "deleted" : "was pruned");
        }
    }

    /*
     * As time passes, a driver itself prunes what was deleted or lost its tag. A new driver does not before several
     * seconds, which is longer than a story.
     */
    private void letTimeGoBy() {
        if (retention.age().isZero() || random.nextBoolean()) {
            return;
        }
        if (driversHaveWork) {
            twin = restored(twin);
            live = restored(live);
            restartPruning();
            driversHaveWork = false;
        }
        Duration time = TICK.multipliedBy(1 + random.nextInt(4));
        now = now.plus(time);
        twin.advance(time);
        live.advance(time);
    }

    /* Restores from the stores, because the pruning of this test does not write to changelogs. */
    private TopologyHarness restored(TopologyHarness strake) {
        TopologyHarness restored = strake.restoredFrom(strake.dump());
        strake.close();
        read.clear();
        restored.advance(Duration.between(BEGIN, now));
        return restored;
    }

    private void restartPruning() {
        pruning = new Pruning(
                live::store,
                retention,
                live.leases(),
                new Pruning.Step(1 + random.nextInt(4), Long.MAX_VALUE / 2),
                new ChangeWatch(ChangeObserver.NONE, 0));
    }

    private void pruneALittle() {
        if (random.nextInt(6) == 0) { // the heap is lost
            restartPruning();
        }
        if (random.nextInt(20) == 0) { // the disk is lost, too
            live = restored(live);
            restartPruning();
        }
        readOthers();
        for (int steps = random.nextInt(12); steps > 0; steps--) {
            pruning.scan();
            pruning.step(now.toEpochMilli());
        }
    }

    /* Reads some revisions for longer than they are kept, but not so long that pruning ignores their leases. */
    private void readOthers() {
        if (random.nextInt(5) == 0 && head() > 0) {
            read.computeIfAbsent(anyKept(), revision -> live.queries().read(WORKSPACE, revision));
        }
        if (random.nextInt(8) == 0 && !read.isEmpty()) {
            read.remove(anyRead()).close();
        }
    }

    private long anyRead() {
        return List.copyOf(read.keySet()).get(random.nextInt(read.size()));
    }

    private void pruneToTheEnd() {
        read.values().forEach(Lease::close);
        read.clear();
        pruning.scan();
        while (!pruning.isIdle()) {
            pruning.step(now.toEpochMilli());
        }
    }

    /* In the middle of pruning, every revision that counts as kept is complete. */
    private void checkSome() {
        long from = anyKept();
        long to = random.nextInt(5) == 0 ? 0 : anyKept();
        check(from);
        check(to);
        history.get(from).checkDifferences(history.get(to), Whole.diff(live.queries(), WORKSPACE, from, to));
        if (!read.isEmpty()) {
            checkContents(anyRead());
        }
    }

    private void check(long revision) {
        assertThat(live.queries().history().isKept(WORKSPACE, revision)).isTrue();
        checkContents(revision);
        checkResults(revision);
    }

    private void checkResults(long revision) {
        List<ValidationResult> found = live.queries().history().results(WORKSPACE, revision);
        List<String> expected = results.getOrDefault(revision, List.of());
        assertThat(found).as("results of revision %d", revision).hasSameSizeAs(expected);
        for (int i = 0; i < found.size(); i++) {
            ValidationResult result = found.get(i);
            assertThat(expected.get(i))
                    .contains("name: " + result.name() + ",")
                    .contains("status: " + result.status() + ",")
                    .endsWith("run: " + Json.text(result.validator().get("run")) + "}}");
        }
    }

    private void checkContents(long revision) {
        assertThat(Recorded.of(live.queries(), WORKSPACE, revision, OutcomeStatus.RENDERED))
                .as("revision %d", revision)
                .isEqualTo(history.get(revision));
    }

    private void checkAll() {
        NavigableSet<Long> kept = kept();
        kept.forEach(this::check);
        assertThat(Whole.revisions(live.queries(), WORKSPACE))
                .extracting(NumberedRevision::number)
                .containsExactlyElementsOf(kept);
        Needed needed = new Needed(twin.dump(), kept, keys.current());
        needed.checkStores(live.dump());
        checkHeads();
    }

    /* The entries that heads refer to exist and agree with the heads. */
    private void checkHeads() {
        StateReader state = new StateReader(live::store, keys);
        Workspace head = state.open(WORKSPACE);
        Contents contents = new DocumentCache(0).of(state, WORKSPACE, head);
        state.forEachHead(WORKSPACE, entry -> {
            DocumentId id = entry.facts().id();
            Evaluation evaluation = entry.evaluation();
            ParentDecision decision = entry.decision(state.parentAsOf(WORKSPACE, id, Long.MAX_VALUE));
            if (decision != null) {
                assertThat(decision)
                        .as("parent of %s", id)
                        .isEqualTo(head.graph().node(id).decision());
            }
            assertThat(state.document(WORKSPACE, id, entry.facts().since())
                            .document()
                            .id())
                    .isEqualTo(id);
            if (evaluation.data() != null) {
                assertThat(Fingerprint.asWritten(contents.data(id)))
                        .as("data of %s", id)
                        .isEqualTo(evaluation.data());
            }
        });
    }
}
