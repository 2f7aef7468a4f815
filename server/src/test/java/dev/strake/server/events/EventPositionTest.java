package dev.strake.server.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventPositionTest {

    @Test
    void shouldParseItsOwnId() {
        EventPosition place = new EventPosition(-77, new long[] {0, 300, Long.MAX_VALUE}, new long[] {1, 2, 1L << 40});
        EventPosition one = EventPosition.read(place.id(2), 2, 3).orElseThrow();
        assertThat(one.topics()).isEqualTo(-77);
        assertThat(one.outcomes()).containsExactly(0, 0, Long.MAX_VALUE);
        assertThat(one.rendered()).containsExactly(0, 0, 1L << 40);
        assertThat(EventPosition.read(place.id().orElseThrow(), -1, 3)
                        .orElseThrow()
                        .outcomes())
                .containsExactly(0, 300, Long.MAX_VALUE);
    }

    @Test
    void shouldBeInvalidWithAnotherNumberOfPartitions() {
        EventPosition place = new EventPosition(1, new long[3], new long[3]);
        assertThat(EventPosition.read(place.id().orElseThrow(), -1, 4)).isEmpty();
        assertThat(EventPosition.read(place.id().orElseThrow(), -1, 2)).isEmpty();
    }

    @Test
    void shouldHaveNoIdThatIsTooLongForAHeader() {
        assertThat(new EventPosition(1, new long[100], new long[100]).id()).isPresent();
        assertThat(new EventPosition(1, new long[7_000], new long[7_000]).id()).isEmpty();
    }

    @Test
    void shouldRefuseAnInvalidId() {
        EventPosition place = new EventPosition(1, new long[3], new long[3]);
        Random random = new Random(5);
        for (String id : List.of(
                "",
                "!",
                "AQ",
                "1",
                "1.2.3",
                "1.2.3.-4",
                "1.2.3.",
                "1.2.3.zzzzzzzzzzzzzz",
                place.id().orElseThrow())) {
            assertThatThrownBy(() -> EventPosition.read(id, 1, 3)).as(id).hasMessageStartingWith("Last-Event-ID");
        }
        assertThatThrownBy(() -> EventPosition.read(place.id(1), -1, 3)).hasMessageStartingWith("Last-Event-ID");
        for (int i = 0; i < 1_000; i++) {
            String id = Long.toString(random.nextLong(), 36);
            try {
                EventPosition.read(id, i % 2 - 1, 3);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageStartingWith("Last-Event-ID");
            }
        }
    }
}
