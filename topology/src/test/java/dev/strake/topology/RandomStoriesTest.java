package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.document.Problem;
import dev.strake.engine.property.Change;
import dev.strake.engine.property.RandomChanges;
import dev.strake.engine.property.Story;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.topology.WorkspaceQueries.Difference;
import dev.strake.topology.WorkspaceQueries.Differences;
import dev.strake.topology.WorkspaceQueries.PublishedDocument;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
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
    private int sent;

    /** What a revision was when it was the head. */
    private record Recorded(
            OutcomeStatus status,
            List<PublishedDocument> documents,
            List<MapValue> rendered,
            List<Problem> problems,
            SortedMap<String, Integer> buckets) {

        static Recorded now(TopologyHarness strake, String workspace, OutcomeStatus status) {
            WorkspaceQueries queries = strake.queries();
            long head = queries.head(workspace);
            return of(queries, workspace, head, status);
        }

        static Recorded of(WorkspaceQueries queries, String workspace, long revision, OutcomeStatus status) {
            return new Recorded(
                    status,
                    queries.documents(workspace, revision),
                    queries.rendered(workspace, revision),
                    queries.problems(workspace, revision),
                    queries.buckets(workspace, revision));
        }
    }

    /** A record as a publisher sends it. */
    private record Sent(String value, String type, String bucket, String id) {

        Outcome to(TopologyHarness strake, String workspace) {
            return strake.send(workspace, value, "ce_type", "dev.strake." + type, "bucket", bucket, "ce_id", id);
        }
    }

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
        try {
            for (int story = 0; story < STORIES; story++) {
                String workspace = "story-" + story;
                RandomChanges changes = new RandomChanges(random);
                Map<Long, Recorded> history = new TreeMap<>();
                history.put(0L, Recorded.now(live, workspace, OutcomeStatus.RENDERED));
                int restart = random.nextInt(STEPS_IN_A_STORY);
                Outcome last = null;
                for (int step = 0; step < STEPS_IN_A_STORY; step++) {
                    if (step == restart) {
                        restored.close();
                        restored = live.restored();
                    }
                    Sent next = next(changes, live, workspace, last);
                    Outcome outcome = next.to(live, workspace);
                    seen.add(outcome.status());
                    next.to(restored, workspace);
                    next.to(again, workspace);
                    assertThat(withoutPlace(restored.lastRecords())).isEqualTo(withoutPlace(live.lastRecords()));
                    assertThat(again.lastRecords()).isEqualTo(live.lastRecords());
                    if (outcome.status() != OutcomeStatus.REJECTED && outcome.status() != OutcomeStatus.UNCHANGED) {
                        last = outcome;
                        assertThat(outcome.revision()).isEqualTo(history.size());
                        history.put(outcome.revision(), Recorded.now(live, workspace, outcome.status()));
                    }
                    checkConsumer(live, workspace, outcome);
                }
                TopologyHarness.assertSameState(restored.dump(), live.dump());
                checkHistory(live, workspace, history);
                checkRollback(List.of(live, restored, again), workspace, history);
            }
            TopologyHarness.assertSameState(again.dump(), live.dump());
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dstrake.seed=" + seed, e);
        } finally {
            live.close();
            restored.close();
            again.close();
        }
    }

    private Sent next(RandomChanges changes, TopologyHarness strake, String workspace, Outcome last) {
        Map<DocumentId, Story.Held> held = new LinkedHashMap<>();
        WorkspaceQueries queries = strake.queries();
        long head = queries.head(workspace);
        queries.documents(workspace, head)
                .forEach(each -> held.put(each.id(), new Story.Held(Document.ofValid(each.tree()), each.bucket())));
        List<DocumentId> causes = queries.problems(workspace, head).stream()
                .filter(problem ->
                        problem.document() != null && problem.related().isEmpty())
                .map(Problem::document)
                .toList();
        long whole = last == null || last.renderedRevision() == null ? 0 : last.renderedRevision();
        Change change;
        do {
            change = changes.next(new Story.State(held), causes, (int) (head - whole));
        } while (change.kind() == Change.Kind.RESTART);
        String id = "change-" + sent++;
        String list = new String(JsonBytes.of(ListValue.of(List.copyOf(change.documents()))), StandardCharsets.UTF_8);
        return switch (change.kind()) {
            case PUT -> new Sent(list, "documents.put", change.bucket(), id);
            case BUCKET -> new Sent(list, "bucket.put", change.bucket(), id);
            case DELETE -> new Sent(list, "documents.delete", change.bucket(), id);
            default -> new Sent("{revision: " + Math.max(0, head - change.back()) + "}", "revision.rollback", "x", id);
        };
    }

    /* Offsets start anew in a new driver. */
    private static List<String> withoutPlace(List<String> records) {
        return records.stream()
                .map(record -> record.replaceAll("\"input\":\"[^\"]*\"", ""))
                .toList();
    }

    private static void checkConsumer(TopologyHarness strake, String workspace, Outcome outcome) {
        Map<RenderedKey, byte[]> records = new LinkedHashMap<>();
        strake.rendered().forEach((key, value) -> {
            if (key.startsWith(workspace + "|")) {
                records.put(RenderedKey.of(key), value);
            }
        });
        assertThat(outcome.rendered()).isEqualTo(records.size());
        assertThat(outcome.contentHash()).isEqualTo(hash(records));
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
            MessageDigest sha = Fingerprint.sha256();
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
            assertThat(differences.documents())
                    .as("documents from %d to %d", from, to)
                    .isEqualTo(difference(byId(history.get(from)), byId(history.get(to))));
            assertThat(differences.rendered())
                    .as("rendered from %d to %d", from, to)
                    .isEqualTo(difference(byKey(history.get(from)), byKey(history.get(to))));
        }
    }

    private static Map<DocumentId, MapValue> byId(Recorded recorded) {
        return recorded.documents().stream().collect(Collectors.toMap(PublishedDocument::id, PublishedDocument::tree));
    }

    private static Map<DocumentKey, MapValue> byKey(Recorded recorded) {
        return recorded.rendered().stream()
                .collect(Collectors.toMap(
                        tree -> new DocumentKey(
                                ((Text) tree.get("schema")).value(),
                                ((Text) ((MapValue) tree.get("metadata")).get("name")).value()),
                        tree -> tree));
    }

    private static <K> Map<K, Difference> difference(Map<K, MapValue> before, Map<K, MapValue> after) {
        Set<K> keys = new LinkedHashSet<>(before.keySet());
        keys.addAll(after.keySet());
        Map<K, Difference> result = new LinkedHashMap<>();
        for (K key : keys) {
            if (!before.containsKey(key)) {
                result.put(key, Difference.CREATED);
            } else if (!after.containsKey(key)) {
                result.put(key, Difference.DELETED);
            } else if (!before.get(key).equals(after.get(key))) {
                result.put(key, Difference.MODIFIED);
            }
        }
        return result;
    }

    private void checkRollback(List<TopologyHarness> all, String workspace, Map<Long, Recorded> history) {
        List<Long> revisions = new ArrayList<>(history.keySet());
        long revision = revisions.get(random.nextInt(revisions.size()));
        Recorded then = history.get(revision);
        Sent rollback = new Sent("{revision: " + revision + "}", "revision.rollback", "x", "change-" + sent++);
        for (TopologyHarness strake : all) {
            Outcome outcome = rollback.to(strake, workspace);
            Recorded now = Recorded.now(strake, workspace, then.status());
            assertThat(now).as("rollback to " + revision).isEqualTo(then);
            assertThat(outcome.status()).isIn(OutcomeStatus.UNCHANGED, then.status());
        }
    }
}
