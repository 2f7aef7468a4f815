package dev.strake.serdes.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemovalLimitTest {

    @ParameterizedTest
    @CsvSource({
        "0, 50, 0",
        "20, 50, 20",
        "10%, 50, 5",
        "10%, 9, 0",
        "'10,10%', 50, 10",
        "'10,10%', 423, 42",
        "100%, 423, 423",
        "0%, 423, 0",
        "999999999, 1, 999999999",
        "100%, 2147483647, 2147483647",
        "guard, 0, 0",
        "guard, 1, 0",
        "guard, 2, 1",
        "guard, 3, 1",
        "guard, 5, 1",
        "guard, 6, 2",
        "guard, 7, 2",
        "guard, 200000, 66666",
    })
    void shouldAllowTheGreaterOfNumberAndPart(String text, int held, long most) {
        assertThat(RemovalLimit.parse(text).of(held)).isEqualTo(most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "20", "10%", "10,10%", "100%", "guard"})
    void shouldBeWrittenAsItIsRead(String text) {
        assertThat(RemovalLimit.parse(text)).hasToString(text);
        assertThat(RemovalLimit.parse(RemovalLimit.parse(text).toString())).isEqualTo(RemovalLimit.parse(text));
    }

    @Test
    void shouldAllowAllWhereThereIsNoLimit() {
        assertThat(RemovalLimit.NONE.of(200_000)).isEqualTo(200_000);
        assertThat(RemovalLimit.parse("100%")).isEqualTo(RemovalLimit.NONE);
    }

    @Test
    void shouldGuardOnlyChangesThatReplaceAllDocuments() {
        List<ChangeType> guarded = List.of(ChangeType.BUCKET_PUT, ChangeType.ROLLBACK);
        for (ChangeType type : ChangeType.values()) {
            assertThat(RemovalLimit.of(type))
                    .isEqualTo(guarded.contains(type) ? RemovalLimit.GUARD : RemovalLimit.NONE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "101%", "10%,10", "10,10", "1.5%", "ten", "10 %", "1234567890", "%"})
    void shouldRejectInvalidLimits(String text) {
        assertThatThrownBy(() -> RemovalLimit.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a number of documents (20)");
    }
}
