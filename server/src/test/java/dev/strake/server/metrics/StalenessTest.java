package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StalenessTest {

    private static final Map<Integer, Double> LEFT = Map.of(3, 17.0);

    private final Staleness staleness = new Staleness();

    @Test
    void shouldCountFromTheFirstSightOfWaitingChanges() {
        assertThat(behind(Map.of(), 1_000)).isZero();
        assertThat(behind(LEFT, 2_000)).isZero();
        assertThat(behind(LEFT, 9_000)).isEqualTo(7_000);
        assertThat(behind(Map.of(), 10_000)).isZero();
        assertThat(behind(LEFT, 11_000)).isZero();
    }

    @Test
    void shouldCountFromTheLastProcessedChangeIfItIsLater() {
        behind(LEFT, 2_000);
        staleness.processed(3, 8_000);
        staleness.processed(4, 9_500);
        assertThat(behind(LEFT, 10_000)).isEqualTo(2_000);
        staleness.closed(3);
        assertThat(behind(LEFT, 10_000)).isEqualTo(8_000);
    }

    @Test
    void shouldIgnoreTheTimeOfAnOldRecordForWaitingChanges() {
        staleness.waiting(LEFT, 2_000);
        staleness.processed(3, 17);
        assertThat(staleness.waiting(LEFT, 2_500)).isEqualTo(500);
        assertThat(staleness.waiting(Map.of(), 3_000)).isZero();
    }

    private long behind(Map<Integer, Double> lags, long now) {
        return staleness
                .find(new WorkspacesHeld(Clock.systemUTC()), List.of(), lags, now)
                .behind();
    }
}
