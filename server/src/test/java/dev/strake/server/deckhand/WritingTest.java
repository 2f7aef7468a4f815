package dev.strake.server.deckhand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.client.NewChange;
import dev.strake.server.http.Response;
import org.junit.jupiter.api.Test;

class WritingTest {

    @Test
    void shouldAskToRetryALateChange() {
        Response answer = Writing.late(NewChange.rollback("w", "id", 1)).instead();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.headers()).containsEntry("Retry-After", "5");
    }
}
