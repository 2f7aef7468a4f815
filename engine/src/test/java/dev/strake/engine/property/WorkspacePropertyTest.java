package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests equality with the oracle, minimal output, frugal evaluation, restarts and immutability after every step of
 * random stories. {@code -Dstrake.steps=100000} runs longer stories, {@code -Dstrake.seed=N} repeats them. Modules with
 * a kind of derivation extend this test to run the same stories with their documents.
 */
public class WorkspacePropertyTest {

    private static final int STEPS_IN_A_STORY = 60;

    @Test
    void shouldKeepEveryPromiseAfterEveryStepOfRandomStories() {
        long steps = Long.getLong("strake.steps", 4_000);
        long seed = Long.getLong("strake.seed", System.nanoTime());
        System.out.println("random stories: -Dstrake.seed=" + seed + " -Dstrake.steps=" + steps);
        SplittableRandom seeds = new SplittableRandom(seed);
        Map<String, Integer> counts = new TreeMap<>();
        for (long told = 0; told < steps; told += STEPS_IN_A_STORY) {
            tell(new SplittableRandom(seeds.nextLong()), seed, told)
                    .forEach((what, often) -> counts.merge(what, often, Integer::sum));
        }
        System.out.println("random stories: " + counts);
        check(counts, steps);
    }

    /** Checks that the stories had successes and failures, because only both together prove something. */
    protected void check(Map<String, Integer> counts, long steps) {
        assertThat(counts.get("RENDERED")).isGreaterThan((int) (steps / 4));
        assertThat(counts.get("PARTIAL")).isGreaterThan((int) (steps / 10));
        assertThat(counts.get("evaluated")).isLessThan(counts.get("affected"));
        assertThat(counts.get("derived")).isGreaterThan((int) (steps / 20));
        assertThat(counts.get("secret")).isGreaterThan((int) (steps / 10));
        assertThat(counts.get("masked in part")).isGreaterThan((int) (steps / 100));
        assertThat(counts.get("told apart")).isGreaterThan((int) steps);
        assertThat(counts.get("made of secrets")).isGreaterThan((int) steps);
        Features.check(counts, steps);
    }

    private static Map<String, Integer> tell(SplittableRandom random, long seed, long before) {
        RandomChanges changes = new RandomChanges(random);
        Story story = new Story();
        List<Change> told = new ArrayList<>();
        for (int i = 0; i < STEPS_IN_A_STORY; i++) {
            Change change = changes.next(story.state(), story.causesOfTrouble(), story.sinceWhole());
            told.add(change);
            try {
                story.step(change);
            } catch (RuntimeException | AssertionError e) {
                throw broken(told, seed, before + told.size());
            }
        }
        return story.counts();
    }

    private static AssertionError broken(List<Change> told, long seed, long steps) {
        List<Change> shortest = new Shrinking(told, story -> failure(story) != null).shortest();
        String text = shortest.stream().map(Change::toString).collect(Collectors.joining("\n"));
        return new AssertionError(
                "a promise is broken after " + steps + " steps (seed " + seed + "), at the end of this story:\n" + text
                        + "\n",
                failure(shortest));
    }

    private static Throwable failure(List<Change> told) {
        Story story = new Story();
        try {
            told.forEach(story::step);
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }
}
