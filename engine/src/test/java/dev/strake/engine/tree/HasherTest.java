package dev.strake.engine.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reused between hashes must not show in them. */
class HasherTest {

    private final Hasher hasher = Hasher.ofThread();

    /** Below, at and above the sizes at which the buffer grows, and is not kept any more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4_093, 4_094, 4_095, 8_191, 65_534, 65_535, 200_000, 3})
    void shouldHashTheJsonOfAnySize(int length) {
        Value value = new Text("x".repeat(length));
        assertThat(hasher.json(value, true)).isEqualTo(Hasher.sha256().digest(JsonBytes.sorted(value)));
    }

    @Test
    void shouldTakePiecesForOneText() {
        byte[] whole = "documents".getBytes(StandardCharsets.UTF_8);
        byte[] begin = "docu".getBytes(StandardCharsets.UTF_8);
        byte[] end = "ments".getBytes(StandardCharsets.UTF_8);
        assertThat(hasher.bytes(begin, end)).isEqualTo(Hasher.sha256().digest(whole));
    }

    @Test
    void shouldBeginAnewAfterAFailure() {
        byte[] piece = {1, 2, 3};
        assertThatNullPointerException().isThrownBy(() -> hasher.bytes(piece, null));
        assertThat(hasher.bytes(piece)).isEqualTo(Hasher.sha256().digest(piece));
        assertThatNullPointerException().isThrownBy(() -> hasher.bytes(piece, null));
        Value value = new Text("x");
        assertThat(hasher.json(value, false)).isEqualTo(Hasher.sha256().digest(JsonBytes.of(value)));
    }
}
