package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A steady load for {@code -Dstrake.minutes}, without faults: once history has its full length, the memory and files of
 * instances must not grow. Minutes suffice to judge the heap, stores need hours. The checker's memory grows with the
 * changes, so a run of hours needs a small {@code -Dstrake.rate}.
 */
@Tag("long")
class SoakIT {

    private static final int PER_SECOND = Integer.getInteger("strake.rate", 100);
    private static final int SAMPLES = 30;
    private static final int INSTANCES = 2;
    private static final double GROWTH = 1.15;

    /** Small, so that stores soon reach their final size. */
    private static final int STORE_MEMORY = 12 << 20;

    /** What instances may buffer before they write files: stores do grow until the buffers are full once. */
    private static final double BUFFERS = INSTANCES * 0.6 * STORE_MEMORY;

    @Test
    void shouldNotGrowWithTime() {
        try (Run run = new Run("soak")) {
            for (int i = 0; i < INSTANCES; i++) {
                // Avoids other growth during the test: remembered ids of changes, cached documents.
                run.add()
                        .set("strake.forget-changes-after", "PT1M")
                        .set("strake.cache-bytes", "1000000")
                        .set("strake.store-memory-bytes", Integer.toString(STORE_MEMORY));
            }
            run.begin(0, PER_SECOND);
            List<Usage> usages = new ArrayList<>();
            Instant begin = Instant.now();
            while (usages.size() < SAMPLES) {
                Instant next =
                        begin.plus(Run.TIME.multipliedBy(usages.size() + 1L).dividedBy(SAMPLES));
                run.letWork(Math.max(0, Duration.between(Instant.now(), next).toMillis()));
                Usage usage = Usage.of(run.instances());
                System.out.println(
                        "soak, after " + Duration.between(begin, Instant.now()).toSeconds() + " s: " + usage);
                usages.add(usage);
            }
            run.finish();
            // The first third is for warm-up: history fills up, and the first ids expire.
            Usage middle = Usage.mean(usages.subList(SAMPLES / 3, 2 * SAMPLES / 3));
            Usage end = Usage.mean(usages.subList(2 * SAMPLES / 3, SAMPLES));
            System.out.println("soak, middle: " + middle + "\nsoak, end:    " + end);
            assertThat(end.heap()).as("heap").isLessThan(GROWTH * middle.heap());
            assertThat(end.stores()).as("bytes of stores").isLessThan(GROWTH * middle.stores() + BUFFERS);
            assertThat(end.files()).as("bytes of files").isLessThan(GROWTH * middle.files() + BUFFERS);
        }
    }
}
