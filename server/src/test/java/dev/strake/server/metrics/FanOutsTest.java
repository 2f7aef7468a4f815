package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FanOutsTest {

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();

    private final FanOuts fanOuts = new FanOuts();

    @Test
    void shouldKnowTheLargestOfTheLastHour() {
        assertThat(fanOuts.largest(0)).isZero();
        fanOuts.add(50, MINUTE);
        fanOuts.add(7, 2 * MINUTE);
        fanOuts.add(20, 30 * MINUTE);
        fanOuts.add(3, 40 * MINUTE);
        assertThat(fanOuts.largest(60 * MINUTE)).isEqualTo(50);
        assertThat(fanOuts.largest(62 * MINUTE)).isEqualTo(20);
        assertThat(fanOuts.largest(95 * MINUTE)).isEqualTo(3);
        assertThat(fanOuts.largest(200 * MINUTE)).isZero();
    }
}
