package dev.strake.checks.chaos;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares a pipeline with faults to one without, over the same changes: they must publish the same. */
class DeterminismIT {

    @Test
    void shouldPublishTheSameWithAndWithoutAKilledInstance() {
        try (Run run = Run.withTwin("twins-short")) {
            run.begin(2, Run.PER_SECOND);
            run.letWork(500 + run.random().nextInt(1500));
            Instance victim = run.anyAtWork();
            run.inject(victim, () -> {
                victim.kill();
                victim.start();
            });
            run.finish();
        }
    }

    @Test
    @Tag("long")
    void shouldPublishTheSameAfterEveryFault() {
        try (Run run = Run.withTwin("twins")) {
            run.begin(3, Run.PER_SECOND);
            Instant end = Instant.now().plus(Run.TIME);
            while (Instant.now().isBefore(end)) {
                run.letWork(1_000 + run.random().nextInt(4_000));
                Instance victim = run.anyAtWork();
                run.inject(victim, () -> trouble(run, victim));
            }
            run.finish();
        }
    }

    private static void trouble(Run run, Instance victim) {
        switch (run.random().nextInt(4)) {
            case 0 -> {
                victim.stop();
                victim.start();
            }
            case 1 -> {
                victim.kill();
                Run.delete(victim.state());
                victim.start();
            }
            case 2 -> {
                Instant since = Instant.now();
                victim.pause();
                run.awaitTakenOver(since);
                victim.resume();
            }
            default -> {
                victim.kill();
                victim.start();
            }
        }
    }
}
