package dev.strake.serdes.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyBytesTest {

    @Test
    void shouldWriteTextsWithTheirLengthAndNumbersInEightBytes() {
        byte[] key =
                new KeyWriter().text("site").text("").text("é|b").number(258).bytes();

        assertThat(hex(key))
                .isEqualTo("00000004" + "73697465" + "00000000" + "00000004" + "c3a97c62" + "0000000000000102");
    }

    @Test
    void shouldReadItsOwnKeys() {
        KeyReader key = new KeyReader(new KeyWriter()
                .text("a\n|b")
                .number(0)
                .text("😀")
                .number(Long.MAX_VALUE)
                .bytes());

        assertThat(key.text()).isEqualTo("a\n|b");
        assertThat(key.number()).isZero();
        assertThat(key.text()).isEqualTo("😀");
        assertThat(key.atEnd()).isFalse();
        assertThat(key.number()).isEqualTo(Long.MAX_VALUE);
        assertThat(key.atEnd()).isTrue();
    }

    @Test
    void shouldOrderKeysByTheirNumbers() {
        long[] numbers = {0, 1, 127, 128, 255, 256, 65_535, 1L << 31, 1L << 40, Long.MAX_VALUE};
        for (int i = 1; i < numbers.length; i++) {
            byte[] smaller = new KeyWriter().text("w").number(numbers[i - 1]).bytes();
            byte[] larger = new KeyWriter().text("w").number(numbers[i]).bytes();
            assertThat(Arrays.compareUnsigned(smaller, larger)).isNegative();
        }
    }

    @Test
    void shouldNotEncodeOneNameAsAPrefixOfAnother() {
        byte[] prefix = new KeyWriter().text("site").bytes();
        byte[] other = new KeyWriter().text("site-a").text("x").bytes();

        assertThat(Arrays.mismatch(prefix, other)).isLessThan(prefix.length);
    }

    @Test
    void shouldGrowForLongTexts() {
        String text = "x".repeat(1000);

        assertThat(new KeyReader(new KeyWriter().text(text).bytes()).text()).isEqualTo(text);
    }

    @Test
    void shouldRejectNegativeNumbersAndTextsThatAreNotUtf8() {
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyWriter().number(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyWriter().text("\ud800"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "000000", "00000002ff", "ffffffff", "7fffffff00"})
    void shouldRejectTruncatedKeys(String hex) {
        KeyReader key = new KeyReader(HexFormat.of().parseHex(hex));

        assertThatIllegalArgumentException().isThrownBy(key::text);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
