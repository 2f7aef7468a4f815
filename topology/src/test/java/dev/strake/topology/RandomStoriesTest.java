package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.secret.Redaction;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.engine.workspace.Records;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.Whole.Created;
import dev.strake.topology.Whole.PublishedDocument;
import dev.strake.topology.layout.DocumentsLayout;
import dev.strake.topology.layout.KeysLayout;
import dev.strake.topology.layout.RevisionsLayout;
import dev.strake.topology.layout.SealedEntry;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A task restored from the changelogs continues exactly as one that kept everything on the heap. Every revision stays
 * as it was, and repeated changes are recognized. {@code -Dstrake.seed=N} repeats the stories.
 */
class RandomStoriesTest {

    private static final int STEPS_IN_A_STORY = 50;
    private static final int STEPS_UNTIL_RESTORED = 15;
    private static final int STEPS_UNTIL_TAG = 8;
    private static final int STEPS_UNTIL_RESULT = 5;
    private static final int STEPS_UNTIL_REPEATED = 4;
    private static final String TAG = "revision.tag";

    /** The prefix of all secrets in these stories. */
    private static final String TOKEN = "t0ken-";

    /** The kinds of entries that record which keys are in use. */
    private static final Set<Character> OF_KEYS =
            Set.of((char) KeysLayout.inUsePrefix()[0], (char) KeysLayout.sealedKey()[0]);

    /* Enough for ten stories; more stories leave more entries to encrypt. */
    private static final Duration UNTIL_ENCRYPTED_ANEW = Duration.ofSeconds(20);
    private static final int STORIES = Integer.getInteger("strake.stories", 10);
    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Set<OutcomeStatus> seen = EnumSet.noneOf(OutcomeStatus.class);
    private final Map<String, Integer> refused = new TreeMap<>();
    private TestKeys keys = TestKeys.none();
    private int planted;

    private Duration advanced = Duration.ZERO;

    @Test
    void shouldContinueAfterARestoreAndKeepEveryRevision() {
        tellStories(TopologySettings.of(1));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED, OutcomeStatus.REJECTED);
    }

    @Test
    void shouldContinueAfterARestoreWithDocumentsHeldBack() {
        tellStories(TopologySettings.of(1).holdingDocuments(true));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.REJECTED);
    }

    @Test
    void shouldContinueAfterARestoreWithRotatedKeys() {
        keys = TestKeys.created();
        tellStories(keys.in(TopologySettings.of(1)));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED, OutcomeStatus.REJECTED);
        assertThat(planted).as("secrets").isGreaterThan(STORIES);
    }

    @Test
    void shouldContinueAfterARestoreWithRotatedKeysAndDocumentsHeldBack() {
        keys = TestKeys.created();
        tellStories(keys.in(TopologySettings.of(1).holdingDocuments(true)));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.REJECTED);
    }

    private void tellStories(TopologySettings settings) {
        TopologyHarness live = new TopologyHarness(settings);
        TopologyHarness restored = live.restored();
        TopologyHarness again = new TopologyHarness(settings);
        try {
            for (int story = 0; story < STORIES; story++) {
                String workspace = "story-" + story;
                RandomPublisher publisher = new RandomPublisher(random, workspace);
                Map<Long, Recorded> history = new TreeMap<>();
                Map<Long, Map<DocumentId, Created>> created = new HashMap<>();
                history.put(0L, Recorded.now(live, workspace, OutcomeStatus.RENDERED));
                int rotation = random.nextInt(STEPS_IN_A_STORY);
                Outcome last = null;
                List<Sent> applied = new ArrayList<>();
                Map<Long, Integer> results = new TreeMap<>();
                for (int step = 0; step < STEPS_IN_A_STORY; step++) {
                    if (random.nextInt(STEPS_UNTIL_RESTORED) == 0) {
                        TopologyHarness stopped = restored;
                        restored = atThisTime((random.nextBoolean() ? live : stopped).restored());
                        stopped.close();
                    }
                    if (history.size() > 1 && random.nextInt(STEPS_UNTIL_TAG) == 0) {
                        String tag = "{revision: %d, tag: t%d, data: {step: %d}}"
                                .formatted(1 + random.nextInt(history.size() - 1), random.nextInt(3), step);
                        Sent tagged = publisher.send(TAG, tag, "x");
                        assertThat(sendToAll(tagged, workspace, live, restored, again))
                                .containsOnly(OutcomeStatus.UNCHANGED);
                        applied.add(tagged);
                    }
                    if (history.size() > 1 && random.nextInt(STEPS_UNTIL_RESULT) == 0) {
                        long revision = 1L + random.nextInt(history.size() - 1);
                        Sent result = publisher.result(revision);
                        assertThat(sendToAll(result, workspace, live, restored, again))
                                .containsOnly(OutcomeStatus.UNCHANGED);
                        results.merge(revision, 1, Integer::sum);
                        applied.add(result);
                    }
                    if (!applied.isEmpty() && random.nextInt(STEPS_UNTIL_REPEATED) == 0) {
                        Sent repeated = applied.get(random.nextInt(applied.size()));
                        assertThat(sendToAll(repeated, workspace, live, restored, again))
                                .as(repeated.id())
                                .containsOnly(OutcomeStatus.DUPLICATE);
                    }
                    if (hasKeys() && step == rotation) {
                        keys.rotate();
                        advance(Duration.ofSeconds(random.nextInt(10)), live, restored, again);
                    }
                    Sent next = publisher.next(live, last);
                    if (hasKeys()) {
                        next = next.withMoreSecrets(random).withTokens(() -> TOKEN + planted++);
                    }
                    next = Masks.planted(Removals.limited(next, random), random);
                    long head = live.queries().history().lastRevision(workspace);
                    List<PublishedDocument> before = Whole.documents(live.queries(), workspace, head);
                    Outcome outcome = next.to(live, workspace);
                    Removals.check(next, outcome, before, history, refused);
                    Masks.check(next, outcome);
                    seen.add(outcome.status());
                    next.to(restored, workspace);
                    next.to(again, workspace);
                    assertThat(TopologyHarness.withoutPlace(restored.lastRecords()))
                            .isEqualTo(TopologyHarness.withoutPlace(live.lastRecords()));
                    assertThat(again.lastRecords()).isEqualTo(live.lastRecords());
                    if (outcome.status() != OutcomeStatus.REJECTED && outcome.status() != OutcomeStatus.UNCHANGED) {
                        last = outcome;
                        applied.add(next);
                        assertThat(outcome.revision()).isEqualTo(history.size());
                        history.put(outcome.revision(), Recorded.now(live, workspace, outcome.status()));
                        created.put(outcome.revision(), Whole.created(live.queries(), workspace, outcome.revision()));
                    }
                    checkConsumer(live, workspace, outcome);
                    assertThat(live.lastRecords()).as("what is published").noneMatch(record -> record.contains(TOKEN));
                }
                if (hasKeys()) {
                    advance(UNTIL_ENCRYPTED_ANEW.multipliedBy(1 + story / 10), live, restored, again);
                    keys.forgetOld();
                    checkStores(live);
                }
                assertSameState(restored, live);
                checkHistory(live, workspace, history);
                WorkspaceQueries queries = live.queries();
                history.keySet()
                        .forEach(revision -> assertThat(queries.history().results(workspace, revision))
                                .hasSize(results.getOrDefault(revision, 0)));
                created.forEach((revision, then) -> assertThat(Whole.created(live.queries(), workspace, revision))
                        .isEqualTo(then));
                checkRollback(List.of(live, restored, again), workspace, history);
            }
            assertSameState(again, live);
            assertThat(refused).as("refused for their removals").containsKey("guard of bucket.put");
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dstrake.seed=" + seed, e);
        } finally {
            live.close();
            restored.close();
            again.close();
        }
    }

    private static Set<OutcomeStatus> sendToAll(Sent sent, String workspace, TopologyHarness... all) {
        return Stream.of(all).map(each -> sent.to(each, workspace).status()).collect(Collectors.toSet());
    }

    private boolean hasKeys() {
        return keys.current().areThere();
    }

    /* Advances a new driver, whose clock begins anew, to the time of the others. */
    private TopologyHarness atThisTime(TopologyHarness strake) {
        strake.advance(advanced);
        return strake;
    }

    /* Advances in steps of a second, because background work takes one step each time it is due. */
    private void advance(Duration time, TopologyHarness... all) {
        for (Duration left = time; !left.isZero(); left = left.minusSeconds(1)) {
            for (TopologyHarness strake : all) {
                strake.advance(Duration.ofSeconds(1));
            }
        }
        advanced = advanced.plus(time);
    }

    private static void checkStores(TopologyHarness strake) {
        strake.dump()
                .forEach((store, entries) -> entries.forEach((key, value) -> {
                    assertThat(key).as(store).doesNotContain(TOKEN);
                    assertThat(new String(value, StandardCharsets.ISO_8859_1))
                            .as(store + " " + key)
                            .doesNotContain(TOKEN);
                }));
    }

    private void assertSameState(TopologyHarness one, TopologyHarness other) {
        TopologyHarness.assertSameState(comparable(one), comparable(other));
    }

    /*
     * Decrypts all entries before they are compared. Each encryption of a document gives other bytes, and each topology
     * decides by itself which entries it encrypts when, and which keys are in use.
     */
    private Map<String, Map<String, byte[]>> comparable(TopologyHarness strake) {
        Map<String, Map<String, byte[]>> stores = strake.dump();
        if (hasKeys()) {
            stores.forEach((store, entries) -> entries.replaceAll((name, value) -> {
                byte[] key = name.getBytes(StandardCharsets.ISO_8859_1);
                return store.equals(DocumentsLayout.STORE)
                        ? DocumentsLayout.write(DocumentsLayout.read(keys.current(), key, value))
                        : SealedEntry.open(keys.current(), store, key, value).value();
            }));
            stores.get(RevisionsLayout.STORE).keySet().removeIf(key -> OF_KEYS.contains(key.charAt(0)));
        }
        return stores;
    }

    private void checkConsumer(TopologyHarness strake, String workspace, Outcome outcome) {
        assertThat(outcome.published().records())
                .isEqualTo(strake.renderedTrees(workspace).size());
        assertThat(outcome.published().contentHash()).isEqualTo(strake.contentHash(workspace));
        WorkspaceQueries queries = strake.queries();
        long head = queries.history().lastRevision(workspace);
        Set<String> problems = strake.problems().keySet().stream()
                .filter(key -> key.startsWith(workspace + "|"))
                .collect(Collectors.toSet());
        assertThat(problems).hasSameSizeAs(Whole.problems(queries, workspace, head));
        if (problems.isEmpty()) {
            Records known = new Records(queries.open(workspace), null);
            Redaction redaction = Redaction.of(keys.current().keyedHash(), workspace);
            assertThat(strake.renderedTrees(workspace))
                    .containsExactlyInAnyOrderElementsOf(Whole.rendered(queries, workspace, head).stream()
                            .map(each -> hasKeys() && known.isSecret(key(each)) ? redaction.published(each) : each)
                            .toList());
        }
    }

    private static DocumentKey key(MapValue document) {
        return new DocumentKey(
                ((Text) document.get("schema")).value(),
                ((Text) ((MapValue) document.get("metadata")).get("name")).value());
    }

    private void checkHistory(TopologyHarness strake, String workspace, Map<Long, Recorded> history) {
        WorkspaceQueries queries = strake.queries();
        history.forEach((revision, then) -> assertThat(Recorded.of(queries, workspace, revision, then.status()))
                .isEqualTo(then));
        for (int i = 0; i < 30; i++) {
            long from = random.nextInt(history.size());
            long to = random.nextInt(history.size());
            Differences differences = Whole.diff(queries, workspace, from, to);
            history.get(from).checkDifferences(history.get(to), differences);
        }
    }

    private void checkRollback(List<TopologyHarness> all, String workspace, Map<Long, Recorded> history) {
        List<Long> revisions = new ArrayList<>(history.keySet());
        long revision = revisions.get(random.nextInt(revisions.size()));
        Recorded then = history.get(revision);
        Sent rollback = new Sent("{revision: " + revision + "}", "revision.rollback", "x", "back-in-" + workspace);
        for (TopologyHarness strake : all) {
            Outcome outcome = rollback.to(strake, workspace);
            Recorded now = Recorded.now(strake, workspace, then.status());
            assertThat(now).as("rollback to " + revision).isEqualTo(then);
            assertThat(outcome.status()).isIn(OutcomeStatus.UNCHANGED, then.status());
        }
    }
}
