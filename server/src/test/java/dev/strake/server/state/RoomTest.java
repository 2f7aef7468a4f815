package dev.strake.server.state;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RoomTest {

    private final Room room = new Room(1_000);

    @Test
    void shouldRefuseWhatDoesNotFitBesideOthersAndTakeItAlone() {
        room.takeAtOnce(600);
        assertThatThrownBy(() -> room.takeAtOnce(600)).isInstanceOf(Room.FullException.class);
        room.giveBack(600);
        assertThatCode(() -> room.takeAtOnce(5_000)).doesNotThrowAnyException();
    }

    @Test
    void shouldTellWhatNeverFitsFromWhatDoesNotFitNow() {
        room.takeAtOnce(600);
        room.takeMore(0, 400);
        assertThatThrownBy(() -> room.takeMore(400, 400)).isInstanceOf(Room.FullException.class);
        assertThatThrownBy(() -> room.takeMore(800, 400)).isInstanceOf(Room.TooMuchException.class);
    }
}
