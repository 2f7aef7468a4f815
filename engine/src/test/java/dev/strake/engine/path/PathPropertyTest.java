package dev.strake.engine.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.strake.engine.Json;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random paths on random trees: reads, writes and removals affect the same places as in an independent traversal. */
class PathPropertyTest {

    private static final int ROUNDS = 20_000;
    private static final String[] STEPS = {
        ".a", ".b", ".c", "..a", "..b", ".*", "..*", "[*]", "..[*]", "[0]", "[1]", "[-1]", "..[0]", ".a,b", ".c,a",
        "..b,c", ".a,a"
    };

    @Test
    void shouldWriteAndRemoveExactlyTheValuesThatReadingFinds() throws Exception {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int several = 0;
        int nested = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> steps = steps(random);
            Value root = tree(random, 4);
            Path path = Path.of("$" + String.join("", steps));
            String where = "seed " + seed + " round " + round + " " + path + " in " + Json.text(root);
            List<Match> read = Match.all(root, steps, true);
            List<Match> matches = Match.all(root, steps, false);
            Value written = random.nextBoolean() ? new Text("new") : Json.value("{'a':{'b':1},'c':[1]}");

            assertThat(path.first(root, budget())).as(where).isEqualTo(read.isEmpty() ? null : read.get(0).value);
            Set<Match> places = Match.outermost(matches);
            if (places.stream().anyMatch(match -> match.isCharacter)) {
                assertThatExceptionOfType(PathConflictException.class)
                        .as(where)
                        .isThrownBy(() -> path.write(root, written, budget()));
                assertThatExceptionOfType(PathConflictException.class)
                        .as(where)
                        .isThrownBy(() -> path.remove(root, budget()));
            } else if (matches.isEmpty()) {
                assertThat(path.remove(root, budget())).as(where).isNull();
            } else {
                several += places.size() > 1 ? 1 : 0;
                nested += places.size() < new TreeSet<>(matches).size() ? 1 : 0;
                String expected = Json.text(replaced(root, List.of(), places, written));
                Value result = path.write(root, written, budget());
                assertThat(Json.text(result)).as(where).isEqualTo(expected);
                assertThat(Json.text(path.write(oneObjectEach(root), written, budget())))
                        .as("with one object for equal values, %s", where)
                        .isEqualTo(expected);
                assertThat(Json.text(path.write(result, written, budget())))
                        .as("again, %s", where)
                        .isEqualTo(Json.text(path.write(Json.value(Json.text(result)), written, budget())));
                assertThat(Json.text(path.remove(root, budget())))
                        .as(where)
                        .isEqualTo(Json.text(replaced(root, List.of(), places, null)));
            }
        }
        assertThat(several).as("paths with several places").isGreaterThan(ROUNDS / 50);
        assertThat(nested).as("paths with places inside one another").isGreaterThan(ROUNDS / 100);
    }

    @Test
    void shouldSpendTheSameForSharedAndCopiedValues() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < ROUNDS / 10; round++) {
            Path path = Path.of("$" + String.join("", steps(random)));
            Value root = tree(random, 4);
            Value same = path.first(root, budget());
            assertThat(spent(path, oneObjectEach(root), same))
                    .isEqualTo(spent(path, Json.value(Json.text(root)), same));
        }
    }

    private static long spent(Path path, Value root, Value written) {
        Budget budget = budget();
        path.first(root, budget);
        try {
            path.write(root, written == null ? new Text("") : written, budget);
            path.remove(root, budget);
        } catch (PathConflictException e) {
            return -budget.spent();
        }
        return budget.spent();
    }

    /** A value found by a path, and its place. */
    private record Match(List<Object> place, Value value, boolean isCharacter) implements Comparable<Match> {

        /* When reading, a value that is not a list counts as a list with itself as the only item. */
        static List<Match> all(Value root, List<String> steps, boolean reading) {
            List<Match> found = List.of(new Match(List.of(), root, false));
            for (String step : steps) {
                List<Match> next = new ArrayList<>();
                found.forEach(match -> match.follow(step, reading, next));
                found = next;
            }
            return found;
        }

        /* The matches that are not inside another match. */
        static Set<Match> outermost(List<Match> matches) {
            Set<Match> result = new TreeSet<>(matches);
            result.removeIf(match -> matches.stream()
                    .anyMatch(other -> other.place.size() < match.place.size()
                            && match.place.subList(0, other.place.size()).equals(other.place)));
            return result;
        }

        private void follow(String step, boolean reading, List<Match> found) {
            if (step.startsWith("..")) {
                follow(step.charAt(2) == '[' ? step.substring(2) : step.substring(1), reading, found);
                children().forEach(child -> child.follow(step, reading, found));
            } else if (step.equals(".*")) {
                if (value instanceof MapValue) {
                    found.addAll(children());
                }
            } else if (step.equals("[*]")) {
                if (value instanceof ListValue) {
                    found.addAll(children());
                } else if (reading && !(value instanceof Null)) {
                    found.add(this);
                }
            } else if (step.startsWith("[")) {
                at(Integer.parseInt(step.substring(1, step.length() - 1)), found);
            } else {
                Set<String> seen = new TreeSet<>();
                for (String name : step.substring(1).split(",", -1)) {
                    if (seen.add(name) && value instanceof MapValue map && map.has(name)) {
                        found.add(below(name, map.get(name), false));
                    }
                }
            }
        }

        private void at(int index, List<Match> found) {
            if (value instanceof ListValue list) {
                int position = index < 0 ? list.size() + index : index;
                if (position >= 0 && position < list.size()) {
                    found.add(below(position, list.get(position), false));
                }
            } else if (value instanceof Text text) {
                int[] points = text.value().codePoints().toArray();
                int position = index < 0 ? points.length + index : index;
                if (position >= 0 && position < points.length) {
                    found.add(below(position, new Text(Character.toString(points[position])), true));
                }
            }
        }

        private List<Match> children() {
            List<Match> children = new ArrayList<>();
            if (value instanceof MapValue map) {
                new TreeSet<>(map.keys()).forEach(key -> children.add(below(key, map.get(key), false)));
            } else if (value instanceof ListValue list) {
                for (int i = 0; i < list.size(); i++) {
                    children.add(below(i, list.get(i), false));
                }
            }
            return children;
        }

        private Match below(Object step, Value child, boolean character) {
            List<Object> longer = new ArrayList<>(place);
            longer.add(step);
            return new Match(longer, child, character || isCharacter);
        }

        @Override
        public int compareTo(Match other) {
            return place.toString().compareTo(other.place.toString());
        }
    }

    private static Value replaced(Value value, List<Object> place, Set<Match> places, Value by) {
        if (places.stream().anyMatch(match -> match.place.equals(place))) {
            return by;
        }
        if (value instanceof MapValue map) {
            Map<String, Value> entries = new LinkedHashMap<>();
            map.forEach((key, child) -> {
                Value result = replaced(child, plus(place, key), places, by);
                if (result != null) {
                    entries.put(key, result);
                }
            });
            return MapValue.of(entries);
        }
        if (value instanceof ListValue list) {
            List<Value> items = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                Value result = replaced(list.get(i), plus(place, i), places, by);
                if (result != null) {
                    items.add(result);
                }
            }
            return ListValue.of(items);
        }
        return value;
    }

    private static List<Object> plus(List<Object> place, Object step) {
        List<Object> longer = new ArrayList<>(place);
        longer.add(step);
        return longer;
    }

    /* The same tree, in which equal values with equal text share one object. */
    private static Value oneObjectEach(Value value) {
        return oneObjectEach(value, new HashMap<>());
    }

    private static Value oneObjectEach(Value value, Map<String, Value> known) {
        Value result = value;
        if (value instanceof MapValue map) {
            MapValue.Builder builder = MapValue.builder();
            map.forEach((key, child) -> builder.put(key, oneObjectEach(child, known)));
            result = builder.build();
        } else if (value instanceof ListValue list) {
            result = ListValue.of(list.items().stream()
                    .map(item -> oneObjectEach(item, known))
                    .toList());
        }
        Value first = known.putIfAbsent(Json.text(result), result);
        return first == null ? result : first;
    }

    private static List<String> steps(SplittableRandom random) {
        List<String> steps = new ArrayList<>();
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            steps.add(STEPS[random.nextInt(STEPS.length)]);
        }
        return steps;
    }

    private static Value tree(SplittableRandom random, int depth) {
        int kind = random.nextInt(depth == 0 ? 2 : 8);
        if (kind < 2) {
            return kind == 0 ? Num.of(random.nextInt(3)) : new Text(random.nextBoolean() ? "añ😀b" : "");
        }
        int size = random.nextInt(4);
        if (kind < 6) {
            MapValue.Builder map = MapValue.builder();
            for (int i = 0; i < size; i++) {
                map.put(String.valueOf((char) ('a' + random.nextInt(4))), tree(random, depth - 1));
            }
            return map.build();
        }
        List<Value> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(tree(random, depth - 1));
        }
        return ListValue.of(items);
    }

    private static Budget budget() {
        return RenderLimits.DEFAULT.budget();
    }
}
