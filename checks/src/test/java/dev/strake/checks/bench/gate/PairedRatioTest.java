package dev.strake.checks.bench.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairedRatioTest {

    @Test
    void shouldBeSureByChanceInTenOf1024Cases() {
        // Wilcoxon's table for ten pairs: 5 of the combinations on each side have a rank sum of 3 or less.
        long sure = IntStream.range(0, 1 << 10)
                .mapToObj(signs -> ratio(IntStream.range(0, 10)
                        .mapToDouble(i -> Math.exp((signs >> i & 1) == 0 ? 1 << i : -(1 << i)))
                        .toArray()))
                .filter(ratio -> ratio.low() > 1 || ratio.high() < 1)
                .count();

        assertThat(sure).isEqualTo(10);
    }

    @Test
    void shouldFindASlowdownBehindSharedNoise() {
        double[] machine = {1, 1.9, 1.1, 3, 1.2, 2, 1, 1.5, 1.3, 2.2};
        double[] slower = IntStream.range(0, 10)
                .mapToDouble(i -> machine[i] * (i % 2 == 0 ? 1.06 : 1.09))
                .toArray();

        PairedRatio ratio = PairedRatio.of(slower, machine);

        assertThat(ratio.middle()).isBetween(1.06, 1.09);
        assertThat(ratio.isWorse()).isTrue();
        assertThat(PairedRatio.of(machine, slower).isWorse()).isFalse();
    }

    @Test
    void shouldNotReportSmallOrUncertainDifferences() {
        assertThat(ratio(0.99, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1).isWorse()).isFalse();
        assertThat(ratio(1.04, 1.04, 1.04, 1.04, 1.04, 1.04, 1.04, 1.04).isWorse())
                .isFalse();
    }

    @Test
    void shouldRefuseTooFewPairs() {
        assertThatThrownBy(() -> ratio(1, 1, 1, 1, 1, 1, 1)).hasMessage("7 pairs are too few");
    }

    private static PairedRatio ratio(double... ratios) {
        return PairedRatio.of(ratios, DoubleStream.of(ratios).map(each -> 1).toArray());
    }
}
