package dev.strake.serdes.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkspaceKeyTest {

    private final WorkspaceKey key = new WorkspaceKey();

    @Test
    void shouldReadAndWriteNames() {
        String longest = "Az09._-".repeat(18) + "ab";

        assertThat(longest).hasSize(128);
        assertThat(key.deserialize("t", key.serialize("t", longest))).isEqualTo(longest);
    }

    @Test
    void shouldNotReadARecordWithoutAKey() {
        assertThatThrownBy(() -> key.deserialize("strake.document-changes", (byte[]) null))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("no key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a|b", "a/b", "é", "a\n", "\u0000", "site:a"})
    void shouldNotReadOrWriteOtherNames(String name) {
        assertThatThrownBy(() -> key.deserialize("t", name.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("1 to 128 letters");
        assertThatThrownBy(() -> key.serialize("t", name)).isInstanceOf(SerializationException.class);
    }

    @Test
    void shouldNotReadNamesThatAreTooLong() {
        assertThatThrownBy(() -> key.deserialize("t", "a".repeat(129).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("129 bytes");
    }
}
