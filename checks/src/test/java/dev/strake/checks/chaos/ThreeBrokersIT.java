package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The long form, of what happens to one of three brokers. Every record is on all of them, so nothing may be lost, and the
 * two that are left have to be enough to go on.
 */
@Tag("long")
class ThreeBrokersIT {

    private static final int PER_SECOND = Run.PER_SECOND / 2;

    @Test
    void shouldKeepEveryPromiseWhenEachBrokerIsKilledInTurn() {
        try (Run run = Run.withThreeBrokers("three-killed")) {
            run.begin(2, PER_SECOND);
            for (int id : ThreeBrokers.ids()) {
                run.letWork(2_000);
                Instant since = Instant.now();
                run.injectAll(() -> run.brokers().kill(id));
                run.awaitTakenOver(since);
                run.brokers().start(id);
                run.brokers().awaitInSync();
            }
            assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            run.finish();
        }
    }

    /* It goes on to believe that it leads, until it hears of the others again. */
    @Test
    void shouldKeepEveryPromiseWhenABrokerStopsToAnswer() {
        try (Run run = Run.withThreeBrokers("three-paused")) {
            run.begin(2, PER_SECOND);
            for (int id : ThreeBrokers.ids()) {
                run.letWork(2_000);
                Instant since = Instant.now();
                run.injectAll(() -> run.brokers().pause(id));
                run.awaitTakenOver(since);
                run.letWork(10_000);
                run.brokers().resume(id);
                run.brokers().awaitInSync();
            }
            assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            run.finish();
        }
    }

    @Test
    void shouldKeepEveryPromiseWhenBrokersAndInstancesAreRestartedInTurn() {
        try (Run run = Run.withThreeBrokers("three-rolling")) {
            run.begin(3, PER_SECOND);
            for (int id : ThreeBrokers.ids()) {
                run.letWork(2_000);
                Instance instance = run.instances().get(id - 1);
                Instant since = Instant.now();
                run.injectAll(() -> {
                    run.brokers().stop(id);
                    instance.stop();
                    run.brokers().start(id);
                    instance.start();
                });
                run.awaitTakenOver(since);
                instance.awaitReady();
                run.brokers().awaitInSync();
            }
            run.finish();
        }
    }
}
