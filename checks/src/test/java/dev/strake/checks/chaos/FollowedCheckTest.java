package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.checks.chaos.Followed.What;
import dev.strake.serdes.TopicNames;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.OutcomeJson;
import dev.strake.serdes.outcome.OutcomeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The judge of subscriptions against planted faults: it has to find each, and to pass a sound story. */
class FollowedCheckTest {

    private static final String WORKSPACE = "ws-0";
    private static final History HISTORY = RecordedRun.of(Long.getLong("strake.seed", 7), 300);

    /** What a follower is given who is there from the first revision on, keeps a checkpoint and goes on from it. */
    private static List<Followed> sound() {
        List<Followed> story = new ArrayList<>(List.of(new Followed(What.OPENED, 0, "-")));
        List<Followed> updates = updates();
        int half = updates.size() / 2;
        story.addAll(updates.subList(0, half));
        story.add(new Followed(What.KEPT, 1, "-"));
        story.addAll(updates.subList(half, half + 2));
        story.add(new Followed(What.RESUMED, 1, "-"));
        story.addAll(updates.subList(half, updates.size()));
        return story;
    }

    private static List<Followed> updates() {
        List<Followed> updates = new ArrayList<>();
        String before = "";
        for (ConsumerRecord<byte[], byte[]> each : HISTORY.topic(TopicNames.OUTCOMES)) {
            Outcome outcome = OutcomeJson.read(each.value());
            String hash = outcome.published().contentHash();
            if (outcome.workspace().equals(WORKSPACE)
                    && outcome.status() != OutcomeStatus.PLANNED
                    && outcome.revision() != null
                    && hash != null
                    && !hash.equals(before)) {
                updates.add(new Followed(updates.isEmpty() ? What.SNAPSHOT : What.REVISION, outcome.revision(), hash));
                before = hash;
            }
        }
        assertThat(updates).hasSizeGreaterThan(20);
        return updates;
    }

    private static Judgement judged(List<Followed> story, boolean isCompacted) {
        Judgement verdict = new Judgement();
        FollowedCheck.check(WORKSPACE, story, HISTORY, isCompacted, verdict);
        return verdict;
    }

    private static void assertFound(String words, Consumer<List<Followed>> fault) {
        List<Followed> story = sound();
        fault.accept(story);
        Judgement verdict = judged(story, false);
        assertThat(verdict.broken()).containsExactly(Promise.FOLLOWED);
        assertThat(verdict.toString()).contains(words);
    }

    private static Consumer<List<Followed>> as(int place, What what) {
        return story -> story.set(
                place,
                new Followed(what, story.get(place).number(), story.get(place).text()));
    }

    @Test
    void shouldPassASoundStoryAndKnowWhenItIsAtItsEnd() {
        List<Followed> story = sound();
        Judgement verdict = judged(story, false);
        assertThat(verdict.isFine()).as(verdict.toString()).isTrue();
        assertThat(verdict.looked(Promise.FOLLOWED)).isGreaterThan(20);
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isTrue();
        story.add(new Followed(What.RESUMED, 1, "-"));
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isFalse();
        story.add(new Followed(What.OPENED, 0, "-"));
        assertThat(FollowedCheck.isAtEnd(WORKSPACE, story, HISTORY)).isFalse();
    }

    @Test
    void shouldReadWhatWasWrittenDownWithoutTheLineThatWasCutShort(@TempDir Path directory) throws IOException {
        List<Followed> story = sound();
        story.add(new Followed(What.FAILED, 0, "with \"words\""));
        Path file = directory.resolve("story");
        try (var out = Files.newOutputStream(file)) {
            for (Followed each : story) {
                out.write(each.line(), 0, each.line().length / 3);
                out.write('\n');
                out.write(each.line());
            }
        }
        assertThat(Followed.read(file)).isEqualTo(story);
    }

    @Test
    void shouldFindAnotherSetThanTheOutcomeTells() {
        assertFound(
                "leads to another set than was published",
                story -> story.set(4, new Followed(What.REVISION, story.get(4).number(), "00")));
    }

    @Test
    void shouldFindARevisionThatWasLeftOutThatCameTwiceAndAStepBack() {
        assertFound("left", story -> story.remove(4));
        assertFound("came after revision", story -> story.add(5, story.get(4)));
        assertFound("came after revision", story -> story.add(8, story.get(4)));
    }

    @Test
    void shouldFindAFollowerWhoWasLeftBehindOrWhoseSubscriptionEnded() {
        assertFound("was published", story -> story.remove(story.size() - 1));
        assertFound("IncompleteSet", story -> story.add(new Followed(What.FAILED, 0, "IncompleteSetException: …")));
    }

    @Test
    void shouldFindARevisionWhereTheSetHadToComeAndTheSetWhereARevisionHadTo() {
        assertFound("came first", as(1, What.REVISION));
        assertFound("to somebody who had the set already", as(4, What.SNAPSHOT));
        assertFound("nothing was compacted", as(4, What.COMPACTED));
    }

    @Test
    void shouldAllowTheSetAgainAndSeveralRevisionsInOneWhereTopicsWereCompacted() {
        List<Followed> story = sound();
        as(5, What.COMPACTED).accept(story);
        story.remove(4);
        assertThat(judged(story, true).toString()).contains("Followed ok");
    }
}
