package dev.strake.engine.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.limit.RenderLimits;
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

/** Compares random lists of operations on random trees with a simple mutable implementation. */
class OperationsPropertyTest {

    private static final int ROUNDS = 20_000;
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
    void shouldDoWhatChangingTheTreeInPlaceWouldDo() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        int succeeded = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Value document = value(random, 4);
            String before = Json.text(document);
            List<MutableTree.Edit> edits = edits(random);
            String expected = inPlace(document, edits);
            String actual = applied(document, edits);
            String where = "seed " + seed + " round " + round + " " + before + " " + edits;
            assertThat(actual).as(where).isEqualTo(expected);
            assertThat(Json.text(document)).as(where).isEqualTo(before);
            succeeded += actual.equals("fails") ? 0 : 1;
        }
        assertThat(succeeded).as("lists that succeeded, seed " + seed).isGreaterThan(ROUNDS / 20);
    }

    private static String applied(Value document, List<MutableTree.Edit> edits) {
        try {
            ListValue list = ListValue.of(
                    edits.stream().map(MutableTree.Edit::asOperation).toList());
            Value result = Operations.of(list).applyTo(document, RenderLimits.DEFAULT.budget());
            String text = Json.text(result);
            Value fresh = Json.value(text);
            assertThat(List.of(result.weight(), result.depth())).isEqualTo(List.of(fresh.weight(), fresh.depth()));
            return text;
        } catch (OperationException e) {
            return "fails";
        }
    }

    private static String inPlace(Value document, List<MutableTree.Edit> edits) {
        try {
            MutableTree tree = new MutableTree(document);
            edits.forEach(tree::edit);
            return Json.text(tree.value());
        } catch (MutableTree.NoWayException e) {
            return "fails";
        }
    }

    private static List<MutableTree.Edit> edits(SplittableRandom random) {
        List<MutableTree.Edit> edits = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            StringBuilder path = new StringBuilder();
            for (int k = random.nextInt(4); k > 0; k--) {
                path.append('/').append(PIECES[random.nextInt(PIECES.length)]);
            }
            edits.add(new MutableTree.Edit(path.toString(), random.nextInt(3) == 0 ? null : value(random, 2)));
        }
        return edits;
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
