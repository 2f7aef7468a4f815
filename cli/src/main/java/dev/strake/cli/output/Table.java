package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Prints rows in columns, as wide as their widest cell. A row is a line, also where a terminal has to wrap it. */
public final class Table {

    private static final String GAP = "  ";
    private static final String NOTHING = "-";

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = List.of(headings);
    }

    /** Adds a row; what is null is shown as a dash. */
    public void add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null || cell.toString().isEmpty() ? NOTHING : oneLine(cell.toString()));
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

    /** Orders the rows by their first cells alone. */
    public void sortByFirst() {
        rows.sort(Comparator.comparing(row -> row.get(0)));
    }

    /** Prints headings and rows. */
    public void print(Terminal terminal) {
        List<List<String>> all = new ArrayList<>(rows);
        all.add(headings);
        int[] widths = widths(all);
        terminal.out().println(terminal.bold(line(widths, headings)));
        rows.forEach(row -> terminal.out().println(line(widths, row)));
    }

    /** Prints the rows alone. */
    public void printRows(Terminal terminal) {
        int[] widths = widths(rows);
        rows.forEach(row -> terminal.out().println(line(widths, row)));
    }

    private int[] widths(List<List<String>> all) {
        int[] widths = new int[headings.size()];
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return widths;
    }

    private static String line(int[] widths, List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
