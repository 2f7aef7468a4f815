package dev.strake.engine.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.oracle.NaiveOperations;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Compares random lists of operations on random trees with the oracle. */
class OperationsPropertyTest {

    private static final int ROUNDS = 20_000;
    private static final String[] TYPES = {"replace", "replace", "replace", "remove", "remove", "test"};
    private static final String[] KEYS = {"a", "b", "n", "8"};
    private static final String[] PIECES = {
        "a",
        "b",
        "n",
        "8?",
        "a?",
        "b?",
        "0",
        "1",
        "-1",
        "2",
        "-",
        "n=x",
        "n=y?",
        "n=8",
        "0:prev",
        "1:next",
        "0:before",
        "-1:after",
        "n=x:next",
        "n=x:before",
        "0:after:prev",
        "a~1b?",
        ""
    };

    @Test
    void shouldAgreeWithTheOracle() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int succeeded = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Value document = value(random, 4);
            String before = Json.text(document);
            ListValue operations = operations(random);
            String expected = expected(document, operations);
            String actual = applied(document, operations);
            String where = "seed " + seed + " round " + round + " " + before + " " + Json.text(operations);
            assertThat(actual).as(where).isEqualTo(expected);
            assertThat(Json.text(document)).as(where).isEqualTo(before);
            succeeded += actual.equals("fails") ? 0 : 1;
        }
        assertThat(succeeded).as("lists that succeeded, seed " + seed).isGreaterThan(ROUNDS / 20);
    }

    private static String applied(Value document, ListValue operations) {
        try {
            Value result = Operations.of(operations).applyTo(document, RenderLimits.DEFAULT.budget());
            String text = Json.text(result);
            Value fresh = Json.value(text);
            assertThat(List.of(result.weight(), result.depth())).isEqualTo(List.of(fresh.weight(), fresh.depth()));
            return text;
        } catch (OperationException e) {
            return "fails";
        }
    }

    private static String expected(Value document, ListValue list) {
        NaiveOperations operations = new NaiveOperations(list);
        if (operations.unreadable() >= 0) {
            return "fails";
        }
        try {
            Value result = document;
            for (MapValue operation : operations.operations()) {
                result = NaiveOperations.apply(operation, result);
            }
            return Json.text(result);
        } catch (NaiveOperations.NoWayException e) {
            return "fails";
        }
    }

    private static ListValue operations(SplittableRandom random) {
        List<Value> operations = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            StringBuilder path = new StringBuilder();
            for (int k = random.nextInt(4); k > 0; k--) {
                path.append('/').append(PIECES[random.nextInt(PIECES.length)]);
            }
            String type = TYPES[random.nextInt(TYPES.length)];
            MapValue operation = MapValue.of(Map.of("path", new Text(path.toString()), "type", new Text(type)));
            operations.add(type.equals("remove") ? operation : operation.with("value", value(random, 2)));
        }
        return ListValue.of(operations);
    }

    private static Value value(SplittableRandom random, int depth) {
        int kind = random.nextInt(depth > 0 ? 5 : 2);
        if (kind < 2) {
            return kind == 0 ? Num.of(random.nextInt(7, 9)) : new Text(random.nextBoolean() ? "x" : "y");
        }
        if (kind < 4) {
            MapValue.Builder map = MapValue.builder();
            for (int i = random.nextInt(4); i > 0; i--) {
                map.put(KEYS[random.nextInt(KEYS.length)], value(random, depth - 1));
            }
            return map.build();
        }
        List<Value> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(random.nextBoolean() ? MapValue.of(Map.of("n", value(random, 0))) : value(random, depth - 1));
        }
        return ListValue.of(items);
    }
}
