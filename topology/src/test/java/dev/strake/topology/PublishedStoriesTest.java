package dev.strake.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.render.Derivations;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.ProblemKey;
import dev.strake.topology.RandomPublisher.Sent;
import dev.strake.topology.Whole.PublishedDocument;
import dev.strake.topology.query.WorkspaceQueries;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * After any history the topics hold the same as for a fresh workspace that gets the same documents in one change: the
 * same records, byte for byte, and the same problems.
 *
 * <p>{@code -Dstrake.seed=N} repeats the stories, {@code -Dstrake.changes=N} sends N changes with each setting of
 * {@code on-problem}, {@code -Dstrake.compared=N} compares after each Nth of them.
 */
class PublishedStoriesTest {

    private static final int CHANGES = Integer.getInteger("strake.changes", 300);
    private static final int COMPARED = Integer.getInteger("strake.compared", 1);
    private static final int CHANGES_IN_A_STORY = 50;
    private static final Pattern MASK = Pattern.compile("\\*{6} [0-9a-f]{16}");

    /** Bounded, because stores grow with each story, and changes take longer with larger stores. */
    private static final int STORIES_IN_A_TOPOLOGY = 20;

    private static final Duration UNTIL_HEADS_ARE_DROPPED = Duration.ofHours(1);

    private final long seed = Long.getLong("strake.seed", System.nanoTime());
    private final Set<OutcomeStatus> seen = EnumSet.noneOf(OutcomeStatus.class);
    private TestKeys keys;

    @Test
    void shouldPublishTheSameAsAFreshWorkspace() {
        tellStories(TopologySettings.of(1));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED);
    }

    @Test
    void shouldPublishTheSameAsAFreshWorkspaceWithDocumentsHeldBack() {
        tellStories(TopologySettings.of(1).holdingDocuments(true));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.PARTIAL);
    }

    @Test
    void shouldPublishTheSameAsAFreshWorkspaceWithRotatedKeys() {
        keys = TestKeys.none();
        tellStories(keys.in(TopologySettings.of(1)));
        assertThat(seen).contains(OutcomeStatus.RENDERED, OutcomeStatus.FAILED);
    }

    private void tellStories(TopologySettings settings) {
        int stories = Math.max(1, CHANGES / CHANGES_IN_A_STORY);
        for (int first = 0; first < stories; first += STORIES_IN_A_TOPOLOGY) {
            try (TopologyHarness strake = new TopologyHarness(settings)) {
                for (int story = first; story < Math.min(stories, first + STORIES_IN_A_TOPOLOGY); story++) {
                    new Told(strake, story).tell();
                }
            }
        }
    }

    /** One story: a workspace, and fresh workspaces to compare it with. */
    private final class Told {

        private final TopologyHarness strake;
        private final long storySeed;
        private final SplittableRandom random;
        private final String workspace;
        private final StringBuilder text = new StringBuilder();

        Told(TopologyHarness strake, int story) {
            this.strake = strake;
            this.storySeed = seed + story;
            this.random = new SplittableRandom(storySeed);
            this.workspace = "story-" + storySeed; // the changes depend on this name, too
        }

        void tell() {
            RandomPublisher publisher = new RandomPublisher(random, workspace);
            Outcome last = null;
            try {
                for (int step = 0; step < CHANGES_IN_A_STORY; step++) {
                    if (keys != null && random.nextInt(15) == 0) {
                        text.append("the key is replaced\n");
                        keys.rotate();
                        strake.advance(Duration.ofSeconds(random.nextInt(20)));
                    }
                    if (random.nextInt(20) == 0) {
                        text.append("the head is read from the stores again\n");
                        strake.advance(UNTIL_HEADS_ARE_DROPPED);
                    }
                    Sent next = publisher.next(strake, last);
                    text.append(next.type())
                            .append(' ')
                            .append(next.bucket())
                            .append(' ')
                            .append(next.value());
                    Map<String, String> before = records(workspace);
                    Set<String> secretBefore = secret(workspace);
                    Outcome outcome = next.to(strake, workspace);
                    text.append(" → ").append(outcome.status()).append('\n');
                    seen.add(outcome.status());
                    if (outcome.status() == OutcomeStatus.RENDERED
                            || outcome.status() == OutcomeStatus.PARTIAL
                            || outcome.status() == OutcomeStatus.FAILED) {
                        last = outcome;
                        if (step % COMPARED == 0) {
                            compare(outcome, before, secretBefore, "fresh-" + workspace + "-" + step);
                        }
                    } else {
                        assertThat(records(workspace)).isEqualTo(before);
                    }
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "-Dstrake.seed=%d -Dstrake.changes=%d%n%s".formatted(storySeed, CHANGES_IN_A_STORY, text), e);
            }
        }

        private void compare(Outcome outcome, Map<String, String> before, Set<String> secretBefore, String fresh) {
            List<MapValue> documents = Whole.documents(strake.queries(), workspace, outcome.revision()).stream()
                    .map(PublishedDocument::tree)
                    .toList();
            Outcome anew = strake.put(fresh, "all", documents);
            assertThat(problems(workspace)).as("problems").isEqualTo(problems(fresh));
            Map<String, String> records = records(workspace);
            if (documents.isEmpty()) { // without documents the fresh workspace gets no revision
                assertThat(records).as("records").isEmpty();
                return;
            }
            assertThat(outcome.status()).isEqualTo(anew.status());
            assertThat(withoutHashes(records))
                    .as("records")
                    .isEqualTo(expected(
                            outcome.status(),
                            withoutHashes(records(fresh)),
                            withoutHashes(before),
                            differing(secret(fresh), secretBefore),
                            remasked(records, before)));
            assertThat(outcome.published().contentHash()).isEqualTo(strake.contentHash(workspace));
            strake.send(fresh, null, "ce_type", "dev.strake.workspace.delete");
        }

        /* Hashes of masks differ between workspaces. SecretOutputTest compares the hidden values. */
        private Map<String, String> withoutHashes(Map<String, String> records) {
            Map<String, String> result = new TreeMap<>(records);
            result.replaceAll((key, value) -> MASK.matcher(value).replaceAll("******"));
            return result;
        }

        /* Consumers keep what is held back: all records of a failed revision, documents in trouble of a partial one. */
        private Map<String, String> expected(
                OutcomeStatus status,
                Map<String, String> fresh,
                Map<String, String> before,
                Set<String> remarked,
                Set<String> remasked) {
            if (status == OutcomeStatus.FAILED) {
                return before;
            }
            if (status == OutcomeStatus.PARTIAL) {
                held(before).forEach(fresh::putIfAbsent);
            }
            fresh.replaceAll(
                    (key, value) -> remarked.contains(key) || remasked.contains(key) || isNews(value, before.get(key))
                            ? value
                            : before.get(key));
            return fresh;
        }

        /* The records whose masks hide other values. Without hashes they may differ only in the order of keys. */
        private Set<String> remasked(Map<String, String> now, Map<String, String> before) {
            return now.keySet().stream()
                    .filter(key -> before.containsKey(key)
                            && MASK.matcher(before.get(key)).find()
                            && isNews(now.get(key), before.get(key)))
                    .collect(Collectors.toSet());
        }

        /* Another order of keys is not published: consumers keep their bytes as long as the mark of secrets stays. */
        private boolean isNews(String value, String before) {
            return before == null || !Json.value(value).equals(Json.value(before));
        }

        /* The records of documents in trouble. Consumers never hold an abstract or replaced document. */
        private Map<String, String> held(Map<String, String> before) {
            Set<DocumentId> inTrouble = problems(workspace).keySet().stream()
                    .map(key -> ProblemKey.of(key).document())
                    .collect(Collectors.toSet());
            WorkspaceQueries queries = strake.queries();
            Recorded head = Recorded.now(strake, workspace, OutcomeStatus.PARTIAL);
            Set<String> keys = inTrouble.stream()
                    .filter(head::isToBeRendered)
                    .map(id -> id.schema() + "|" + id.name())
                    .collect(Collectors.toCollection(HashSet::new));
            Derivations derivations = queries.open(workspace).derivations();
            derivations
                    .all()
                    .forEach((owner, derived) -> derived.documents().keySet().stream()
                            .filter(key -> derived.isStale()
                                    || derivations.deriving(key).size() > 1)
                            .forEach(key -> keys.add(key.schema() + "|" + key.name())));
            Map<String, String> result = new TreeMap<>(before);
            result.keySet().retainAll(keys);
            return result;
        }

        private Map<String, String> records(String of) {
            Map<String, String> result = new TreeMap<>();
            strake.rendered().forEach((key, value) -> {
                if (key.startsWith(of + "|")) {
                    result.put(key.substring(of.length() + 1), TopologyHarness.text(value));
                }
            });
            return result;
        }

        /* The keys of the records that are marked as secret. */
        private Set<String> secret(String of) {
            return strake.records().entrySet().stream()
                    .filter(each -> each.getKey().startsWith(of + "|"))
                    .filter(each -> each.getValue().headers().lastHeader(HeaderNames.SECRET) != null)
                    .map(each -> each.getKey().substring(of.length() + 1))
                    .collect(Collectors.toSet());
        }

        private static Set<String> differing(Set<String> some, Set<String> others) {
            Set<String> result = new HashSet<>(some);
            result.addAll(others);
            result.removeIf(each -> some.contains(each) && others.contains(each));
            return result;
        }

        private Map<String, String> problems(String of) {
            Map<String, String> result = new TreeMap<>();
            strake.problems().forEach((key, value) -> {
                if (key.startsWith(of + "|")) {
                    result.put(key.substring(of.length()), value);
                }
            });
            return result;
        }
    }
}
