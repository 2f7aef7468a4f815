package dev.strake.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.server.http.Yielding.Changes;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class YieldingTest {

    private static final long MILLIS = 1_000_000;
    private static final long SECOND = 1_000 * MILLIS;

    private final long now = System.nanoTime();

    @Test
    void shouldNotRestWhileNoChangesWait() {
        Yielding yielding = new Yielding(() -> Changes.NONE, 2);

        assertThat(yielding.rest(10 * MILLIS, 10 * MILLIS, now)).isZero();
    }

    @Test
    void shouldTakeASixteenthOfTheProcessorsWhileChangesWait() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 2);

        assertThat(yielding.rest(10 * MILLIS, 10 * MILLIS, now)).isEqualTo(80 * MILLIS);
        assertThat(new Yielding(() -> Changes.WAIT, 16).rest(10 * MILLIS, 10 * MILLIS, now))
                .isEqualTo(10 * MILLIS);
    }

    @Test
    void shouldCountTheWorkOfAllThreadsTogether() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 2);
        yielding.rest(10 * MILLIS, 10 * MILLIS, now);

        assertThat(yielding.rest(10 * MILLIS, 10 * MILLIS, now)).isEqualTo(160 * MILLIS);
        assertThat(yielding.rest(10 * MILLIS, 10 * MILLIS, now + 120 * MILLIS)).isEqualTo(120 * MILLIS);
    }

    @Test
    void shouldNotRestForLong() {
        assertThat(new Yielding(() -> Changes.WAIT, 2).rest(60 * SECOND, 60 * SECOND, now))
                .isEqualTo(5 * SECOND);
    }

    @Test
    void shouldAskFourTimesASecondWhetherChangesWait() {
        AtomicInteger asked = new AtomicInteger();
        AtomicBoolean wait = new AtomicBoolean(true);
        Yielding yielding = new Yielding(
                () -> {
                    asked.incrementAndGet();
                    return wait.get() ? Changes.WAIT : Changes.NONE;
                },
                2);
        yielding.rest(MILLIS, MILLIS, now);
        wait.set(false);

        assertThat(yielding.rest(MILLIS, MILLIS, now + SECOND / 4 - 1)).isPositive();
        assertThat(asked).hasValue(1);
        assertThat(yielding.rest(MILLIS, MILLIS, now + SECOND / 4)).isZero();
        assertThat(asked).hasValue(2);
    }

    @Test
    void shouldNotRestForChangesUnderWayWhileProcessorsAreFree() {
        Yielding yielding = new Yielding(() -> Changes.UNDER_WAY, 2);

        assertThat(yielding.rest(10 * MILLIS, 40 * MILLIS, now)).isZero();
    }

    @Test
    void shouldRestForChangesUnderWayFromWhenProcessorsAreShortUntilTheyAreFree() {
        Yielding yielding = new Yielding(() -> Changes.UNDER_WAY, 2);
        assertThat(yielding.rest(10 * MILLIS, 41 * MILLIS, now)).isEqualTo(80 * MILLIS);

        assertThat(yielding.rest(10 * MILLIS, 21 * MILLIS, now + SECOND)).isEqualTo(80 * MILLIS);
        assertThat(yielding.rest(10 * MILLIS, 20 * MILLIS, now + 2 * SECOND)).isZero();
    }

    @Test
    void shouldTellFromTheWorkOfAllThreadsWhetherProcessorsAreShort() {
        Yielding yielding = new Yielding(() -> Changes.UNDER_WAY, 2);
        yielding.rest(MILLIS, MILLIS, now);
        yielding.rest(10 * MILLIS, 15 * MILLIS, now + 100 * MILLIS);
        yielding.rest(10 * MILLIS, 100 * MILLIS, now + 200 * MILLIS);

        assertThat(yielding.rest(10 * MILLIS, 10 * MILLIS, now + 300 * MILLIS)).isPositive();
        assertThat(yielding.rest(10 * MILLIS, 10 * MILLIS, now + 600 * MILLIS)).isZero();
    }

    @Test
    void shouldNotRestWhileNoChangesComeHoweverShortProcessorsAre() {
        assertThat(new Yielding(() -> Changes.NONE, 2).rest(10 * MILLIS, SECOND, now))
                .isZero();
    }

    @Test
    void shouldNotTakeWaitingForOthersToBeShortnessOfProcessors() {
        Yielding yielding = new Yielding(() -> Changes.UNDER_WAY, 1);
        yielding.run(() -> {
            Yielding.waits();
            LockSupport.parkNanos(SECOND / 2);
        });

        assertThat(yielding.rest(MILLIS, MILLIS, System.nanoTime())).isZero();
    }

    @Test
    void shouldTakeWorkThatTakesLongToBeShortnessOfProcessors() {
        Yielding yielding = new Yielding(() -> Changes.UNDER_WAY, 1);
        yielding.run(() -> LockSupport.parkNanos(SECOND / 2));

        assertThat(yielding.rest(MILLIS, MILLIS, System.nanoTime())).isPositive();
    }

    @Test
    void shouldLetTheThreadRest() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 1);
        long begin = System.nanoTime();
        long[] worked = new long[1];
        yielding.run(() -> {
            while (System.nanoTime() - begin < 20 * MILLIS) {
                worked[0]++;
            }
        });
        assertThat(worked[0]).isPositive();
        assertThat(yielding.rest(0, 0, System.nanoTime()))
                .as("what is left of the rest")
                .isLessThan(5 * SECOND);
    }

    @Test
    void shouldRestWithinLongWork() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 1);
        long[] rested = new long[1];
        yielding.run(() -> {
            work(20 * MILLIS);
            long before = System.nanoTime();
            Yielding.goOn();
            rested[0] = System.nanoTime() - before;
        });

        assertThat(rested[0]).isGreaterThan(100 * MILLIS);
    }

    @Test
    void shouldBreakOffLongWorkBeyondTheMost() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 1_000);
        yielding.run(() -> {
            goOnForLong();
            inAnother(yielding, () -> {
                goOnForLong();
                assertThatThrownBy(() -> inAnother(yielding, YieldingTest::goOnForLong))
                        .isInstanceOf(Yielding.TooManyException.class);
                inAnother(yielding, Yielding::goOn); // short work has its place
            });
            inAnother(yielding, YieldingTest::goOnForLong); // as there is one less
        });
    }

    @Test
    void shouldCountThreadsThatWaitForLongWorkAsLongOnes() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 1_000);
        yielding.run(() -> {
            Yielding.goOn(); // knows that changes wait
            Yielding.waitsForAnother();
            inAnother(yielding, () -> {
                goOnForLong();
                assertThatThrownBy(() -> inAnother(yielding, Yielding::waitsForAnother))
                        .isInstanceOf(Yielding.TooManyException.class);
            });
        });
    }

    @Test
    void shouldNotBreakOffAnAnswerThatHasBegun() {
        Yielding yielding = new Yielding(() -> Changes.WAIT, 1_000);
        yielding.run(() -> {
            goOnForLong();
            inAnother(yielding, () -> {
                goOnForLong();
                inAnother(yielding, () -> {
                    Yielding.answerBegins();
                    goOnForLong();
                });
            });
        });
    }

    @Test
    void shouldBreakOffNothingWhileNoChangesWait() {
        Yielding yielding = new Yielding(() -> Changes.NONE, 2);
        yielding.run(() -> {
            goOnForLong();
            inAnother(yielding, () -> {
                goOnForLong();
                inAnother(yielding, YieldingTest::goOnForLong);
            });
        });
    }

    private static void goOnForLong() {
        work(110 * MILLIS);
        Yielding.goOn();
    }

    private static void inAnother(Yielding yielding, Runnable work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        new Thread(
                        () -> yielding.run(() -> {
                            try {
                                work.run();
                                done.complete(null);
                            } catch (RuntimeException | AssertionError e) {
                                done.completeExceptionally(e);
                            }
                        }),
                        "another")
                .start();
        try {
            done.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /* So much of this thread's CPU time. */
    private static void work(long nanos) {
        long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + nanos;
        while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldRunOnThreadsThatComeAfterThoseOfChanges() {
        assertThat(priorityIn(new Lane("state", 1, 1, 0, new Yielding(() -> Changes.NONE), List.of())))
                .isEqualTo(Thread.MIN_PRIORITY);
        assertThat(priorityIn(new Lane("health", 1, 1, List.of()))).isEqualTo(Thread.NORM_PRIORITY);
    }

    private static int priorityIn(Lane lane) {
        CompletableFuture<Integer> priority = new CompletableFuture<>();
        lane.run(() -> priority.complete(Thread.currentThread().getPriority()));
        try {
            return priority.orTimeout(10, TimeUnit.SECONDS).join();
        } finally {
            lane.close();
        }
    }
}
