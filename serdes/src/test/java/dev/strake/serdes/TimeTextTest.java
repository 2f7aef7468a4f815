package dev.strake.serdes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimeTextTest {

    @Test
    void shouldWriteInstantsInIsoNotation() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            long millis = random.nextInt(3) == 0 ? random.nextLong(200) : random.nextLong();
            assertThat(TimeText.of(millis))
                    .isEqualTo(Instant.ofEpochMilli(millis).toString());
            Instant time = Instant.ofEpochSecond(
                    random.nextLong(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
                    random.nextBoolean() ? random.nextInt(1_000) * 1_000_000L : random.nextInt(1_000_000_000));
            assertThat(TimeText.of(time)).isEqualTo(time.toString());
            Instant near = Instant.ofEpochSecond(random.nextInt(2), random.nextInt(1_000_000_000));
            assertThat(TimeText.of(near)).isEqualTo(near.toString());
        }
    }
}
