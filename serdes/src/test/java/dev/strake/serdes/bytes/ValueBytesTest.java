package dev.strake.serdes.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueBytesTest {

    private static final byte[] KEY = new KeyWriter().text("site").number(7).bytes();

    @Test
    void shouldStartWithTheFormatAndKeepTheLayout() {
        byte[] value = new ValueWriter(1)
                .number(300)
                .flag(true)
                .bytes(new byte[] {9, 8})
                .text("é")
                .optionalText(null)
                .optionalText("")
                .optionalText("x")
                .fingerprint(new Fingerprint(1, -2))
                .value(MapValue.of("k", Num.ofLiteral("1.0")))
                .list(List.of("a", "b"), ValueWriter::text)
                .bytes();

        assertThat(HexFormat.of().formatHex(value))
                .isEqualTo("01" + "ac02" + "01" + "020908" + "02c3a9" + "00" + "01" + "0278"
                        + "0000000000000001fffffffffffffffe" + "097b226b223a312e307d" + "02" + "0161" + "0162");

        ValueReader reader = new ValueReader("documents", KEY, value, 1);
        assertThat(reader.number()).isEqualTo(300);
        assertThat(reader.flag()).isTrue();
        assertThat(reader.bytes()).containsExactly(9, 8);
        assertThat(reader.text()).isEqualTo("é");
        assertThat(reader.optionalText()).isNull();
        assertThat(reader.optionalText()).isEmpty();
        assertThat(reader.optionalText()).isEqualTo("x");
        assertThat(reader.fingerprint()).isEqualTo(new Fingerprint(1, -2));
        assertThat(reader.value()).isEqualTo(MapValue.of("k", Num.ofLiteral("1.0")));
        assertThat(reader.list(ValueReader::text)).containsExactly("a", "b");
        assertThat(reader.atEnd()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00",
        "1, 01",
        "127, 7f",
        "128, 8001",
        "16383, ff7f",
        "16384, 808001",
        "9223372036854775807, ffffffffffffffff7f",
        "-1, ffffffffffffffffff01",
    })
    void shouldWriteNumbersInAsManyBytesAsTheyNeed(long number, String hex) {
        byte[] value = new ValueWriter(1).number(number).bytes();

        assertThat(HexFormat.of().formatHex(value)).isEqualTo("01" + hex);
        assertThat(new ValueReader("s", KEY, value, 1).number()).isEqualTo(number);
    }

    @Test
    void shouldNameStoreAndKeyOfAnUnknownFormat() {
        assertThatThrownBy(() -> new ValueReader("documents", KEY, new byte[] {7}, 1))
                .isInstanceOf(UnreadableStoreException.class)
                .hasMessage(
                        "the entry \"\\x00\\x00\\x00\\x04site\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x07\" of store documents "
                                + "has format 7, but this version reads format 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "0105", "01ff", "01ffffffffffffffffffff01", "0102"})
    void shouldNotReadBeyondTheEnd(String hex) {
        byte[] value = HexFormat.of().parseHex(hex);

        assertThatThrownBy(() -> new ValueReader("documents", KEY, value, 1).text())
                .isInstanceOf(UnreadableStoreException.class)
                .hasMessageContaining("documents");
    }

    @Test
    void shouldReportAValueInAnUnknownEncoding() {
        byte[] value = {1, 4, 0, 0, '1', 0};
        assertThatThrownBy(() -> new ValueReader("s", KEY, value, 1).value())
                .isInstanceOf(UnreadableStoreException.class)
                .hasMessageContaining("not JSON");
    }

    @Test
    void shouldReadRandomBytesOrThrowItsOwnException() {
        SplittableRandom random = new SplittableRandom(4);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] value = new byte[random.nextInt(1, 20)];
            for (int j = 0; j < value.length; j++) { // mostly values that are valid as flags, lengths and kinds
                value[j] = (byte) random.nextInt(random.nextInt(8) == 0 ? 256 : 2);
            }
            value[0] = 1;
            try {
                ValueReader reader = new ValueReader("s", KEY, value, 1);
                reader.flag();
                reader.optionalText();
                reader.list(ValueReader::smallNumber);
                reader.value();
            } catch (UnreadableStoreException e) {
                assertThat(e).hasMessageContaining("store s");
                refused++;
            }
        }
        assertThat(refused).as("some are values by chance").isBetween(10_000, 19_990);
    }
}
