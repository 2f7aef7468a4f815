package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Long test: broker faults while several instances are working. */
@Tag("long")
class BrokerFaultsIT {

    @Test
    void shouldKeepEveryPromiseWhenTheBrokerGoesAndComesBack() {
        try (Run run = new Run("broker")) {
            run.begin(3, Run.PER_SECOND);
            for (int time = 0; time < Run.TIMES; time++) {
                run.letWork(2_000);
                Instant since = Instant.now();
                int away = time == 0 ? 60 : 1 + run.random().nextInt(15);
                run.injectAll(() -> {
                    run.broker().stop();
                    pause(Duration.ofSeconds(away));
                    run.broker().start();
                });
                run.awaitTakenOver(since);
                assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            }
            run.finish();
        }
    }

    /* The operating system still writes data that the broker had not flushed, unlike after a power cut. */
    @Test
    void shouldKeepEveryPromiseWhenTheBrokerIsKilled() {
        try (Run run = new Run("broker-killed")) {
            run.begin(3, Run.PER_SECOND);
            for (int time = 0; time < 2 * Run.TIMES; time++) {
                run.letWork(1_000 + run.random().nextInt(4_000));
                Instant since = Instant.now();
                int away = run.random().nextInt(12);
                boolean withAnInstance = time % 2 == 1;
                Instance victim = run.any();
                run.injectAll(() -> {
                    run.broker().kill();
                    if (withAnInstance) {
                        victim.kill();
                    }
                    pause(Duration.ofSeconds(away));
                    run.broker().start();
                });
                if (withAnInstance) {
                    victim.start();
                }
                run.awaitTakenOver(since);
                assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            }
            run.finish();
        }
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
