package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.tree.Hasher;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.query.Differences;
import dev.strake.topology.query.WorkspaceQueries;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random stories through records: whoever takes over from the changelogs goes on exactly as whoever had all on the
 * heap, and every revision stays what it was. {@code -Dstrake.seed=N} tells the same stories again.
 */
class RandomStoriesTest {

    private static final int STEPS_IN_A_STORY = 50;
    private static final int STORIES = Integer.getInteger("strake.stories", 10);
    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);
    private final Set<OutcomeStatus> seen = EnumSet.noneOf(OutcomeStatus.class);

    @Test
    void shouldGoOnAfterARestoreAndKeepEveryRevision() {
        tellStories(TopologySettings.of(1));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED, OutcomeStatus.REJECTED);
    }

    @Test
    void shouldGoOnAfterARestoreWhenDocumentsAreHeldBack() {
        tellStories(TopologySettings.of(1).holdingDocuments(true));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL, OutcomeStatus.REJECTED);
    }

    private void tellStories(TopologySettings settings) {
        TopologyHarness live = new TopologyHarness(settings);
        TopologyHarness restored = live.restored();
        TopologyHarness again = new TopologyHarness(settings);
        TopologyHarness upgraded = live.restored();
        try {
            for (int story = 0; story < STORIES; story++) {
                String workspace = "story-" + story;
                RandomPublisher publisher = new RandomPublisher(random, workspace);
                Map<Long, Recorded> history = new TreeMap<>();
                history.put(0L, Recorded.now(live, workspace, OutcomeStatus.RENDERED));
                int restart = random.nextInt(STEPS_IN_A_STORY);
                Outcome last = null;
                for (int step = 0; step < STEPS_IN_A_STORY; step++) {
                    if (step == restart) {
                        restored.close();
                        restored = live.restored();
                        upgraded.close();
                        upgraded = live.restoredFrom(EarlierLayout.of(live));
                    }
                    Sent next = publisher.next(live, last);
                    Outcome outcome = next.to(live, workspace);
                    seen.add(outcome.status());
                    next.to(restored, workspace);
                    next.to(again, workspace);
                    Outcome afterUpgrade = next.to(upgraded, workspace);
                    assertThat(TopologyHarness.withoutPlace(restored.lastRecords()))
                            .isEqualTo(TopologyHarness.withoutPlace(live.lastRecords()));
                    assertThat(again.lastRecords()).isEqualTo(live.lastRecords());
                    assertThat(withoutEffort(upgraded))
                            .as("from stores of the layout before this one")
                            .isEqualTo(withoutEffort(live));
                    assertThat(afterUpgrade.warnings()).containsAll(outcome.warnings());
                    if (outcome.status() != OutcomeStatus.REJECTED && outcome.status() != OutcomeStatus.UNCHANGED) {
                        last = outcome;
                        assertThat(outcome.revision()).isEqualTo(history.size());
                        history.put(outcome.revision(), Recorded.now(live, workspace, outcome.status()));
                    }
                    checkConsumer(live, workspace, outcome);
                }
                TopologyHarness.assertSameState(restored.dump(), live.dump());
                checkHistory(live, workspace, history);
                checkHistory(upgraded, workspace, history);
                checkRollback(List.of(live, restored, again, upgraded), workspace, history);
            }
            TopologyHarness.assertSameState(again.dump(), live.dump());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dstrake.seed=" + seed, e);
        } finally {
            live.close();
            restored.close();
            again.close();
            upgraded.close();
        }
    }

    /*
     * Hashes of the layout before say nothing of the order of keys, so what they are of is looked at once more, and the
     * warnings that belong to it are told again.
     */
    private static List<String> withoutEffort(TopologyHarness strake) {
        return TopologyHarness.withoutPlace(strake.lastRecords()).stream()
                .map(record -> record.replaceAll("\"evaluated\":[0-9]+,|\"warnings\":\\[.*\\],(?=,\"time\")", ""))
                .toList();
    }

    private static void checkConsumer(TopologyHarness strake, String workspace, Outcome outcome) {
        Map<RenderedKey, byte[]> records = new LinkedHashMap<>();
        strake.rendered().forEach((key, value) -> {
            if (key.startsWith(workspace + "|")) {
                records.put(RenderedKey.of(key), value);
            }
        });
        assertThat(outcome.published().records()).isEqualTo(records.size());
        assertThat(outcome.published().contentHash()).isEqualTo(hash(records));
        WorkspaceQueries queries = strake.queries();
        long head = queries.head(workspace);
        Set<String> problems = strake.problems().keySet().stream()
                .filter(key -> key.startsWith(workspace + "|"))
                .collect(Collectors.toSet());
        assertThat(problems).hasSameSizeAs(queries.problems(workspace, head));
        if (problems.isEmpty()) {
            assertThat(strake.renderedTrees(workspace))
                    .containsExactlyInAnyOrderElementsOf(queries.rendered(workspace, head));
        }
    }

    /* As a consumer works it out from what it holds. */
    private static String hash(Map<RenderedKey, byte[]> records) {
        BigInteger sum = BigInteger.ZERO;
        for (Map.Entry<RenderedKey, byte[]> record : records.entrySet()) {
            DocumentKey key = record.getKey().document();
            MessageDigest sha = Hasher.sha256();
            sha.update((key.schema() + "|" + key.name() + "\n").getBytes(StandardCharsets.UTF_8));
            sum = sum.add(new BigInteger(1, sha.digest(record.getValue())));
        }
        return String.format("%064x", sum.mod(BigInteger.ONE.shiftLeft(256)));
    }

    private void checkHistory(TopologyHarness strake, String workspace, Map<Long, Recorded> history) {
        WorkspaceQueries queries = strake.queries();
        history.forEach((revision, then) -> assertThat(Recorded.of(queries, workspace, revision, then.status()))
                .isEqualTo(then));
        for (int i = 0; i < 30; i++) {
            long from = random.nextInt(history.size());
            long to = random.nextInt(history.size());
            Differences differences = queries.diff(workspace, from, to);
            assertThat(differences)
                    .as("from %d to %d", from, to)
                    .isEqualTo(history.get(from).to(history.get(to)));
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
