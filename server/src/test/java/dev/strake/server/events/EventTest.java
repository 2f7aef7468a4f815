package dev.strake.server.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.RevisionPart;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.serdes.rendered.RenderedHeaders;
import dev.strake.serdes.rendered.RenderedKey;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class EventTest {

    @Test
    void shouldHaveTheHashAndTheDataOfADocument() {
        Event event = rendered("{\"x\": 1}", false);
        assertThat(event.kind().text()).isEqualTo("rendered");
        assertThat(event.document()).asString().isEqualTo("{\"x\": 1}");
        assertThat(new String(event.json(), UTF_8))
                .contains("\"secret\":false", RenderedHeaders.contentHash("{\"x\": 1}".getBytes(UTF_8)));
    }

    @Test
    void shouldHaveNeitherDataNorHashOfASecretDocument() {
        Event event = rendered("{\"x\": \"hidden\"}", true);
        assertThat(event.document()).isNull();
        assertThat(new String(event.json(), UTF_8)).contains("\"secret\":true").doesNotContain("contentHash");
    }

    @Test
    void shouldTellThatADocumentIsGone() {
        Event event = rendered(null, false);
        assertThat(event.kind().text()).isEqualTo("removed");
        assertThat(new String(event.json(), UTF_8)).doesNotContain("secret", "contentHash");
    }

    @Test
    void shouldTellHowLongAChangeTook() {
        Event outcome = new Event(Event.Kind.OUTCOME, "a", 3, 10, 100, "{\"revision\":1}".getBytes(UTF_8), null);
        assertThat(outcome.withLatency(40).json()).asString().isEqualTo("{\"revision\":1,\"latencyMillis\":40}");
    }

    private static Event rendered(String value, boolean secret) {
        RenderedKey key = new RenderedKey("a", new DocumentKey("example/Server/v1", "web"));
        RenderedHeaders headers = new RenderedHeaders(
                1, "site", "b", null, new RenderedHeaders.Cause("change-1", null, "now", null, null), secret, null);
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>(
                "rendered",
                3,
                100,
                0L,
                TimestampType.CREATE_TIME,
                0,
                0,
                key.bytes(),
                bytes,
                headers.write(key, bytes == null ? null : RenderedHeaders.contentHash(bytes)),
                Optional.empty());
        return Event.of(new RevisionPart.Document(key, headers, message, 10));
    }
}
