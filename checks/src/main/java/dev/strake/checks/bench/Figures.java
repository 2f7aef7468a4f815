package dev.strake.checks.bench;

import java.io.PrintWriter;
import java.util.Locale;

/** What was measured, as a table: what in words, with the sizes it was measured at, value and unit. */
public final class Figures {

    private final PrintWriter out;

    public Figures(PrintWriter out) {
        this.out = out;
    }

    public void add(String what, double value, String unit) {
        out.printf(Locale.ROOT, "%-74s %14s %s%n", what, number(value), unit);
    }

    /** A figure in relation to another of the same unit. */
    public void addRatio(String what, double value, double to) {
        add(what, value / to, "×");
    }

    /* Four digits say all there is; what is large is said in whole numbers. */
    private static String number(double value) {
        int decimals = Math.abs(value) >= 1_000 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
