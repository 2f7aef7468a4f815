package dev.strake.engine.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Python's {@code re} answers, answered in linear time. */
class TextPatternTest {

    /** Each line: pattern, text, and what {@code re.sub} makes of it with {@code P} as the replacement. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "X*            | aXXb          | PaPPbP",
                "X             | aXXb          | aPPb",
                "x*            | abc           | PaPbPcP",
                "a$            | a\\na\\n      | a\\nP\\n",
                "^a            | a\\na         | P\\na",
                "a.b           | a\\nb acb     | a\\nb P",
                "\\d+          | x١٢y34        | xPyP",
                "\\w+          | größe-名前!    | P-P!",
                "\\s           | a\u00a0b c    | aPbPc",
                "[^\\s]+       | a b           | P P",
                "\\bel         | el cartel     | P cartel",
                "(?i)abc       | xABCy         | xPy",
                "(?P<n>a)b     | ab            | P",
                "(?:ab)+       | ababa         | Pa",
                "a{2}          | aaaaa         | PPa",
                "a{,2}b        | aaab          | aP",
                "a{x}          | a{x}          | P",
                "[]a]+         | ]a]b          | Pb",
                "[[:x]+        | [x:]          | P]",
                "[a\\]]+       | a]b           | Pb",
                "\\.           | a.b           | aPb",
                "\\Z           | ab            | abP",
                "\\Aa          | aa            | Pa",
                "a+?           | aaa           | PPP",
                "\\u0041       | AB            | PB",
                "\\x41         | AB            | PB",
                "DOMAIN        | a.DOMAIN.b    | a.P.b",
                "nothing       | here          | here",
            })
    void shouldReplaceAsPythonDoes(String pattern, String text, String expected) {
        String result = TextPattern.of(pattern).replaceAll(unescaped(text), "P", 1_000);
        assertThat(result).isEqualTo(unescaped(expected));
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n");
    }

    @Test
    void shouldInsertTheReplacementLiterally() {
        assertThat(TextPattern.of("X").replaceAll("aXb", "\\1$0\\g<0>", 1_000)).isEqualTo("a\\1$0\\g<0>b");
    }

    @Test
    void shouldNeverStopBetweenSurrogates() {
        assertThat(TextPattern.of("x*").replaceAll("😀", "-", 10)).isEqualTo("-😀-");
    }

    @Test
    void shouldReturnTheSameTextWhereNothingMatches() {
        String text = "a text";
        assertThat(TextPattern.of("X").replaceAll(text, "P", 1_000)).isSameAs(text);
    }

    /** A pattern without anything special is searched for as it is; in parentheses the same goes to the automaton. */
    @RepeatedTest(200)
    void shouldFindWordsAsTheAutomatonDoes(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String word = anyOf("aab-,\"", 1 + random.nextInt(4), random);
        String text = anyOf("aaab-,\"\nä", random.nextInt(40), random);
        TextPattern found = TextPattern.of(word);
        TextPattern expected = TextPattern.of("(?:" + word + ")");
        int from = random.nextInt(text.length() + 1);
        assertThat(found.search(text, from, 0)).isEqualTo(expected.search(text, from, 0));
        assertThat(found.replaceAll(text, "P", 1_000)).isEqualTo(expected.replaceAll(text, "P", 1_000));
        assertThat(found.groups()).isEqualTo(expected.groups());
    }

    private static String anyOf(String characters, int length, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.toString();
    }

    @Test
    void shouldPickAGroupOrNullIfItTookNoPart() {
        TextPattern pattern = TextPattern.of("(a)|(b)");
        assertThat(pattern.groups()).isEqualTo(2);
        assertThat(pattern.search("xb", 0, 2).group()).isEqualTo("b");
        assertThat(pattern.search("xb", 0, 1).group()).isNull();
        assertThat(pattern.search("xyz", 0, 0)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+$", "(a|aa)+$", "(a*)*b", "(.*)(.*)(.*)(.*)x", "^(\\w+\\s?)*$"})
    void shouldRunCatastrophicPatternsInLinearTime(String pattern) {
        String text = "a".repeat(50_000) + "!";
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThat(TextPattern.of(pattern).search(text, 0, 0)).isNull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?P=n)", "(?(1)a|b)"})
    void shouldRefuseWhatNeedsABacktrackingEngine(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextPattern.of(pattern))
                .withMessageContaining("linear time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", ")", "[a", "a**", "*a", "(?P<n", "\\", "[z-a]", "(?P<n>a)(?P<n>b)"})
    void shouldRefuseWhatIsNoPattern(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> TextPattern.of(pattern));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a{1001}",
                "((a{99}){99}){99}",
                "(a{999999999})",
                "((((a{10}){10}){10}){10}){10}",
                "(a{0,50}){50}"
            })
    void shouldRefuseRepetitionBombsAtOnce(String pattern) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(5),
                () -> assertThatIllegalArgumentException().isThrownBy(() -> TextPattern.of(pattern)));
    }

    @Test
    void shouldRefusePatternsThatAreTooLong() {
        assertThatIllegalArgumentException().isThrownBy(() -> TextPattern.of("a".repeat(1_001)));
    }

    @Test
    void shouldStopBeforeReplacementsFillTheHeap() {
        TextPattern everywhere = TextPattern.of("x*");
        String large = "y".repeat(1_000_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> everywhere.replaceAll(large, large, 8L << 20))
                .withMessageContaining("characters");
    }
}
