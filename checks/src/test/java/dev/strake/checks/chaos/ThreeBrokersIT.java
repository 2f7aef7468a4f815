package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
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
    void shouldKeepEveryPromiseWhenABrokerIsCutOffFromAll() {
        try (Run run = Run.withThreeBrokers("three-cut-off")) {
            run.begin(2, PER_SECOND);
            for (int id : ThreeBrokers.ids()) {
                run.letWork(2_000);
                Instant since = Instant.now();
                run.injectAll(() -> run.brokers().cutOffFromAll(id));
                run.awaitTakenOver(since);
                run.letWork(10_000);
                run.brokers().mend(id);
                run.brokers().awaitInSync();
            }
            assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            run.finish();
        }
    }

    /*
     * Clients still reach it, and it still answers that it leads and coordinates, though it can write nothing. Kafka's
     * clients may ask it again and again, so nobody need go on before it is mended; but nothing may be lost.
     */
    @Test
    void shouldLoseNothingWhenABrokerIsCutOffFromTheOthersAlone() {
        try (Run run = Run.withThreeBrokers("three-cut-off-from-others")) {
            run.begin(2, PER_SECOND);
            for (int id : ThreeBrokers.ids()) {
                run.letWork(2_000);
                run.injectAll(() -> {
                    run.brokers().cutOff(id);
                    LockSupport.parkNanos(Duration.ofSeconds(15).toNanos());
                    run.brokers().mend(id);
                });
                run.awaitTakenOver(Instant.now());
                run.brokers().awaitInSync();
            }
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
