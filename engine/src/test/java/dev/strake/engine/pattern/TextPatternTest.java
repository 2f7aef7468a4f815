package dev.strake.engine.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.RenderLimits;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The results of Python's {@code re}, in linear time. */
class TextPatternTest {

    /** Each line: pattern, text, and the result of {@code re.sub} with {@code P} as the replacement. */
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
        String result = TextPattern.of(pattern).replaceAll(unescaped(text), "P", new TextPattern.Room(1_000), budget());
        assertThat(result).isEqualTo(unescaped(expected));
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n");
    }

    @Test
    void shouldInsertTheReplacementLiterally() {
        assertThat(TextPattern.of("X").replaceAll("aXb", "\\1$0\\g<0>", new TextPattern.Room(1_000), budget()))
                .isEqualTo("a\\1$0\\g<0>b");
    }

    @Test
    void shouldNeverStopBetweenSurrogates() {
        assertThat(TextPattern.of("x*").replaceAll("😀", "-", new TextPattern.Room(10), budget()))
                .isEqualTo("-😀-");
    }

    @Test
    void shouldReturnTheSameTextWhereNothingMatches() {
        String text = "a text";
        assertThat(TextPattern.of("X").replaceAll(text, "P", new TextPattern.Room(1_000), budget()))
                .isSameAs(text);
    }

    /** A pattern without special characters is searched literally; in parentheses it is matched by the automaton. */
    @RepeatedTest(200)
    void shouldFindWordsAsTheAutomatonDoes(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        String word = anyOf("aab-,\"", 1 + random.nextInt(4), random);
        String text = anyOf("aaab-,\"\nä", random.nextInt(40), random);
        TextPattern found = TextPattern.of(word);
        TextPattern expected = TextPattern.of("(?:" + word + ")");
        int from = random.nextInt(text.length() + 1);
        assertThat(found.search(text, from, 0, budget())).isEqualTo(expected.search(text, from, 0, budget()));
        assertThat(found.replaceAll(text, "P", new TextPattern.Room(1_000), budget()))
                .isEqualTo(expected.replaceAll(text, "P", new TextPattern.Room(1_000), budget()));
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
    void shouldReturnAGroupOrNullIfItDidNotMatch() {
        TextPattern pattern = TextPattern.of("(a)|(b)");
        assertThat(pattern.groups()).isEqualTo(2);
        assertThat(pattern.search("xb", 0, 2, budget()).group()).isEqualTo("b");
        assertThat(pattern.search("xb", 0, 1, budget()).group()).isNull();
        assertThat(pattern.search("xyz", 0, 0, budget())).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+$", "(a|aa)+$", "(a*)*b", "(.*)(.*)(.*)(.*)x", "^(\\w+\\s?)*$"})
    void shouldRunCatastrophicPatternsInLinearTime(String pattern) {
        String text = "a".repeat(50_000) + "!";
        assertThat(TextPattern.of(pattern).search(text, 0, 0, budget())).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?P=n)", "(?(1)a|b)"})
    void shouldRejectPatternsThatNeedBacktracking(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextPattern.of(pattern))
                .withMessageContaining("linear time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", ")", "[a", "a**", "*a", "(?P<n", "\\", "[z-a]", "(?P<n>a)(?P<n>b)"})
    void shouldRejectInvalidPatterns(String pattern) {
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
    void shouldRejectRepetitionBombsAtOnce(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> TextPattern.of(pattern));
    }

    /** Adjacent repetitions add up; nested ones multiply. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$ 123e4567-e89b-12d3-a456-426614174000",
                "^([0-9]{1,3}\\.){3}[0-9]{1,3}(/[0-9]{1,2})?$ 10.23.21.11/24",
                "^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$ 52:54:00:b6:ed:02",
                "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?){0,8}$ db.site.example",
                "^(([0-9a-f]{1,4}:){7,7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,6}:[0-9a-f]{1,4}|::1)$ 2001:db8:0:0:0:0:0:1",
                "^.{1,1000}$ x",
            })
    void shouldReadPatternsFromRealSites(String pattern, String text) {
        assertThat(TextPattern.of(pattern).search(text, 0, 0, budget())).isNotNull();
    }

    @Test
    void shouldReportWhyAPatternIsTooLarge() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextPattern.of("((a{99}){99}){99}"))
                .withMessage(
                        "the pattern repeats too much: with its repetitions written out, it has more than 5000 parts"
                                + " (nested repetitions multiply)");
    }

    /**
     * The matcher recurses through parts that match the empty text. A thread has a stack of one mebibyte if Java is
     * started without the launcher's options, of which callers take some. The frames of the JVM's first compiler are
     * the largest: with them, the last pattern takes 832 KiB, and half of that with those of the second compiler.
     */
    @ParameterizedTest
    @ValueSource(strings = {"((a?){30}){30}", "(?:(?:a?){40}){40}", "(?:(?:a*){40}){40}", "(?:a|){1000}", "a{0,1000}"})
    void shouldNeedNoDeepStackForTheLargestPattern(String pattern) throws Exception {
        Throwable[] thrown = new Throwable[1];
        Thread small = new Thread(
                null,
                () -> {
                    try {
                        assertThat(TextPattern.of(pattern).search("b", 0, 0, budget()))
                                .isNotNull();
                    } catch (Throwable e) {
                        thrown[0] = e;
                    }
                },
                "small stack",
                960L << 10);
        small.start();
        small.join();
        assertThat(thrown[0]).isNull();
    }

    @Test
    void shouldGiveUpOnAPatternThatScansToTheEndForEachMatch() {
        TextPattern greedy = TextPattern.of("(?:a.*b|a)");
        String text = "a".repeat(100_000);
        assertThatExceptionOfType(BudgetExceededException.class)
                .isThrownBy(() -> greedy.replaceAll(text, "", new TextPattern.Room(1L << 20), budget()));
    }

    @Test
    void shouldRejectTooLongPatterns() {
        assertThatIllegalArgumentException().isThrownBy(() -> TextPattern.of("a".repeat(1_001)));
    }

    @Test
    void shouldStopBeforeReplacementsFillTheHeap() {
        TextPattern everywhere = TextPattern.of("x*");
        String large = "y".repeat(1_000_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> everywhere.replaceAll(large, large, new TextPattern.Room(8L << 20), budget()))
                .withMessageContaining("characters");
    }

    private static Budget budget() {
        return RenderLimits.DEFAULT.budget();
    }
}
