package dev.strake.serdes.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedTest {

    private final Repeated repeated = new Repeated();

    @Test
    void shouldKeepOneObjectOfANumberThatComesAgain() {
        Value first = repeated.scalar(Num.ofLiteral("8080"));

        assertThat(repeated.scalar(Num.ofLiteral("8080"))).isSameAs(first);
        assertThat(repeated.scalar(Num.ofLiteral("8080.0"))).isEqualTo(Num.ofLiteral("8080.0"));
    }

    @Test
    void shouldTellANumberFromATextOfTheSameDigits() {
        for (int i = 0; i < 3; i++) {
            assertThat(repeated.scalar(Num.ofLiteral("1"))).isEqualTo(Num.of(1));
            assertThat(repeated.scalar(new Text("1"))).isEqualTo(new Text("1"));
        }
    }

    @Test
    void shouldShareTheNumbersOfALongListAlone() throws UnreadableTextException {
        ListValue few = list("1,".repeat(100));
        ListValue many = list("1,".repeat(20_000));

        assertThat(few.get(99)).isEqualTo(few.get(0)).isNotSameAs(few.get(0)); // looking for them would take longer
        assertThat(many.items().subList(15_000, 20_000))
                .allSatisfy(each -> assertThat(each).isSameAs(many.get(19_999)));
    }

    private static ListValue list(String items) throws UnreadableTextException {
        List<ReadDocument> read = new DocumentReader(Limits.DEFAULT)
                .readDocuments(
                        ("{a: [" + items + "]}").getBytes(UTF_8), TextFormat.YAML, "text", new Tally(Limits.DEFAULT));
        return (ListValue) ((MapValue) read.get(0).value()).get("a");
    }
}
