package dev.strake.cli.output;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import dev.strake.engine.tree.Text;
import dev.strake.serdes.text.YamlOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A unified diff of two texts: removed and added lines with a sign, and a few lines around them. The page compares
 * texts in the same way ({@code linediff.js}).
 *
 * <pre>
 * {@code @@ -36,4 +36,4 @@}
 *   set -e
 * - replicas=2
 * + replicas=3
 *   exec server
 * </pre>
 *
 * <p>Lines with control characters or trailing blanks are quoted as in YAML, because a terminal would not show these.
 */
final class LineDiff {

    /** The number of unchanged lines to show around changed ones. */
    private static final int AROUND = 3;

    private LineDiff() {}

    /** Returns the lines of the diff; none for equal texts. */
    static List<String> of(String before, String after) {
        List<String> old = lines(before);
        Patch<String> patch = merged(DiffUtils.diff(old, lines(after), new MyersDiffWithLinearSpace<>()));
        return UnifiedDiffUtils.generateUnifiedDiff("", "", old, patch, AROUND).stream()
                .skip(2) // the names of the files
                .flatMap(LineDiff::shown)
                .toList();
    }

    /* Splits a text and keeps line breaks: whether the last line has one is a difference, too. */
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

    /* Merges adjacent deltas: the library reports removed and added lines at one place separately, several in turns. */
    private static Patch<String> merged(Patch<String> patch) {
        Patch<String> merged = new Patch<>();
        AbstractDelta<String> last = null;
        for (AbstractDelta<String> delta : patch.getDeltas()) {
            if (last != null
                    && last.getSource().getPosition() + last.getSource().size()
                            == delta.getSource().getPosition()) {
                last = new ChangeDelta<>(
                        both(last.getSource(), delta.getSource()), both(last.getTarget(), delta.getTarget()));
            } else {
                if (last != null) {
                    merged.addDelta(last);
                }
                last = delta;
            }
        }
        if (last != null) {
            merged.addDelta(last);
        }
        return merged;
    }

    private static Chunk<String> both(Chunk<String> first, Chunk<String> second) {
        List<String> lines = new ArrayList<>(first.getLines());
        lines.addAll(second.getLines());
        return new Chunk<>(first.getPosition(), lines);
    }

    private static Stream<String> shown(String line) {
        if (line.startsWith("@@")) {
            return Stream.of(heading(line));
        }
        String sign = line.substring(0, 1);
        boolean isEnded = line.endsWith("\n");
        String text = line.substring(1, line.length() - (isEnded ? 1 : 0));
        String shown = text.isEmpty() ? sign.strip() : sign + " " + (isShownAsItIs(text) ? text : quoted(text));
        return isEnded ? Stream.of(shown) : Stream.of(shown, "\\ No newline at end of text");
    }

    /* As diff writes it: a count of one is omitted, and an empty range has the number of the line before it. */
    private static String heading(String line) {
        return line.replaceAll("([-+])1,0 ", "$10,0 ").replaceAll(",1 ", " ");
    }

    private static boolean isShownAsItIs(String line) {
        return line.charAt(line.length() - 1) != ' '
                && line.chars().allMatch(c -> c == '\t' || !Character.isISOControl(c))
                && !line.endsWith("\t");
    }

    private static String quoted(String line) {
        return YamlOutput.textAlone(new Text(line)).lines().findFirst().orElseThrow();
    }
}
