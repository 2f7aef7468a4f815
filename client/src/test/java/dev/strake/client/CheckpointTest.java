package dev.strake.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointTest {

    @Test
    void shouldReadItsOwnCheckpointForAnyNames() throws IOException {
        Checkpoint checkpoint = new Checkpoint(
                "site-a",
                12,
                34,
                new TreeMap<>(Map.of(
                        new DocumentKey("a/B/v1", "plain"), new Digest(1, -2, 3, -4),
                        new DocumentKey("a/B/v1", "line\nfeed\\n|bar\rü\u2028"), Digest.ZERO,
                        new DocumentKey("a/B/v1", ""), new Digest(-1, -1, -1, -1))));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        checkpoint.write(out);
        assertThat(Checkpoint.read(new ByteArrayInputStream(out.toByteArray()))).isEqualTo(checkpoint);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "{}",
                "{\"strake-checkpoint\":1}",
                "{\"strake-checkpoint\":2,\"workspace\":\"ws\",\"rendered\":1,\"outcomes\":2,\"documents\":{}}",
                "{\"strake-checkpoint\":1,\"workspace\":\"ws\",\"rendered\":1,\"outcomes\":2,\"documents\":{\"a|b\":\"zz\"}}"
            })
    void shouldRejectInvalidCheckpoints(String text) {
        assertThatThrownBy(() -> Checkpoint.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(IOException.class);
    }
}
