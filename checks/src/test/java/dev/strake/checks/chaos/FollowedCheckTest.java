package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.checks.chaos.Followed.Delivered;
import dev.strake.client.RenderedUpdate.Kind;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the check of subscriptions with planted faults: it must find each of them, and pass a sound log. */
class FollowedCheckTest {

    private static final String WORKSPACE = "ws-0";
    private static final History HISTORY = Recorded.of(Long.getLong("strake.seed", 7), 300);

    /** The log of a follower that starts at the first revision, saves a checkpoint and resumes from it. */
    private static List<Followed> sound() {
        List<Followed> story = new ArrayList<>(List.of(new Followed.Opened()));
        List<Delivered> updates = updates();
        int half = updates.size() / 2;
        story.addAll(updates.subList(0, half));
        story.add(new Followed.Kept(1));
        story.addAll(updates.subList(half, half + 2));
        story.add(new Followed.Resumed(1));
        story.addAll(updates.subList(half, updates.size()));
        return story;
    }

    private static List<Delivered> updates() {
        List<ConsumerRecord<byte[], byte[]>> records = HISTORY.topic(TopicNames.RENDERED).stream()
                .filter(each -> RenderedKey.of(each.key()).workspace().equals(WORKSPACE))
                .toList();
        List<Delivered> updates = new ArrayList<>();
        int next = 0;
        for (ConsumerRecord<byte[], byte[]> each : HISTORY.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(each.value());
            boolean isOfPublished = outcome.status() != OutcomeStatus.PLANNED && outcome.revision() != null;
            if (!outcome.workspace().equals(WORKSPACE) || !isOfPublished) {
                continue;
            }
            SortedMap<DocumentKey, String> put = new TreeMap<>();
            SortedSet<DocumentKey> removed = new TreeSet<>();
            while (next < records.size() && DocumentsCheck.revision(records.get(next)) <= outcome.revision()) {
                ConsumerRecord<byte[], byte[]> record = records.get(next++);
                DocumentKey key = RenderedKey.of(record.key()).document();
                if (record.value() == null) {
                    removed.add(key);
                } else {
                    put.put(key, RenderedHeaders.contentHash(record.value()));
                }
            }
            if (!put.isEmpty() || !removed.isEmpty()) {
                updates.add(new Delivered(
                        updates.isEmpty() ? Kind.SNAPSHOT : Kind.REVISION,
                        outcome.revision(),
                        outcome.published().contentHash(),
                        records.get(next - 1).offset() + 1,
                        each.offset() + 1,
                        put,
                        removed));
            }
        }
        assertThat(updates).hasSizeGreaterThan(20);
        return updates;
    }

    private static Verdict judged(List<Followed> story, Predicate<ConsumerRecord<byte[], byte[]>> isLeft) {
        Verdict verdict = new Verdict();
        FollowedCheck.check(WORKSPACE, story, HISTORY, isLeft, verdict);
        return verdict;
    }

    private static void assertFound(String words, Consumer<List<Followed>> fault) {
        List<Followed> story = new ArrayList<>(sound());
        fault.accept(story);
        Verdict verdict = judged(story, each -> true);
        assertThat(verdict.broken()).containsExactly(Promise.FOLLOWED);
        assertThat(verdict.toString()).contains(words);
    }

    /* Finds the first matching update that puts a document. */
    private static int place(List<Followed> story, Predicate<Delivered> wanted) {
        for (int i = 3; i < story.size(); i++) {
            if (story.get(i) instanceof Delivered delivered && wanted.test(delivered)) {
                return i;
            }
        }
        throw new AssertionError("no update is fit for this fault; take another seed");
    }

    private static Consumer<List<Followed>> inUpdate(Predicate<Delivered> wanted, UnaryOperator<Delivered> fault) {
        return story -> {
            int place = place(story, wanted);
            story.set(place, fault.apply((Delivered) story.get(place)));
        };
    }

    private static Delivered with(
            Delivered update, Kind kind, SortedMap<DocumentKey, String> put, SortedSet<DocumentKey> removed) {
        return new Delivered(
                kind, update.revision(), update.contentHash(), update.rendered(), update.outcomes(), put, removed);
    }

    @Test
    void shouldAcceptASoundStoryAndRecognizeItsEnd() {
        List<Followed> story = sound();
        Verdict verdict = judged(story, each -> true);
        assertThat(verdict.isFine()).as(verdict.toString()).isTrue();
        assertThat(verdict.looked(Promise.FOLLOWED)).isGreaterThan(20);
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isTrue();
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story.subList(0, story.size() / 2), HISTORY))
                .isFalse();
    }

    @Test
    void shouldNotFinishAFollowerThatResumesFromAnOlderCheckpoint() {
        List<Followed> story = new ArrayList<>(sound());
        story.add(new Followed.Kept(2));
        story.add(new Followed.Resumed(1));
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isFalse();
        story.add(new Followed.Resumed(2));
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isTrue();
        story.add(new Followed.Opened());
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isFalse();
    }

    @Test
    void shouldIgnoreATruncatedLastLine(@TempDir Path directory) throws IOException {
        List<Followed> story = new ArrayList<>(sound());
        story.add(new Followed.Failed("with \"words\"\nin two lines"));
        Path file = directory.resolve("story");
        try (var out = Files.newOutputStream(file)) {
            for (Followed each : story) {
                out.write('\n');
                out.write(each.line(), 0, each.line().length / 3);
                out.write('\n');
                out.write(each.line());
            }
        }
        assertThat(Followed.read(file)).isEqualTo(story);
    }

    @Test
    void shouldFindATornRevision() {
        assertFound(
                "leads to another set than was published",
                inUpdate(update -> update.put().size() > 1, update -> {
                    SortedMap<DocumentKey, String> put = new TreeMap<>(update.put());
                    put.remove(put.firstKey());
                    return with(update, update.kind(), put, update.removed());
                }));
    }

    @Test
    void shouldFindADocumentWithWrongContent() {
        assertFound("differs", inUpdate(update -> !update.put().isEmpty(), update -> {
            SortedMap<DocumentKey, String> put = new TreeMap<>(update.put());
            put.put(put.firstKey(), RenderedHeaders.contentHash(new byte[0]));
            return with(update, update.kind(), put, update.removed());
        }));
    }

    @Test
    void shouldFindAMissingRemoval() {
        assertFound(
                "should not be there",
                inUpdate(
                        update -> !update.removed().isEmpty(),
                        update -> with(update, update.kind(), update.put(), new TreeSet<>())));
    }

    @Test
    void shouldFindAWrongHash() {
        assertFound(
                "its outcome tells",
                inUpdate(
                        update -> true,
                        update -> new Delivered(
                                update.kind(),
                                update.revision(),
                                "00",
                                update.rendered(),
                                update.outcomes(),
                                update.put(),
                                update.removed())));
    }

    @Test
    void shouldFindASkippedRevision() {
        assertFound("is of one between them", story -> story.remove(place(story, update -> true)));
    }

    @Test
    void shouldFindADuplicateRevision() {
        assertFound("came behind revision", story -> {
            int place = place(story, update -> true);
            story.add(place + 1, story.get(place));
        });
    }

    @Test
    void shouldFindAStepBackBeforeACheckpoint() {
        assertFound("came behind revision", story -> {
            int resumed = story.indexOf(new Followed.Resumed(1));
            story.add(resumed + 1, story.get(4));
        });
    }

    @Test
    void shouldFindAFollowerThatIsLate() {
        assertFound("something else than was published in the end", story -> story.remove(story.size() - 1));
    }

    @Test
    void shouldFindASubscriptionThatEnded() {
        assertFound("IncompleteSetException", story -> story.add(new Followed.Failed("IncompleteSetException: …")));
    }

    @Test
    void shouldFindASnapshotAndARevisionInTheWrongPlace() {
        assertFound("(REVISION) came first", story -> {
            Delivered first = (Delivered) story.get(1);
            story.set(1, with(first, Kind.REVISION, first.put(), first.removed()));
        });
        assertFound("(SNAPSHOT) came to somebody who had the set already", wholeAs(Kind.SNAPSHOT));
    }

    @Test
    void shouldFindANeedlessSnapshot() {
        assertFound("though everything is there", wholeAs(Kind.COMPACTED));
    }

    /* Changes one update into a snapshot. */
    private static Consumer<List<Followed>> wholeAs(Kind kind) {
        return story -> {
            SortedMap<DocumentKey, String> held = new TreeMap<>();
            int place = place(story, update -> true);
            for (int i = 1; i <= place; i++) {
                Delivered each = (Delivered) story.get(i);
                held.putAll(each.put());
                held.keySet().removeAll(each.removed());
            }
            story.set(place, with((Delivered) story.get(place), kind, held, new TreeSet<>()));
        };
    }

    @Test
    void shouldAllowASnapshotAfterRecordsWereCompacted() {
        List<Followed> story = new ArrayList<>(sound());
        int place = place(story, update -> true);
        Delivered before = (Delivered) story.get(place - 1);
        wholeAs(Kind.COMPACTED).accept(story);
        Predicate<ConsumerRecord<byte[], byte[]>> isLeft =
                each -> !each.topic().endsWith(TopicNames.RENDERED) || each.offset() > before.rendered();
        assertThat(judged(story, isLeft).toString()).contains("Followed ok");
    }
}
