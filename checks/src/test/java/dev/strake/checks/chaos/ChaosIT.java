package dev.strake.checks.chaos;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Short test in every build: kills under load, with all promises checked. {@code -Dstrake.seed=N} repeats it. */
class ChaosIT {

    @Test
    void shouldKeepEveryPromiseWhenInstancesAreKilled() {
        try (Run run = new Run("short")) {
            run.begin(3, Run.PER_SECOND);
            run.letWork(500 + run.random().nextInt(1500));
            Instance first = run.oneAtWork();
            Instance second = run.instances().get((run.instances().indexOf(first) + 1) % 3);
            Instant since = Instant.now();
            run.inject(first, first::kill);
            run.inject(second, second::kill);
            first.start();
            run.awaitTakenOver(since);
            run.finish();
        }
    }
}
