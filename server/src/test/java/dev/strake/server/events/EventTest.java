package dev.strake.server.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.RevisionPart;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import dev.strake.serdes.rendered.SecretHeaders;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTest {

    private static final byte[] VALUE = "{}".getBytes(UTF_8);

    private static Event of(SecretHeaders secrets) {
        RenderedHeaders headers = new RenderedHeaders(
                1,
                "site",
                "b",
                null,
                new RenderedHeaders.Cause("id", "source", "2026-01-01T00:00:00Z", null, null),
                secrets);
        return Event.of(new RevisionPart.Document(
                new RenderedKey("site-a", new DocumentKey("example/Server/v1", "web")),
                headers,
                new ConsumerRecord<>("rendered", 0, 0, new byte[0], VALUE),
                0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"redacted", "references"})
    void shouldCarryADocumentWithHiddenSecrets(String form) {
        Event event = of(new SecretHeaders(List.of("/env/0/value"), form));

        assertThat(event.document()).isEqualTo(VALUE);
        assertThat(new String(event.json(), UTF_8)).contains("\"secret\":true", "\"contentHash\"");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "encrypted")
    void shouldOmitADocumentThatRevealsSecretsAndItsHash(String form) {
        Event event = of(new SecretHeaders(List.of("/env/0/value"), form));

        assertThat(event.document()).isNull();
        assertThat(new String(event.json(), UTF_8)).contains("\"secret\":true").doesNotContain("contentHash");
    }

    @Test
    void shouldCarryADocumentWithoutSecrets() {
        assertThat(of(SecretHeaders.NONE).document()).isEqualTo(VALUE);
    }
}
