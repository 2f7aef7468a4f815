package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
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
    void shouldShowDifferencesFarFromEachOtherApart() {
        String before = numbers(1, 30);
        String after = before.replace("line 1\n", "").replace("line 30\n", "line 30\nline 31\n");
        assertThat(diff(before, after)).isEqualTo("""
                @@ -1,4 +1,3 @@
                - line 1
                  line 2
                  line 3
                  line 4
                @@ -28,3 +27,4 @@
                  line 28
                  line 29
                  line 30
                + line 31
                """);
    }

    @Test
    void shouldShowDifferencesTogetherWhenTheLinesAroundThemMeet() {
        String before = numbers(1, 20);
        String after = before.replace("line 5\n", "five\n").replace("line 12\n", "twelve\n");
        assertThat(headings(diff(before, after))).containsExactly("@@ -2,14 +2,14 @@");
        assertThat(headings(diff(before, before.replace("line 5\n", "five\n").replace("line 13\n", "thirteen\n"))))
                .containsExactly("@@ -2,7 +2,7 @@", "@@ -10,7 +10,7 @@");
    }

    @Test
    void shouldTellWhetherTheLastLineIsEnded() {
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
    void shouldQuoteWhatATerminalWouldNotShow() {
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

    private static List<String> headings(String diff) {
        return Arrays.stream(diff.split("\n"))
                .filter(line -> line.startsWith("@@"))
                .toList();
    }

    private static String diff(String before, String after) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        LineDiff.print(writer, before, after);
        writer.flush();
        return out.toString().replace(System.lineSeparator(), "\n");
    }
}
