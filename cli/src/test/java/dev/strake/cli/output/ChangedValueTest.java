package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class ChangedValueTest {

    @Test
    void shouldShowTheValueBeforeAndAfter() {
        assertThat(ChangedValue.lines(Num.of(2), Num.of(3))).containsExactly("- 2", "+ 3");
        assertThat(ChangedValue.lines(null, MapValue.of("a", Num.of(1)).with("b", Num.of(2))))
                .containsExactly("+ a: 1", "+ b: 2");
    }

    @Test
    void shouldShowOnlyTheDifferenceOfLongTexts() {
        String same = "x".repeat(5_000);
        assertThat(ChangedValue.lines(new Text(same + "-old"), new Text(same + "-new")))
                .containsExactly("- …" + "x".repeat(39) + "-old", "+ …" + "x".repeat(39) + "-new");
        assertThat(ChangedValue.lines(new Text("old" + same), new Text("new" + same)))
                .allSatisfy(line -> assertThat(line).hasSize(161).endsWith("x…"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("- oldx"),
                        line -> assertThat(line).startsWith("+ newx"));
    }

    @Test
    void shouldCountTheHiddenPartOfALongValue() {
        Value list = ListValue.of(Collections.nCopies(50, (Value) Num.of(7)));
        assertThat(ChangedValue.lines(list, null))
                .hasSize(41)
                .startsWith("- - 7")
                .endsWith("… 10 more lines (-o yaml has all)");
        assertThat(ChangedValue.lines(new Text("a\n".repeat(100)), new Text("b\n".repeat(100))))
                .hasSize(41)
                .startsWith("@@ -1,100 +1,100 @@", "- a")
                .endsWith("… 161 more lines (-o yaml has all)");
    }
}
