package dev.strake.checks.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Long test: every known fault, each in a separate run, with all promises checked.
 *
 * <pre>mvn -Pchecks,chaos verify -pl checks -am -Dstrake.seed=… -Dstrake.minutes=…</pre>
 */
@Tag("long")
class FaultsIT {

    @ParameterizedTest
    @ValueSource(strings = {"hold-revision", "hold-document"})
    void shouldKeepEveryPromiseWhenInstancesAreKilledAtRandom(String onProblem) {
        try (Run run = new Run("random-kills-" + onProblem, onProblem)) {
            run.begin(3, Run.PER_SECOND);
            Instant end = Instant.now().plus(Run.TIME);
            while (Instant.now().isBefore(end)) {
                run.letWork(1_000 + run.random().nextInt(4_000));
                Instance victim = run.anyAtWork();
                run.inject(victim, victim::kill);
                victim.start();
            }
            run.finish();
        }
    }

    @ParameterizedTest
    @EnumSource(Failpoint.class)
    void shouldKeepEveryPromiseWhenAnInstanceIsKilledAt(Failpoint failpoint) {
        try (Run run = new Run("kills-" + failpoint)) {
            run.begin(2, Run.PER_SECOND);
            Instance victim = run.add();
            for (int time = 0; time < Run.TIMES; time++) {
                victim.haltingAt(failpoint, 1 + run.random().nextInt(100)).start();
                victim.awaitSays(Failpoint.HALTED + failpoint, Duration.ofMinutes(2));
                run.inject(victim, victim::kill);
            }
            run.finish();
        }
    }

    /* Longer than the session timeout and a transaction: other instances have taken over when it resumes. */
    @Test
    void shouldKeepEveryPromiseWhenInstancesSleep() {
        try (Run run = new Run("pauses")) {
            run.begin(3, Run.PER_SECOND);
            for (int time = 0; time < Run.TIMES; time++) {
                Instance sleeper = run.anyAtWork();
                run.inject(sleeper, () -> {
                    Instant since = Instant.now();
                    sleeper.pause();
                    run.awaitTakenOver(since);
                    run.letWork(3_000 + run.random().nextInt(9_000));
                    sleeper.resume();
                });
                run.letWork(2_000);
                assertThat(sleeper.isRunning()).as("came back: " + sleeper).isTrue();
            }
            run.finish();
        }
    }

    /*
     * Ahead by less than the hour that a broker tolerates, or behind by any time. An instance that is further ahead
     * cannot write, and has to report why.
     */
    @Test
    void shouldKeepEveryPromiseWhenClocksJump() {
        assumeTrue(Clock.canBeSet(), "clocks can be set where libfaketime is (apt-get install faketime)");
        try (Run run = new Run("clocks")) {
            Clock ahead = run.clock("ahead");
            Clock behind = run.clock("behind");
            run.add().with(ahead);
            run.add().with(behind);
            run.add();
            run.begin(0, Run.PER_SECOND);
            for (int time = 0; time < 2 * Run.TIMES; time++) {
                run.letWork(3_000);
                Duration jump = Duration.ofMinutes(1 + run.random().nextInt(50));
                run.inject(run.instances().get(0), () -> ahead.jump(jump));
                run.inject(run.instances().get(1), () -> behind.jump(jump.multipliedBy(-20)));
            }
            assertThat(run.instances()).as("instances that came through").allMatch(Instance::isRunning);
            Clock farAhead = run.clock("far-ahead");
            farAhead.jump(Duration.ofHours(3));
            Instance refused = run.add().with(farAhead);
            refused.start();
            refused.awaitSays("check the clocks of this machine", Duration.ofMinutes(4)); // Kafka tries twice for 30 s
            assertThat(refused.awaitExit()).isNotZero();
            farAhead.jump(Duration.ZERO);
            refused.start();
            refused.awaitReady();
            run.letWork(1_000);
            run.finish();
        }
    }

    @Test
    void shouldKeepEveryPromiseWhenInstancesJoinEverySecond() {
        try (Run run = new Run("joins")) {
            run.begin(2, Run.PER_SECOND);
            for (int time = 0; time < 2 * Run.TIMES; time++) {
                Instance oldest = run.instances().stream()
                        .filter(Instance::isRunning)
                        .findFirst()
                        .orElseThrow();
                run.inject(oldest, () -> {
                    run.add().start();
                    run.letWork(1_000);
                    run.add().start();
                    if (run.random().nextBoolean()) {
                        oldest.kill();
                    } else {
                        oldest.stop();
                    }
                });
                run.instances().stream()
                        .filter(Instance::isRunning)
                        .findFirst()
                        .orElseThrow()
                        .stop();
            }
            run.finish();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTakeOverWithinSeconds(int standbys) {
        try (Run run = new Run("take-over-standbys-" + standbys)) {
            for (int i = 0; i < 3; i++) {
                run.add().with("num.standby.replicas", Integer.toString(standbys));
            }
            run.begin(0, Run.PER_SECOND);
            run.letWork(Run.TIME.toMillis() / 3);
            killByTurns(run, Return.NEVER);
            run.finish();
        }
    }

    /* With the default timeouts: shows how long users wait, which the short timeouts of other runs do not. */
    @ParameterizedTest
    @EnumSource(Return.class)
    void shouldRecoverInTimeWithTheDefaultTimeouts(Return how) {
        try (Run run = new Run("as-shipped-" + how)) {
            for (int i = 0; i < 3; i++) {
                Instance instance = run.add().asShipped();
                if (how == Return.AT_ONCE_UNDER_ITS_NAME) {
                    instance.with("group.instance.id", instance.toString());
                }
            }
            run.begin(0, Run.PER_SECOND);
            killByTurns(run, how);
            run.finish();
        }
    }

    /** Whether a killed instance restarts, with its state folder, before others have taken over. */
    private enum Return {
        NEVER,
        AT_ONCE,
        AT_ONCE_UNDER_ITS_NAME
    }

    private static void killByTurns(Run run, Return how) {
        for (int time = 0; time < Run.TIMES; time++) {
            run.letWork(8_000);
            Instance victim = run.anyAtWork();
            run.inject(victim, () -> {
                Instant since = Instant.now();
                victim.kill();
                if (how != Return.NEVER) {
                    victim.start();
                }
                run.awaitTakenOver(since);
            });
            if (how == Return.NEVER) {
                victim.start();
            }
            victim.awaitReady();
        }
    }
}
