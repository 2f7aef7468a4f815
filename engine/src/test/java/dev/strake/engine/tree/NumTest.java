package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumTest {

    /** The grammar of RFC 8259. */
    private static final Pattern JSON = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");

    private static final String CHARACTERS = "0011299..eE-+x\u0661";

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "10", "0.0", "1.50", "-12.0e-07", "1E+9", "1e9"})
    void shouldKeepTheFormOfANumber(String literal) {
        assertThat(Num.ofLiteral(literal).literal()).isEqualTo(literal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "+1", "01", "-01", "1.", ".5", "1.e5", "1e", "1e+", "1e5.0", "1 ", "0x1", "\u0661"})
    void shouldRejectInvalidJsonNumbers(String literal) {
        assertThatIllegalArgumentException().isThrownBy(() -> Num.ofLiteral(literal));
    }

    @Test
    void shouldAgreeWithTheGrammarOfJson() {
        Random random = new Random(20261126);
        int numbers = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(9);
            while (text.length() < length) {
                text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
            }
            boolean isNumber = JSON.matcher(text).matches();
            numbers += isNumber ? 1 : 0;
            assertThat(isAccepted(text.toString())).as(text.toString()).isEqualTo(isNumber);
        }
        assertThat(numbers).isGreaterThan(10_000);
    }

    private static boolean isAccepted(String text) {
        try {
            return Num.ofLiteral(text).literal().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
