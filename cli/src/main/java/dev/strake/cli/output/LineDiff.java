package dev.strake.cli.output;

import com.github.difflib.DiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.AbstractDelta;
import dev.strake.engine.tree.Text;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How two texts differ, line by line, as a unified diff tells it: lines out and in, each with a sign before it, and a few lines
 * around them. The page compares texts in the same way ({@code linediff.js}).
 *
 * <pre>
 * {@code @@ -36,4 +36,4 @@}
 *   set -e
 * - replicas=2
 * + replicas=3
 *   exec server
 * </pre>
 *
 * <p>A line that a terminal would not show as it is (control characters, blanks at its end) stands between quotes, as in YAML.
 */
final class LineDiff {

    /** Lines that stay the same and are shown beside those that do not. */
    private static final int AROUND = 3;

    private static final char SAME = ' ';
    private static final char OUT = '-';
    private static final char IN = '+';

    private final List<String> before;
    private final List<String> after;

    private record Line(char sign, String text) {}

    private LineDiff(String before, String after) {
        this.before = lines(before);
        this.after = lines(after);
    }

    /** Writes the lines that differ. Of equal texts, nothing. */
    static void print(PrintWriter out, String before, String after) {
        new LineDiff(before, after).print(out);
    }

    /* With their ends: whether the last line has one is a difference, too. */
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end + 1;
            lines.add(text.substring(from, to));
            from = to;
        }
        return lines;
    }

    private void print(PrintWriter out) {
        List<Line> all = compared();
        boolean[] shown = shown(all);
        int old = 0;
        int young = 0;
        for (int i = 0; i < all.size(); i++) {
            if (shown[i] && (i == 0 || !shown[i - 1])) {
                printHeading(out, all, shown, i, old, young);
            }
            if (shown[i]) {
                print(out, all.get(i));
            }
            old += all.get(i).sign == IN ? 0 : 1;
            young += all.get(i).sign == OUT ? 0 : 1;
        }
    }

    private static boolean[] shown(List<Line> all) {
        boolean[] shown = new boolean[all.size()];
        for (int i = 0; i < shown.length; i++) {
            if (all.get(i).sign != SAME) {
                Arrays.fill(shown, Math.max(0, i - AROUND), Math.min(shown.length, i + AROUND + 1), true);
            }
        }
        return shown;
    }

    /** @param old how many lines of the text before come before these; {@code young}, of the one after */
    private static void printHeading(PrintWriter out, List<Line> all, boolean[] shown, int from, int old, int young) {
        int to = from;
        int ofOld = 0;
        int ofYoung = 0;
        while (to < shown.length && shown[to]) {
            ofOld += all.get(to).sign == IN ? 0 : 1;
            ofYoung += all.get(to).sign == OUT ? 0 : 1;
            to++;
        }
        out.println("@@ -" + range(old, ofOld) + " +" + range(young, ofYoung) + " @@");
    }

    /* As diff writes it: one line has no count, and none are behind the line before them. */
    private static String range(int before, int lines) {
        return lines == 1 ? String.valueOf(before + 1) : (lines == 0 ? before : before + 1) + "," + lines;
    }

    private static void print(PrintWriter out, Line line) {
        boolean isEnded = line.text.endsWith("\n");
        String text = isEnded ? line.text.substring(0, line.text.length() - 1) : line.text;
        out.println(
                text.isEmpty()
                        ? String.valueOf(line.sign).strip()
                        : line.sign + " " + (isShownAsItIs(text) ? text : quoted(text)));
        if (!isEnded) {
            out.println("\\ No newline at end of text");
        }
    }

    private static boolean isShownAsItIs(String line) {
        return line.charAt(line.length() - 1) != ' '
                && line.chars().allMatch(c -> c == '\t' || !Character.isISOControl(c))
                && !line.endsWith("\t");
    }

    private static String quoted(String line) {
        return YamlOutput.textAlone(new Text(line)).lines().findFirst().orElseThrow();
    }

    private List<Line> compared() {
        List<Line> all = new ArrayList<>();
        List<Line> young = new ArrayList<>();
        int at = 0;
        for (AbstractDelta<String> delta :
                DiffUtils.diff(before, after, new MyersDiffWithLinearSpace<>()).getDeltas()) {
            if (delta.getSource().getPosition() > at) {
                all.addAll(young); // behind all that goes out at one place
                young.clear();
                add(all, SAME, before.subList(at, delta.getSource().getPosition()));
            }
            add(all, OUT, delta.getSource().getLines());
            add(young, IN, delta.getTarget().getLines());
            at = delta.getSource().getPosition() + delta.getSource().size();
        }
        all.addAll(young);
        add(all, SAME, before.subList(at, before.size()));
        return all;
    }

    private static void add(List<Line> all, char sign, List<String> lines) {
        lines.forEach(line -> all.add(new Line(sign, line)));
    }
}
