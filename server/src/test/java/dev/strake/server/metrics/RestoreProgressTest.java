package dev.strake.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {

    private static final TopicPartition CHANGELOG = new TopicPartition("strake-rendered-changelog", 3);

    private Clock clock = Clock.fixed(Instant.EPOCH.plusSeconds(100), ZoneOffset.UTC);
    private final RestoreProgress restores = new RestoreProgress(new Clock() {
        @Override
        public java.time.ZoneId getZone() {
            return clock.getZone();
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return clock.withZone(zone);
        }

        @Override
        public Instant instant() {
            return clock.instant();
        }
    });

    @Test
    void shouldSayWhichStoreIsRestoredAndHowLongItWillTake() {
        assertThat(restores.words()).isEmpty();
        restores.onRestoreStart(CHANGELOG, "rendered", 0, 120_000);
        assertThat(restores.words()).contains("store rendered of partition 3: 0 of 120,000 records");
        clock = Clock.offset(clock, Duration.ofSeconds(30));
        restores.onBatchRestored(CHANGELOG, "rendered", 79_999, 1_000);
        assertThat(restores.words())
                .contains("store rendered of partition 3: 80,000 of 120,000 records, about 15 s left");
        assertThat(restores.seconds()).isEqualTo(30);
    }

    @Test
    void shouldNameTheStoreThatHasMostLeft() {
        restores.onRestoreStart(CHANGELOG, "rendered", 0, 10);
        restores.onRestoreStart(CHANGELOG, "documents", 5, 25);
        assertThat(restores.words()).contains("store documents of partition 3: 0 of 20 records");
        restores.onRestoreEnd(CHANGELOG, "documents", 20);
        assertThat(restores.words()).contains("store rendered of partition 3: 0 of 10 records");
        restores.onRestoreEnd(CHANGELOG, "rendered", 10);
        assertThat(restores.words()).isEmpty();
        assertThat(restores.seconds()).isZero();
    }
}
