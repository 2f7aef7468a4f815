package dev.strake.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The long form, of publishers and HTTP clients who mean ill beside ordinary ones, for {@code -Dstrake.minutes}: nobody
 * else may notice much. {@code -Dstrake.rate} is the number of ordinary changes a second, and {@code -Dstrake.hostile} of
 * salvos of hostile ones, 0 for none; {@code -Dstrake.hostile-clients=false} leaves the clients out. {@code
 * -Dstrake.instances} of the pipeline share the machine with the broker and all the others.
 *
 * <p>Ordinary changes are measured without hostile ones, and beside them. Both begin when the code for both is compiled:
 * after {@code -Dstrake.warm-up} minutes of both.
 */
@Tag("long")
class HostileIT {

    private static final int PER_SECOND = Integer.getInteger("strake.rate", 200);
    private static final int INSTANCES = Integer.getInteger("strake.instances", 2);
    private static final Duration WARM_UP = Duration.ofMinutes(Integer.getInteger("strake.warm-up", 2));
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LARGE = 20_000;

    /** How many times as long as before the slowest of a hundred changes may take. */
    private static final int SLOWER = 3;

    @Test
    void shouldServeOthersBesideHostilePublishersAndClients() {
        try (Run run = Run.besideOthers("hostile")) {
            for (int i = 0; i < INSTANCES; i++) {
                run.add().asShipped().withHeap("1g").set("strake.incomplete-after", "PT1M");
            }
            run.begin(0, PER_SECOND);
            run.followers().leaveInPeace(); // new JVMs would take what others shall have
            run.send(HostileClients.LARGE, HostileValues.many(LARGE));
            try (Hostile others = run.hostile(0, WARM_UP)) {
                run.letWork(WARM_UP.toMillis());
                run.expect(others.awaitEnd(PATIENCE));
            }
            run.awaitCaughtUp(PER_SECOND);
            Instant quiet = Instant.now();
            run.letWork(Math.min(60_000, Run.TIME.toMillis() / 2));
            Instant hostile = Instant.now();
            Instant end;
            String answers;
            Readers readers = new Readers(run.instances());
            try (Hostile others = run.hostile(1, Run.TIME);
                    Readers asking = readers.start(Readers.ordinary())) {
                run.letWork(Run.TIME.toMillis());
                end = Instant.now();
                run.expect(others.awaitEnd(PATIENCE));
                answers = others.line();
                System.out.println("hostile: " + answers + "\nhostile: " + asking);
            }
            Latencies.Sorted before = run.latencies().between(quiet, hostile);
            Latencies.Sorted beside = run.latencies().between(hostile, end);
            System.out.println("hostile, before: " + before + "\nhostile, beside: " + beside);
            run.instances()
                    .forEach(
                            instance -> System.out.println("hostile: " + instance + " " + Usage.of(List.of(instance))));
            SoftAssertions softly = new SoftAssertions();
            softly.assertThat(answers).as("answers").doesNotContain(" 500=");
            softly.assertThat(readers.faults()).isEmpty();
            softly.assertThat(beside.of(990)).as("p99 in ms").isLessThanOrEqualTo(SLOWER * before.of(990));
            softly.assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            for (Instance instance : run.instances()) {
                softly.assertThat(instance.says().lines().filter(line -> line.matches(".*(is replaced| ERROR ).*")))
                        .as("what " + instance + " says")
                        .isEmpty();
                softly.assertThat(instance.says().contains(HostileValues.WORD))
                        .as("whether the log of " + instance + " holds what somebody sent")
                        .isFalse();
            }
            softly.assertThatCode(run::finish).doesNotThrowAnyException();
            softly.assertAll();
        }
    }
}
