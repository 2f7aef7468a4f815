package dev.strake.topology.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.engine.render.Workers;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllProcessorsTest {

    private static final Workers WORKERS = AllProcessors.ON_DOCUMENTS;

    @Test
    void shouldDoEachItemOnceAndReturnResultsInTheirOrder() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            int size = random.nextInt(2_000);
            int slowest = random.nextInt(size + 1);
            AtomicIntegerArray done = new AtomicIntegerArray(size);

            List<Integer> results = WORKERS.each(numbers(size), item -> {
                if (item == slowest) {
                    assertThat(new SplittableRandom(item).ints(50_000).sum()).isNotZero();
                }
                done.incrementAndGet(item);
                return item % 7 == 0 ? null : -item;
            });

            assertThat(results)
                    .isEqualTo(IntStream.range(0, size)
                            .mapToObj(item -> item % 7 == 0 ? null : Integer.valueOf(-item))
                            .toList());
            assertThat(IntStream.range(0, size).map(done::get)).allMatch(times -> times == 1);
        }
    }

    @Test
    void shouldShareWorkWithOtherThreads() {
        CountDownLatch both = new CountDownLatch(Math.min(2, 1 + ForkJoinPool.getCommonPoolParallelism()));

        List<Boolean> met = new AllProcessors(2).each(numbers(2), item -> {
            both.countDown();
            return await(both);
        });

        assertThat(met).containsOnly(true);
    }

    @Test
    void shouldThrowTheExceptionOfTheWork() {
        assertThatThrownBy(() -> WORKERS.each(numbers(1_000), item -> 1 / (item - 700)))
                .isInstanceOf(ArithmeticException.class);
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
