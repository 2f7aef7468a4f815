package dev.strake.cli.output;

import dev.strake.cli.terminal.Folding;
import dev.strake.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Prints rows in aligned columns. A row is one line, for programs behind a pipe. On a narrow terminal, omits empty
 * columns and folds cells between words.
 */
public final class Table {

    private static final String GAP = "  ";
    private static final String NOTHING = "-";

    /* The blanks between words. Leading blanks belong to the first word. */
    private static final Pattern BLANKS = Pattern.compile("(?<=\\S) +");

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = List.of(headings);
    }

    /** Adds a row. A null is shown as a dash. */
    public void add(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(cell == null || cell.toString().isEmpty() ? NOTHING : oneLine(cell.toString()));
        }
        rows.add(row);
    }

    /** Sorts the rows by their first cells, then by the next ones. */
    public void sort() {
        for (int i = headings.size() - 1; i >= 0; i--) {
            int column = i;
            rows.sort(Comparator.comparing(row -> row.get(column)));
        }
    }

    /** Sorts the rows by their first cells only. */
    public void sortByFirst() {
        rows.sort(Comparator.comparing(row -> row.get(0)));
    }

    /** Prints headings and rows. Omits columns without values if the terminal is too narrow. */
    public void print(Terminal terminal) {
        Table shown = fits(terminal) ? this : withoutEmptyColumns();
        shown.printAll(terminal);
    }

    private boolean fits(Terminal terminal) {
        List<List<String>> all = new ArrayList<>(rows);
        all.add(headings);
        return width(most(all, String::length)) <= terminal.columns();
    }

    private Table withoutEmptyColumns() {
        int[] filled = IntStream.range(0, headings.size())
                .filter(i -> rows.isEmpty()
                        || rows.stream().anyMatch(row -> !row.get(i).equals(NOTHING)))
                .toArray();
        Table table = new Table(some(headings, filled).toArray(String[]::new));
        rows.forEach(row -> table.rows.add(some(row, filled)));
        return table;
    }

    private static List<String> some(List<String> row, int[] columns) {
        return Arrays.stream(columns).mapToObj(row::get).toList();
    }

    private static int width(int[] columns) {
        return Arrays.stream(columns).sum() + GAP.length() * (columns.length - 1);
    }

    private void printAll(Terminal terminal) {
        List<List<String>> all = new ArrayList<>(rows);
        all.add(headings);
        int[] widths = widths(all, terminal.columns());
        lines(headings, widths, terminal.columns())
                .forEach(line -> terminal.out().println(terminal.bold(line)));
        print(terminal, widths);
    }

    /** Prints the rows without headings. */
    public void printRows(Terminal terminal) {
        print(terminal, widths(rows, terminal.columns()));
    }

    private void print(Terminal terminal, int[] widths) {
        rows.forEach(row -> lines(row, widths, terminal.columns()).forEach(terminal.out()::println));
    }

    /* Narrows the widest columns as far as words allow. If that is not enough, whole lines are folded instead. */
    private int[] widths(List<List<String>> all, int room) {
        int[] wanted = most(all, String::length);
        int[] least = most(all, Table::longestWord);
        int[] widths = wanted.clone();
        for (int over = width(widths) - room; over > 0; over--) {
            int widest = IntStream.range(0, widths.length)
                    .filter(i -> widths[i] > least[i])
                    .reduce((one, other) -> widths[other] > widths[one] ? other : one)
                    .orElse(-1);
            if (widest < 0) {
                return wanted;
            }
            widths[widest]--;
        }
        return widths;
    }

    private int[] most(List<List<String>> all, ToIntFunction<String> size) {
        int[] most = new int[headings.size()];
        for (List<String> row : all) {
            for (int i = 0; i < most.length; i++) {
                most[i] = Math.max(most[i], size.applyAsInt(row.get(i)));
            }
        }
        return most;
    }

    private static int longestWord(String cell) {
        return BLANKS.splitAsStream(cell).mapToInt(String::length).max().orElse(0);
    }

    private static List<String> lines(List<String> row, int[] widths, int room) {
        if (row.size() == 1) {
            return Folding.hanging(row.get(0), room);
        }
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            cells.add(Folding.lines(row.get(i), widths[i], ""));
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < height; i++) {
            StringBuilder line = new StringBuilder();
            for (int j = 0; j < widths.length; j++) {
                String cell = i < cells.get(j).size() ? cells.get(j).get(i) : "";
                line.append(cell).append(" ".repeat(widths[j] - cell.length())).append(GAP);
            }
            lines.addAll(Folding.lines(line.toString().stripTrailing(), room, Folding.INDENT));
        }
        return lines;
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
