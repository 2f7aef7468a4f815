package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Long test: faults of one of three brokers. All brokers have every record, so no record may be lost, and the other two
 * have to be enough to continue.
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

    /* The broker believes to be the leader until it reaches the others again. */
    @Test
    void shouldKeepEveryPromiseWhenABrokerIsIsolated() {
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
     * Clients still reach the broker, which still claims to be leader and coordinator, but cannot write. Kafka's
     * clients may retry it for ever, so progress is not required before it is restored; but no record may be lost.
     */
    @Test
    void shouldLoseNothingWhenABrokerIsCutOffFromTheOtherBrokers() {
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
