package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineDiffTest {

    @Test
    void shouldShowThreeLinesAroundADifference() {
        String before = numbers(1, 20);
        assertThat(diff(before, before.replace("line 9\n", "another\n"))).isEqualTo("""
                @@ -6,7 +6,7 @@
                  line 6
                  line 7
                  line 8
                - line 9
                + another
                  line 10
                  line 11
                  line 12
                """);
    }

    @Test
    void shouldMarkAMissingLineBreakAtTheEnd() {
        assertThat(diff("a\nb\n", "a\nb")).isEqualTo("""
                @@ -1,2 +1,2 @@
                  a
                - b
                + b
                \\ No newline at end of text
                """);
        assertThat(diff("", "a\n")).isEqualTo("@@ -0,0 +1 @@\n+ a\n");
        assertThat(diff("a\n", "a\n")).isEmpty();
    }

    @Test
    void shouldEscapeInvisibleCharacters() {
        assertThat(diff("plain\n\nred\n", "plain \n\n\u001b[31mred\r\n")).isEqualTo("""
                @@ -1,3 +1,3 @@
                - plain
                + 'plain '

                - red
                + "\\e[31mred\\r"
                """);
    }

    private static String numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }

    private static String diff(String before, String after) {
        return LineDiff.of(before, after).stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
