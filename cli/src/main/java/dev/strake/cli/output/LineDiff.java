package dev.strake.cli.output;

import dev.strake.engine.tree.Text;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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

    /** Texts that differ in more lines are not matched: what is between the first difference and the last goes out and in. */
    private static final int MOST_EDITS = 1_000;

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
        StringWriter yaml = new StringWriter();
        PrintWriter writer = new PrintWriter(yaml);
        YamlOutput.printAlone(writer, new Text(line));
        writer.flush();
        return yaml.toString().lines().findFirst().orElseThrow();
    }

    private List<Line> compared() {
        int least = Math.min(before.size(), after.size());
        int begin = 0;
        while (begin < least && before.get(begin).equals(after.get(begin))) {
            begin++;
        }
        int end = 0;
        while (end < least - begin && before.get(before.size() - 1 - end).equals(after.get(after.size() - 1 - end))) {
            end++;
        }
        List<Line> all = new ArrayList<>();
        add(all, SAME, before.subList(0, begin));
        all.addAll(matched(before.subList(begin, before.size() - end), after.subList(begin, after.size() - end)));
        add(all, SAME, before.subList(before.size() - end, before.size()));
        return all;
    }

    private static void add(List<Line> all, char sign, List<String> lines) {
        lines.forEach(line -> all.add(new Line(sign, line)));
    }

    /* The fewest lines out and in (Myers: An O(ND) Difference Algorithm). */
    private static List<Line> matched(List<String> old, List<String> young) {
        int most = Math.min(MOST_EDITS, old.size() + young.size());
        int[] furthest = new int[2 * most + 3]; // on each diagonal, from -most - 1 to most + 1
        int zero = most + 1;
        List<int[]> trace = new ArrayList<>();
        for (int edits = 0; edits <= most; edits++) {
            trace.add(Arrays.copyOfRange(furthest, zero - edits - 1, zero + edits + 2));
            for (int k = -edits; k <= edits; k += 2) {
                int x = isDown(furthest, zero, k, edits) ? furthest[zero + k + 1] : furthest[zero + k - 1] + 1;
                while (x < old.size() && x - k < young.size() && old.get(x).equals(young.get(x - k))) {
                    x++;
                }
                furthest[zero + k] = x;
                if (x >= old.size() && x - k >= young.size()) {
                    return back(old, young, trace);
                }
            }
        }
        List<Line> all = new ArrayList<>();
        add(all, OUT, old);
        add(all, IN, young);
        return all;
    }

    private static boolean isDown(int[] furthest, int zero, int k, int edits) {
        return k == -edits || (k != edits && furthest[zero + k - 1] < furthest[zero + k + 1]);
    }

    private static List<Line> back(List<String> old, List<String> young, List<int[]> trace) {
        List<Line> found = new ArrayList<>();
        int x = old.size();
        int y = young.size();
        for (int edits = trace.size() - 1; edits >= 0; edits--) {
            int[] furthest = trace.get(edits);
            int zero = edits + 1;
            int k = x - y;
            boolean isDown = isDown(furthest, zero, k, edits);
            int from = isDown ? k + 1 : k - 1;
            int fromX = edits == 0 ? 0 : furthest[zero + from];
            int fromY = edits == 0 ? 0 : fromX - from;
            while (x > fromX && y > fromY) {
                y--;
                found.add(new Line(SAME, old.get(--x)));
            }
            if (edits > 0) {
                found.add(isDown ? new Line(IN, young.get(--y)) : new Line(OUT, old.get(--x)));
            }
        }
        Collections.reverse(found);
        return found;
    }
}
