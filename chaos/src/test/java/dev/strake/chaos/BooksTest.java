package dev.strake.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.chaos.Books.Answer;
import dev.strake.serdes.HeaderNames;
import dev.strake.serdes.change.ChangeEnvelope;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.text.Limits;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class BooksTest {

    private final Books books = new Books(1_000);
    private int offset;

    @Test
    void shouldLeaveOutAPartForWhichThereWasNoRoom() {
        assertThat(part("1/3", true)).isEqualTo(Answer.REJECTED);
        assertThat(part("1/3", false)).isEqualTo(Answer.PENDING);
        assertThat(part("2/3", true)).isEqualTo(Answer.REJECTED);
        assertThat(part("3/3", false)).isEqualTo(Answer.PENDING);
        assertThat(part("2/3", false)).isEqualTo(Answer.UNCHANGED);
    }

    @Test
    void shouldKnowThatThePartWhichCompletesAChangeNeedsNoRoom() {
        assertThat(part("1/2", false)).isEqualTo(Answer.PENDING);
        assertThat(part("2/2", true)).isEqualTo(Answer.UNCHANGED);
    }

    @Test
    void shouldLetATagBeRejectedForLackOfRoomAndForNothingElse() {
        String policy = """
                {schema: deckhand/LayeringPolicy/v1, metadata: {schema: metadata/Control/v1, name: policy},
                 data: {layerOrder: [site]}}
                """;
        assertThat(enter(new RecordHeaders(), policy, false)).isEqualTo(Answer.REVISION);
        Headers tag = new RecordHeaders().add(HeaderNames.CE_TYPE, bytes(ChangeType.TAG.text()));
        assertThat(enter(tag, "{revision: 1, tag: a}", true)).isEqualTo(Answer.REJECTED);
        assertThat(enter(tag, "{revision: 1, tag: a}", false)).isEqualTo(Answer.UNCHANGED);
        assertThat(enter(new RecordHeaders(), policy, true)).isEqualTo(Answer.UNCHANGED);
    }

    private Answer part(String part, boolean forLackOfRoom) {
        Headers headers =
                new RecordHeaders().add(HeaderNames.CE_ID, bytes("in-parts")).add(HeaderNames.PART, bytes(part));
        return enter(headers, "", forLackOfRoom);
    }

    private Answer enter(Headers headers, String body, boolean forLackOfRoom) {
        return books.enter(
                ChangeEnvelope.read("ws", headers, "changes", 0, offset++, 0, Limits.DEFAULT),
                bytes(body),
                forLackOfRoom ? Answer.REJECTED : null,
                forLackOfRoom);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
