package dev.strake.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows under headings, as wide as they need to be. Cut to no width: a pipe has none, and a terminal wraps. */
public final class Table {

    private static final String GAP = "  ";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = List.of(headings);
    }

    /** Adds a row; what is null is shown as a dash. */
    public void add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null || cell.toString().isEmpty() ? "-" : oneLine(cell.toString()));
        }
        rows.add(row);
    }

    /** Orders the rows by their first cells, those with equal ones by the next. */
    public void sort() {
        for (int i = headings.size() - 1; i >= 0; i--) {
            int column = i;
            rows.sort(Comparator.comparing(row -> row.get(column)));
        }
    }

    /**
     * Prints headings and rows.
     *
     * @param style what to do to the line of headings, such as making it bold
     */
    public void print(PrintWriter out, UnaryOperator<String> style) {
        int[] widths = new int[headings.size()];
        measure(widths, headings);
        rows.forEach(row -> measure(widths, row));
        out.println(style.apply(line(widths, headings)));
        rows.forEach(row -> out.println(line(widths, row)));
    }

    /** Prints the rows alone. */
    public void printRows(PrintWriter out) {
        int[] widths = new int[headings.size()];
        rows.forEach(row -> measure(widths, row));
        rows.forEach(row -> out.println(line(widths, row)));
    }

    private static void measure(int[] widths, List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    private static String line(int[] widths, List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i));
            if (i < widths.length - 1) {
                line.append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
            }
        }
        return line.toString();
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
