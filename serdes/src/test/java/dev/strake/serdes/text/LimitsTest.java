package dev.strake.serdes.text;

import static dev.strake.serdes.text.ReadText.bytes;
import static dev.strake.serdes.text.ReadText.refused;
import static dev.strake.serdes.text.ReadText.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each of these texts would exhaust time, memory or the stack if its limit were checked too late. */
class LimitsTest {

    private static final Limits WIDE = new Limits(
            new Limits.OfChange(1L << 30, 6_000_000, 200_000, 1_000),
            new Limits.OfDocument(1L << 30, 64, 1_000, 1_000_000));

    @Test
    void shouldAllowTheDepthOfTheLimitAndNoMore() {
        assertThat(yaml("[".repeat(64) + "]".repeat(64))).hasSize(128);

        assertLimit(refused("[".repeat(65) + "]".repeat(65)), "nested more than 64 levels deep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "? ", "{\"a\":", "[{", "[[], ", "- - a: ", "!!seq ["})
    void shouldStopAtTheLimitOfDepthForEveryKindOfNesting(String opening) {
        assertThat(refused(bytes(opening.repeat(1_000_000)), TextFormat.DETECTED, WIDE)
                        .code())
                .isIn(ProblemCode.LIMIT_EXCEEDED, ProblemCode.INVALID_YAML);
        assertThat(refused(bytes(opening.repeat(1_000_000)), TextFormat.JSON, WIDE)
                        .code())
                .isIn(ProblemCode.LIMIT_EXCEEDED, ProblemCode.INVALID_YAML);
    }

    @Test
    void shouldCountTheDepthOfAliases() {
        StringBuilder text = new StringBuilder("a0: &a0 [1]\n");
        for (int i = 1; i < 100; i++) {
            text.append("a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n");
        }

        assertLimit(refused(text.toString()), "nested more than 64 levels deep");
    }

    @Test
    void shouldCountNodesOfAliasesWithoutExpandingThem() {
        assertLimit(refused(bytes(bomb(30, 9)), TextFormat.YAML, WIDE), "more than 1000000 keys and values");
        assertLimit(refused(bomb(30, 9)), "more than ");
    }

    @Test
    void shouldCountNodesOfMerges() {
        StringBuilder text = new StringBuilder("base: &b {");
        for (int i = 0; i < 3000; i++) {
            text.append("k" + i + ": 1, ");
        }
        text.append("}\nlist:\n");
        for (int i = 0; i < 900; i++) {
            text.append("- <<: *b\n");
        }

        assertLimit(refused(bytes(text.toString()), TextFormat.YAML, WIDE), "more than 1000000 keys and values");
    }

    @Test
    void shouldCountBytesOfExpandedAliases() {
        String text = "a: &x " + "x".repeat(400_000) + "\nb: [*x, *x, *x, *x, *x, *x, *x, *x, *x, *x]\n";

        assertLimit(refused(text), "more than 4194304 bytes as JSON");
    }

    @Test
    void shouldBoundTheNumberOfAliases() {
        assertThat(yaml("- &a 1\n" + "- *a\n".repeat(1000))).hasSizeGreaterThan(2000);

        assertLimit(refused("- &a 1\n" + "- *a\n".repeat(1001)), "more than 1000 aliases");
    }

    @Test
    void shouldBoundDocumentsByTheirSizeAsJson() {
        assertThat(yaml("# " + "x".repeat(5_000_000) + "\na: 1\n")).isEqualTo("{\"a\":1}");

        assertLimit(refused("a: " + "x".repeat(4 << 20)), "more than 4194304 bytes as JSON");
        assertLimit(
                refused(bytes("{\"a\":\"" + "x".repeat(4 << 20) + "\"}"), TextFormat.JSON, Limits.DEFAULT),
                "more than 4194304 bytes as JSON");
    }

    @Test
    void shouldApplyLimitsToEachDocumentOfAList() throws UnreadableTextException {
        String item = "- {a: " + "x".repeat(2_400_000) + "}\n";

        assertThat(new DocumentReader(Limits.DEFAULT).readDocuments(bytes(item.repeat(3)), TextFormat.YAML, "text"))
                .hasSize(3);
    }

    @Test
    void shouldBoundTheNumberOfDocuments() {
        assertLimit(refused("---\n".repeat(200_001)), "more than 200000 documents");
        assertLimit(refused("--- 1\n".repeat(200_001)), "more than 200000 documents");
    }

    @Test
    void shouldBoundBytesOfTheTextAndOfItsDocumentsTogether() {
        Limits small = new Limits(
                new Limits.OfChange(1000, 6_000_000, 200_000, 1_000), new Limits.OfDocument(900, 64, 1000, 1_000_000));

        assertLimit(refused(bytes("x".repeat(1001)), TextFormat.YAML, small), "more than 1000 bytes");
        assertLimit(
                refused(bytes(("- &a " + "x".repeat(200) + "\n- [*a, *a]\n---\n").repeat(4)), TextFormat.YAML, small),
                "together take more than 2000 bytes");
    }

    @Test
    void shouldReadLongLinesInTimeProportionalToTheirLength() {
        String line = "x".repeat(20_000_000);

        assertLimit(refused(bytes("a: " + line), TextFormat.YAML, Limits.DEFAULT), "bytes as JSON");
        assertLimit(refused(bytes("a: '" + line + "'"), TextFormat.YAML, Limits.DEFAULT), "bytes as JSON");
        assertLimit(refused(bytes("- |\n " + line), TextFormat.YAML, Limits.DEFAULT), "bytes as JSON");
        assertThat(refused(bytes("a: \"" + line), TextFormat.YAML, WIDE).code()).isEqualTo(ProblemCode.INVALID_YAML);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1:", "0x", "0b1", "0", "1:1.", "-0", "1_"})
    void shouldReadLongNumbersInTimeProportionalToTheirLength(String start) {
        String text = "a: " + start + "1:2".repeat(300_000) + "\nb: " + start + "1".repeat(500_000) + "\n";

        try {
            new DocumentReader(WIDE).readTrees(bytes(text), TextFormat.YAML, "text");
        } catch (UnreadableTextException e) {
            assertLimit(e.problem(), "another base than ten");
        }
    }

    /** Every level references the one below several times. */
    private static String bomb(int levels, int uses) {
        StringBuilder text = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i <= levels; i++) {
            text.append("a" + i + ": &a" + i + " [" + ("*a" + (i - 1) + ", ").repeat(uses) + "]\n");
        }
        return text.toString();
    }

    private static void assertLimit(Problem problem, String message) {
        assertThat(problem.code()).isEqualTo(ProblemCode.LIMIT_EXCEEDED);
        assertThat(problem.message()).startsWith("line ").contains(message);
        assertThat(problem.hint()).isNotNull();
    }
}
