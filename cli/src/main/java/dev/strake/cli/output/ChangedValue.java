package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows for people how a value differs: texts of several lines line by line, other values as YAML. {@code -} marks the
 * old value, {@code +} the new one. Cuts long values; YAML and JSON contain all of them.
 */
public final class ChangedValue {

    private static final int MOST_LINES = 40;

    /** Two rows of a terminal. */
    private static final int LONGEST_LINE = 160;

    /** How many characters of the common start of two long lines to show before their difference. */
    private static final int AROUND = 40;

    private ChangedValue() {}

    /**
     * Returns the lines that describe a difference.
     *
     * @param before null if there was no value
     * @param after null if there is no value
     */
    public static List<String> lines(Value before, Value after) {
        if (before instanceof Text old && after instanceof Text young && (isLong(old) || isLong(young))) {
            return cut(LineDiff.of(old.value(), young.value()));
        }
        List<String> old = yaml(before);
        List<String> young = yaml(after);
        if (old.size() == 1 && young.size() == 1) {
            int same = same(old.get(0), young.get(0));
            old = List.of(from(old.get(0), same));
            young = List.of(from(young.get(0), same));
        }
        List<String> lines = new ArrayList<>(cut(signed("-", old)));
        lines.addAll(cut(signed("+", young)));
        return lines;
    }

    /** Adds the colours of a line, if the terminal shows colours. */
    public static String coloured(Terminal terminal, String line) {
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '-' -> terminal.styled("fg(red)", line);
            case '+' -> terminal.styled("fg(green)", line);
            default -> line;
        };
    }

    private static boolean isLong(Text text) {
        return text.value().indexOf('\n') >= 0;
    }

    private static List<String> yaml(Value value) {
        return value == null
                ? List.of()
                : YamlOutput.textAlone(value)
                        .lines()
                        .filter(line -> !line.equals("..."))
                        .toList();
    }

    private static List<String> signed(String sign, List<String> lines) {
        return lines.stream().map(line -> sign + " " + line).toList();
    }

    /* Counts the first characters to omit: both lines begin with them, and at least one line is too long. */
    private static int same(String one, String other) {
        int least = Math.min(one.length(), other.length());
        int same = 0;
        while (same < least && one.charAt(same) == other.charAt(same)) {
            same++;
        }
        int from = same - AROUND;
        return Math.max(one.length(), other.length()) <= LONGEST_LINE || from <= 0 ? 0 : from;
    }

    private static String from(String line, int from) {
        boolean splitsPair = from > 0 && Character.isLowSurrogate(line.charAt(from));
        return from == 0 ? line : "…" + line.substring(splitsPair ? from + 1 : from);
    }

    private static List<String> cut(List<String> lines) {
        List<String> shown = new ArrayList<>();
        lines.stream()
                .limit(MOST_LINES)
                .map(line -> Problem.cut(line, LONGEST_LINE))
                .forEach(shown::add);
        if (lines.size() > MOST_LINES) {
            shown.add("… " + Counted.of(lines.size() - MOST_LINES, "more line") + " (-o yaml has all)");
        }
        return shown;
    }
}
