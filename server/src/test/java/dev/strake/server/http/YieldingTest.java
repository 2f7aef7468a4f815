package dev.strake.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class YieldingTest {

    private static final long MILLIS = 1_000_000;
    private static final long SECOND = 1_000 * MILLIS;

    private final long now = System.nanoTime();

    @Test
    void shouldNotRestWhileNoChangesWait() {
        Yielding yielding = new Yielding(() -> false, 2);

        assertThat(yielding.rest(10 * MILLIS, now)).isZero();
    }

    @Test
    void shouldTakeAnEighthOfTheProcessorsWhileChangesWait() {
        Yielding yielding = new Yielding(() -> true, 2);

        assertThat(yielding.rest(10 * MILLIS, now)).isEqualTo(40 * MILLIS);
        assertThat(new Yielding(() -> true, 8).rest(10 * MILLIS, now)).isEqualTo(10 * MILLIS);
    }

    @Test
    void shouldCountTheWorkOfAllThreadsTogether() {
        Yielding yielding = new Yielding(() -> true, 2);
        yielding.rest(10 * MILLIS, now);

        assertThat(yielding.rest(10 * MILLIS, now)).isEqualTo(80 * MILLIS);
        assertThat(yielding.rest(10 * MILLIS, now + 60 * MILLIS)).isEqualTo(60 * MILLIS);
    }

    @Test
    void shouldNotRestForLong() {
        assertThat(new Yielding(() -> true, 2).rest(60 * SECOND, now)).isEqualTo(5 * SECOND);
    }

    @Test
    void shouldAskOnceASecondWhetherChangesWait() {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean wait = new AtomicBoolean(true);
        Yielding yielding = new Yielding(
                () -> {
                    asked.incrementAndGet();
                    return wait.get();
                },
                2);
        yielding.rest(MILLIS, now);
        wait.set(false);

        assertThat(yielding.rest(MILLIS, now + SECOND - 1)).isPositive();
        assertThat(asked).hasValue(1);
        assertThat(yielding.rest(MILLIS, now + SECOND)).isZero();
        assertThat(asked).hasValue(2);
    }

    @Test
    void shouldLetTheThreadRest() {
        Yielding yielding = new Yielding(() -> true, 1);
        long begin = System.nanoTime();
        long[] worked = new long[1];
        yielding.run(() -> {
            while (System.nanoTime() - begin < 20 * MILLIS) {
                worked[0]++;
            }
        });
        assertThat(worked[0]).isPositive();
        assertThat(yielding.rest(0, System.nanoTime()))
                .as("what is left of the rest")
                .isLessThan(5 * SECOND);
    }
}
