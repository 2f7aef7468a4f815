package dev.strake.topology.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LargeChangesTest {

    private static final long MOST = 64L << 20;

    private final LargeChanges changes = new LargeChanges(MOST);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch second = new CountDownLatch(1);

    private Thread largest() throws InterruptedException {
        Thread thread = new Thread(() -> changes.work(10 * MOST, () -> {
            begun.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }));
        thread.start();
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        return thread;
    }

    @Test
    void shouldLetALargeChangeWaitForAnother() throws Exception {
        Thread first = largest();
        Thread next = new Thread(() -> changes.work(5L << 20, second::countDown));
        next.start();
        assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
        released.countDown();
        assertThat(second.await(1, TimeUnit.MINUTES)).isTrue();
        first.join();
        next.join();
    }

    @Test
    void shouldNeverLetASmallChangeWait() throws Exception {
        Thread first = largest();
        changes.work(1 << 20, second::countDown);
        assertThat(second.getCount()).isZero();
        released.countDown();
        first.join();
    }

    @Test
    void shouldGiveTheTurnOnAfterAFailure() {
        assertThatThrownBy(() -> changes.work(MOST, () -> {
                    throw new IllegalStateException("planted");
                }))
                .isInstanceOf(IllegalStateException.class);
        changes.work(MOST, second::countDown);
        assertThat(second.getCount()).isZero();
    }
}
