package dev.strake.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Prints rows in columns, as wide as their widest cell. On a terminal that is too narrow for that, wide columns become
 * narrower, and their cells go on in the next line. If that is not enough, the last column has a line of its own below
 * the others. A pipe has no width: there a row is a line.
 */
public final class Table {

    private static final String GAP = "  ";

    private static final String NOTHING = "-";

    /** What is shorter is not folded as long as there is another way: times, counts, most names. */
    private static final int SHORT = 20;

    /** No column becomes narrower. */
    private static final int NARROWEST = 10;

    private static final String BELOW = "    ";

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
    public void print(Screen screen) {
        int[] widths = widths(true);
        boolean isBelow = !fit(widths, SHORT, screen.columns()) && widths.length > 1;
        if (isBelow) {
            widths = Arrays.copyOf(widths(true), widths.length - 1);
            fit(widths, NARROWEST, screen.columns());
        }
        List<String> top = lines(widths, headings);
        if (isBelow && rows.stream().anyMatch(Table::hasLast)) {
            top.add(BELOW + last(headings));
        }
        top.forEach(line -> screen.out().println(screen.bold(line)));
        for (List<String> row : rows) {
            lines(widths, row).forEach(screen.out()::println);
            if (isBelow && hasLast(row)) {
                folded(last(row), screen.columns() - BELOW.length())
                        .forEach(line -> screen.out().println(BELOW + line));
            }
        }
    }

    private static boolean hasLast(List<String> row) {
        return !last(row).equals(NOTHING);
    }

    private static String last(List<String> row) {
        return row.get(row.size() - 1);
    }

    /**
     * Prints the rows alone.
     *
     * @param below how many of the last columns go into a line below their row if not all fit: so names and places stay whole
     */
    public void printRows(Screen screen, int below) {
        int[] all = widths(false);
        boolean isWhole = sum(all) <= screen.columns();
        int[] widths = Arrays.copyOf(all, isWhole ? all.length : all.length - below);
        if (!fit(widths, SHORT, screen.columns())) {
            fit(widths, NARROWEST, screen.columns());
        }
        for (List<String> row : rows) {
            lines(widths, row).forEach(screen.out()::println);
            if (widths.length < row.size()) {
                String rest = String.join(GAP, row.subList(widths.length, row.size()));
                String indent = indent(row.get(0)) + BELOW;
                folded(rest, screen.columns() - indent.length())
                        .forEach(line -> screen.out().println(indent + line));
            }
        }
    }

    private static String indent(String cell) {
        return cell.substring(0, cell.length() - cell.stripLeading().length());
    }

    private int[] widths(boolean withHeadings) {
        int[] widths = new int[headings.size()];
        if (withHeadings) {
            measure(widths, headings);
        }
        rows.forEach(row -> measure(widths, row));
        return widths;
    }

    private static void measure(int[] widths, List<String> row) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], row.get(i).length());
        }
    }

    /* Makes the widest columns narrower until all fit; false if they would have to be narrower than they may. */
    private static boolean fit(int[] widths, int narrowest, int columns) {
        long all = sum(widths);
        while (all > columns) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] >= widths[widest] ? i : widest;
            }
            if (widths[widest] <= narrowest) {
                return false;
            }
            widths[widest]--;
            all--;
        }
        return true;
    }

    private static long sum(int[] widths) {
        return Arrays.stream(widths).asLongStream().sum() + (long) GAP.length() * (widths.length - 1);
    }

    private static List<String> lines(int[] widths, List<String> row) {
        List<List<String>> cells = new ArrayList<>();
        int height = 1;
        for (int i = 0; i < widths.length; i++) {
            List<String> folded = folded(row.get(i), widths[i]);
            cells.add(folded);
            height = Math.max(height, folded.size());
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < height; i++) {
            lines.add(line(widths, cells, i));
        }
        return lines;
    }

    private static String line(int[] widths, List<List<String>> cells, int number) {
        StringBuilder line = new StringBuilder();
        int end = 0;
        for (int i = 0; i < widths.length; i++) {
            List<String> cell = cells.get(i);
            String text = number < cell.size() ? cell.get(number) : "";
            line.append(" ".repeat(end - line.length())).append(text);
            end += widths[i] + GAP.length();
        }
        return line.toString().stripTrailing();
    }

    /**
     * A text in lines of some width, or of the narrowest that a column may have. It is folded behind a blank if there is one in
     * the second half of a line, otherwise behind a sign that joins words, otherwise anywhere.
     */
    public static List<String> folded(String text, int columns) {
        int width = Math.max(NARROWEST, columns);
        List<String> parts = new ArrayList<>();
        String rest = text;
        while (rest.length() > width) {
            int blank = lastOf(" ", rest, width);
            int end = blank > 0 ? blank : lastOf("/,-", rest, width);
            end = end > 0 ? end : width;
            parts.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        parts.add(rest);
        return parts;
    }

    /* The end of the last of these signs in the second half of a line; 0 if there is none. */
    private static int lastOf(String signs, String text, int width) {
        for (int i = Math.min(width, text.length() - 1); i > width / 2; i--) {
            if (signs.indexOf(text.charAt(i)) >= 0 && (i < width || text.charAt(i) == ' ')) {
                return i + 1;
            }
        }
        return 0;
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }
}
