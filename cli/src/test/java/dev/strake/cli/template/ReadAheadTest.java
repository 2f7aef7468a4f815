package dev.strake.cli.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadAheadTest {

    private final ConcurrentLinkedQueue<Integer> read = new ConcurrentLinkedQueue<>();

    @Test
    void shouldReadEachThingOnceWhoeverIsFirst() {
        ReadAhead<Integer, Integer> tree = ahead(10_000);
        tree.begin(1);
        for (int i = 1; i < 1_000; i++) {
            assertThat(tree.get(i)).isEqualTo(-i);
        }
        assertThat(read).doesNotHaveDuplicates();
    }

    @Test
    void shouldNotReadMoreThanAllowedBeforeItIsAskedFor() {
        ReadAhead<Integer, Integer> tree = ahead(10);
        assertThat(tree.get(1)).isEqualTo(-1);
        assertThat(tree.get(500)).isEqualTo(-500);
        for (int i = 1; i < 1_000; i++) {
            tree.get(i);
        }
        assertThat(read).hasSize(999);
    }

    @Test
    void shouldThrowWhatReadingThrewToWhoeverAsks() {
        ReadAhead<Integer, Integer> broken = new ReadAhead<>(
                String::valueOf,
                each -> {
                    throw new IllegalArgumentException("no " + each);
                },
                result -> List.of(),
                10);
        broken.begin(7);
        assertThatThrownBy(() -> broken.get(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no 7");
    }

    @Test
    void shouldReadItselfWhatNobodyElseHasBegun() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        Set<Thread> readers = ConcurrentHashMap.newKeySet();
        ReadAhead<Integer, Integer> slow = new ReadAhead<>(
                String::valueOf,
                each -> {
                    readers.add(Thread.currentThread());
                    if (each == 1) {
                        await(release);
                    }
                    return each;
                },
                result -> List.of(),
                1);
        slow.begin(1);
        assertThat(slow.get(2)).isEqualTo(2);
        assertThat(readers).contains(Thread.currentThread());
        release.countDown();
        assertThat(slow.get(1)).isEqualTo(1);
    }

    private static void await(CountDownLatch release) {
        try {
            assertThat(release.await(10, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /* Each number leads to its double, and to one more than that. */
    private ReadAhead<Integer, Integer> ahead(int most) {
        return new ReadAhead<>(
                String::valueOf,
                each -> {
                    read.add(each);
                    return -each;
                },
                result -> result > -500 ? List.of(-2 * result, -2 * result + 1) : List.of(),
                most);
    }
}
