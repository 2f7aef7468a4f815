package dev.strake.engine.property;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random choices. */
public record Dice(RandomGenerator random) {

    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Mostly one of the common choices, otherwise one of the rare ones. */
    public <T> T mostly(double probability, List<T> common, List<T> rare) {
        return oneOf(chance(probability) ? common : rare);
    }

    /** The same items in random order. */
    public <T> List<T> shuffled(List<T> items) {
        List<T> result = new ArrayList<>(items);
        for (int i = result.size() - 1; i > 0; i--) {
            result.add(result.remove(random.nextInt(i + 1)));
        }
        return result;
    }

    /** A random non-empty selection of the items, in random order. */
    public <T> List<T> someOf(List<T> items) {
        return shuffled(items).subList(0, 1 + random.nextInt(items.size()));
    }
}
