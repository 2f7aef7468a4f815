package dev.strake.engine.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.Json;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DifferenceTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'a':1,'b':{'c':[1,2]}} | {'b':{'c':[1,2]},'a':1}   | ",
                "{'a':1,'b':2}           | {'b':3,'c/d':4}           | /a - 1; /b - 2 + 3; /c~1d + 4",
                "[1,2,3,4]               | [1,3,4]                   | /1 - 2",
                "[1,2]                   | [0,1,2,3]                 | /0 - 1 + 0; /1 - 2 + 1; /2 + 2; /3 + 3",
                "[1,2]                   | [1,'x',2]                 | /1 + 'x'",
                "[{'name':'a','n':1}]    | [{'name':'a','n':2}]      | /name=a/n - 1 + 2",
                "[{'name':'a'}]          | []                        | /name=a - {'name':'a'}",
                "{'a':[1]}               | {'a':{'0':1}}             | /a - [1] + {'0':1}",
                "1                       | null                      | - 1 + null",
            })
    void shouldNameThePlacesWhereTreesDiffer(String before, String after, String expected) {
        List<String> found = Difference.between(Json.value(before), Json.value(after)).stream()
                .map(DifferenceTest::describe)
                .toList();
        assertThat(String.join("; ", found)).isEqualTo(expected == null ? "" : expected);
    }

    private static String describe(Difference difference) {
        return Stream.of(difference.path(), side("-", difference.before()), side("+", difference.after()))
                .filter(part -> !part.isEmpty())
                .reduce((one, other) -> one + " " + other)
                .orElseThrow();
    }

    private static String side(String sign, Value value) {
        return value == null ? "" : sign + " " + Json.text(value).replace('"', '\'');
    }
}
