package dev.strake.checks.bench.gate;

import java.util.Arrays;

/**
 * The ratio of two figures that were measured in pairs: the Hodges-Lehmann estimate with its 99 % interval, from the
 * exact distribution of Wilcoxon's signed ranks. Both are computed from logarithms.
 *
 * <p>The method assumes that ratios scatter symmetrically. They do, because the builds take turns in running first.
 */
record PairedRatio(double low, double middle, double high) {

    /** With fewer pairs, there is no interval of that confidence. */
    static final int FEWEST_PAIRS = 8;

    private static final double MISSED_ON_EACH_SIDE = 0.005;
    private static final double WORSE = 1.05;

    /** Computes the ratio of the values in two lists, paired by index. */
    static PairedRatio of(double[] values, double[] to) {
        int pairs = values.length;
        double[] means = new double[pairs * (pairs + 1) / 2]; // of two ratios each, and of each with itself
        int next = 0;
        for (int i = 0; i < pairs; i++) {
            for (int j = 0; j <= i; j++) {
                means[next++] = (Math.log(values[i] / to[i]) + Math.log(values[j] / to[j])) / 2;
            }
        }
        Arrays.sort(means);
        int outside = outside(pairs);
        return new PairedRatio(
                Math.exp(means[outside - 1]), Math.exp(median(means)), Math.exp(means[means.length - outside]));
    }

    /* How many of the smallest rank sums are together too rare; all 2ⁿ choices of signs are equally likely. */
    private static int outside(int pairs) {
        double[] choices = new double[pairs * (pairs + 1) / 2 + 1];
        choices[0] = 1;
        for (int rank = 1; rank <= pairs; rank++) {
            for (int sum = choices.length - 1; sum >= rank; sum--) {
                choices[sum] += choices[sum - rank];
            }
        }
        double left = MISSED_ON_EACH_SIDE * Math.pow(2, pairs);
        int sums = 0;
        while (left >= choices[sums]) {
            left -= choices[sums++];
        }
        if (sums == 0) {
            throw new IllegalArgumentException("%d pairs are too few".formatted(pairs));
        }
        return sums;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** Whether the ratio is at least 1.05 and surely above 1. Intervals above 1.05 would miss most slowdowns of 6 %. */
    boolean isWorse() {
        return middle >= WORSE && low > 1;
    }
}
