package dev.strake.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextsInOrderTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, TextsInOrder.AT_ONCE - 1, TextsInOrder.AT_ONCE, TextsInOrder.AT_ONCE + 1, 5_000})
    void shouldPassTextsOnInOrderAndHoldOnlySome(int count) {
        List<Integer> values = IntStream.range(0, count).boxed().toList();
        List<String> passed = new ArrayList<>();
        AtomicInteger held = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        TextsInOrder.of(
                values,
                value -> {
                    most.accumulateAndGet(held.incrementAndGet(), Math::max);
                    return "text " + value;
                },
                text -> {
                    held.decrementAndGet();
                    passed.add(text + " in " + Thread.currentThread().getName());
                });

        String here = Thread.currentThread().getName();
        assertThat(passed)
                .isEqualTo(values.stream()
                        .map(value -> "text " + value + " in " + here)
                        .toList());
        assertThat(most.get()).isLessThanOrEqualTo(TextsInOrder.AT_ONCE);
    }
}
