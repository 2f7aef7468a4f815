package dev.strake.chaos;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A pipeline with faults against another without, over the same changes: what they publish has to be equal. */
class DeterminismIT {

    private static final long SEED = Long.getLong("strake.seed", System.nanoTime() & 0xFFFFFF);
    private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("strake.minutes", 3));

    @Test
    void shouldPublishTheSameWhetherAnInstanceWasKilledOrNot() {
        try (Run run = Run.withTwin("twins-short", SEED)) {
            run.begin(2, 200);
            run.letWork(500 + run.random().nextInt(1500));
            Instance victim = run.any();
            run.inject(() -> {
                victim.kill();
                victim.start();
            });
            run.finish();
        }
    }

    @Test
    @Tag("long")
    void shouldPublishTheSameWhateverHappenedToInstances() {
        try (Run run = Run.withTwin("twins", SEED)) {
            run.begin(3, 200);
            Instant end = Instant.now().plus(TIME);
            while (Instant.now().isBefore(end)) {
                run.letWork(1_000 + run.random().nextInt(4_000));
                Instance victim = run.any();
                run.inject(() -> trouble(run, victim));
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
