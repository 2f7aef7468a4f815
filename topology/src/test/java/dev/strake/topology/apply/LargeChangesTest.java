package dev.strake.topology.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.strake.serdes.change.Payload;
import dev.strake.serdes.text.Limits;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LargeChangesTest {

    /** What a change of 5 MiB may take as trees, once but not twice. */
    private static final long MOST = 400L << 20;

    private final LargeChanges changes = new LargeChanges(Limits.DEFAULT, MOST);
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
        assertThat(begun.await(10, TimeUnit.MINUTES)).isTrue();
        return thread;
    }

    @Test
    void shouldLetALargeChangeWaitForAnother() throws Exception {
        Thread first = largest();
        Thread next = new Thread(() -> changes.work(5L << 20, second::countDown));
        next.start();
        assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
        released.countDown();
        assertThat(second.await(10, TimeUnit.MINUTES)).isTrue();
        first.join();
        next.join();
    }

    @Test
    void shouldCountTheTreesThatAChangeMayBecome() throws Exception {
        LargeChanges roomy = new LargeChanges(new Limits(64L << 20, 1 << 20, 64, 1_000, 1_000, 1_000, 10, 10), MOST);
        long bytes = 30L << 20; // of a thousand keys and values at the most: three of this size find room side by side

        roomy.work(bytes, () -> roomy.work(bytes, () -> roomy.work(bytes, second::countDown)));

        assertThat(second.getCount()).isZero();
    }

    @Test
    void shouldNotTakeBlanksForKeysAndValues() {
        byte[] blanks = new byte[26 << 20]; // as text they are held once or twice; as values they would take 1.3 GB
        Arrays.fill(blanks, (byte) ' ');

        changes.work(Payload.of(blanks), () -> changes.work(Payload.of(blanks), second::countDown));

        assertThat(second.getCount()).isZero();
    }

    @Test
    void shouldCountValuesWhereverTheyStandAmongBlanks() throws Exception {
        byte[] scattered = new byte[26 << 20];
        Arrays.fill(scattered, (byte) ' ');
        for (int i = 63; i < scattered.length; i += 64) {
            scattered[i] = ',';
        }
        Thread third = new Thread(() -> changes.work(Payload.of(scattered), second::countDown));

        changes.work(
                Payload.of(scattered),
                () -> changes.work(Payload.of(scattered), () -> {
                    third.start(); // for three of blanks alone there would be room
                    assertThat(await(second)).isFalse();
                }));

        assertThat(second.await(10, TimeUnit.MINUTES)).isTrue();
        third.join();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(100, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldCountOriginsOfASmallText() throws Exception {
        Thread first = largest();
        Payload payload = Payload.of(new byte[10], new byte[5 << 20]);
        Thread next = new Thread(() -> changes.work(payload, second::countDown));
        next.start();
        assertThat(second.await(100, TimeUnit.MILLISECONDS)).isFalse();
        released.countDown();
        assertThat(second.await(10, TimeUnit.MINUTES)).isTrue();
        first.join();
        next.join();
    }

    @Test
    void shouldNeverLetASmallChangeWait() throws Exception {
        Thread first = largest();
        changes.work(60_000, second::countDown);
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
