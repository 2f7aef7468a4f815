package dev.strake.cli.output;

import dev.strake.cli.terminal.Terminal;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.ProblemJson;
import dev.strake.serdes.text.YamlOutput;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes a plan in the form of {@code PreviewJson}, for people and for reviews. */
public final class PreviewOutput {

    /** The forms. */
    public enum Format {
        TABLE,
        DIFF,
        JSON,
        YAML,
        MARKDOWN,
        SARIF;

        @Override
        public String toString() {
            return Lower.name(this);
        }
    }

    /** The limit of GitHub and GitLab for a comment, less some room for other text. */
    private static final int LONGEST_COMMENT = 60_000;

    /** The maximum length of problems in a comment, so that there is room for differences. */
    private static final int LONGEST_PROBLEMS = 30_000;

    /** How many of the problems that stay are shown. */
    private static final int MOST_STAYING = 3;

    private final Terminal terminal;
    private final PrintWriter out;

    public PreviewOutput(Terminal terminal) {
        this.terminal = terminal;
        this.out = terminal.out();
    }

    public void print(MapValue preview, Format format) {
        switch (format) {
            case JSON -> JsonOutput.printLine(out, preview);
            case YAML -> YamlOutput.print(out, preview);
            case MARKDOWN -> markdown(preview);
            case SARIF -> {
                Set<Problem> errors = new LinkedHashSet<>(read(preview, "appearing"));
                errors.addAll(read(preview, "problems")); // including those that stay
                new ProblemReport(List.copyOf(errors), read(preview, "warnings")).printSarif(out);
            }
            case TABLE -> {
                terminal.print(summary(preview));
                table(preview.items("differences"));
                unlisted(preview);
                waiting(preview);
                table(preview.items("waiting"));
                problems(preview);
            }
            case DIFF -> {
                terminal.print(summary(preview));
                for (Value difference : preview.items("differences")) {
                    diff(terminal, (MapValue) difference);
                }
                unlisted(preview);
                waiting(preview);
                for (Value difference : preview.items("waiting")) {
                    diff(terminal, (MapValue) difference);
                }
                problems(preview);
            }
        }
    }

    private void waiting(MapValue preview) {
        int waiting = preview.items("waiting").size();
        if (waiting > 0) {
            terminal.print(waitingText(waiting) + ":");
        }
    }

    private static String waitingText(int waiting) {
        return waiting == 1
                ? "1 rendered document would change, but waits until all documents render"
                : waiting + " rendered documents would change, but wait until all documents render";
    }

    /** Returns a line with the counts. */
    private static String summary(MapValue preview) {
        long all = number(preview, "rendered") + number(preview, "removed"); // before the change or after it
        String removals = preview.has("removals")
                ? ";\npublish would ask first, or require --yes: " + preview.text("removals")
                : "";
        return "%d of %s would change; %d affected, %d evaluated%s%s%s"
                .formatted(
                        differing(preview),
                        Counted.of(all, "rendered document"),
                        number(preview, "affected"),
                        number(preview, "evaluated"),
                        ", " + number(preview, "cutOff") + " cut off",
                        fate(preview),
                        removals);
    }

    private static String fate(MapValue preview) {
        return switch (preview.text("wouldBe")) {
            case "failed" -> ";\nthe revision would fail, and consumers keep what they have";
            case "unchanged" -> !staying(preview).isZero() ? ";\nexisting problems would remain" : "";
            default -> "";
        };
    }

    /** How many rendered documents would differ. The plan may list fewer. */
    public static long differing(MapValue preview) {
        return number(preview, "emitted") + number(preview, "removed");
    }

    /* An outcome lists a limited number of documents. */
    private void unlisted(MapValue preview) {
        long more = differing(preview) - preview.items("differences").size();
        if (more > 0) {
            terminal.print("… and " + Counted.of(more, "more document"));
        }
    }

    private void table(List<Value> differences) {
        if (differences.isEmpty()) {
            return;
        }
        Table table = new Table("DIFFERENCE", "SCHEMA", "NAME", "PLACES");
        for (Value each : differences) {
            MapValue difference = (MapValue) each;
            table.add(
                    difference.text("difference"),
                    difference.text("schema"),
                    difference.text("name"),
                    difference.has("changes") ? difference.items("changes").size() : "-");
        }
        table.print(terminal);
    }

    /** Describes a difference: in two words if the document exists in both revisions, but one could not render it. */
    static String difference(MapValue item) {
        String difference = item.text("difference");
        if (!item.has("problem")) {
            return difference;
        }
        return difference.equals("deleted") ? "not rendered" : "rendered again";
    }

    /** Prints a difference for people: the name of the document, and for each place the old and the new value. */
    static void diff(Terminal terminal, MapValue difference) {
        List<String> lines = lines(difference);
        terminal.print(terminal.bold(lines.get(0)));
        lines.stream().skip(1).forEach(line -> terminal.print(ChangedValue.coloured(terminal, line)));
    }

    private static List<String> lines(MapValue difference) {
        List<String> lines = new ArrayList<>();
        lines.add("%s %s/%s".formatted(difference(difference), difference.text("schema"), difference.text("name")));
        if (difference.has("problem")) {
            String when = difference.text("difference").equals("created") ? "before: " : "";
            lines.add("! " + when + ProblemJson.read(difference.get("problem")).describe());
        } else if (!difference.has("changes")) {
            lines.add("@ not compared");
        }
        for (Value each : difference.items("changes")) {
            MapValue change = (MapValue) each;
            lines.add("@ " + change.text("path"));
            lines.addAll(ChangedValue.lines(change.get("before"), change.get("after")));
        }
        return lines;
    }

    private static List<Problem> read(MapValue preview, String list) {
        return ProblemCause.once(
                preview.items(list).stream().map(ProblemJson::read).toList());
    }

    private static boolean isRejected(MapValue preview) {
        return preview.text("wouldBe").equals("rejected");
    }

    private void problems(MapValue preview) {
        if (isRejected(preview)) {
            problems(preview, "problems", "would be rejected: ");
        }
        problems(preview, "appearing", "would appear: ");
        problems(preview, "vanishing", "would vanish: ");
        List<String> staying = describeStaying(preview);
        staying.stream().limit(1).forEach(terminal::print);
        staying.stream().skip(1).forEach(each -> terminal.print("  " + each));
    }

    /** Counts the problems that exist already and would stay. */
    public static ProblemCount staying(MapValue preview) {
        if (!(preview.get("problemCounts") instanceof MapValue counts)) {
            return new ProblemCount(0, 0);
        }
        MapValue staying = (MapValue) counts.get("staying");
        return new ProblemCount((int) number(staying, "problems"), (int) number(staying, "waiting"));
    }

    /* The head has these problems, too. So this shows only their number and the first ones. */
    private static List<String> describeStaying(MapValue preview) {
        ProblemCount count = staying(preview);
        if (count.isZero()) {
            return List.of();
        }
        List<Problem> appearing = read(preview, "appearing");
        List<String> lines = new ArrayList<>();
        lines.add("would stay: " + count.describe());
        ProblemJson.readCauses(preview.items("problems")).stream()
                .map(ProblemCause::problem)
                .filter(each -> !appearing.contains(each))
                .limit(Math.min(MOST_STAYING, count.problems()))
                .forEach(each -> lines.add(each.describe()));
        return lines;
    }

    private void problems(MapValue preview, String list, String prefix) {
        for (ProblemCause cause : ProblemJson.readCauses(preview.items(list))) {
            terminal.print(prefix + cause.problem().describe());
            cause.describeWaiting().ifPresent(waiting -> terminal.print("  " + waiting));
        }
    }

    /* Counts what does not fit into a comment instead of printing it. */
    private void markdown(MapValue preview) {
        StringBuilder text = new StringBuilder("**" + summary(preview) + "**\n");
        List<String> problems = new ArrayList<>();
        if (isRejected(preview)) {
            addCauses(problems, preview, "problems", ":x: would be rejected: ");
        }
        addCauses(problems, preview, "appearing", ":x: ");
        addCauses(problems, preview, "vanishing", ":white_check_mark: gone: ");
        problems.addAll(describeStaying(preview));
        List<String> lines =
                problems.stream().map(each -> "\n- " + inline(each)).toList();
        appendLeft(text, lines.size() - appendFitting(text, lines, LONGEST_PROBLEMS), "problem");
        appendSections(text, preview.items("differences"), differing(preview));
        List<Value> waiting = preview.items("waiting");
        if (waiting.size() > 0) {
            text.append("\n\n").append(waitingText(waiting.size())).append(':');
            appendSections(text, waiting, waiting.size());
        }
        out.println(text);
    }

    private static void addCauses(List<String> problems, MapValue preview, String list, String prefix) {
        for (ProblemCause cause : ProblemJson.readCauses(preview.items(list))) {
            String waiting = cause.describeWaiting().map(text -> ", " + text).orElse("");
            problems.add(prefix + cause.problem().describe() + waiting);
        }
    }

    /**
     * Appends a folded section for each document that differs, as far as they fit into a comment.
     *
     * @param all the number of documents that differ, listed or not
     */
    static void appendSections(StringBuilder text, List<Value> differences, long all) {
        List<MapValue> documents =
                differences.stream().map(MapValue.class::cast).toList();
        Iterable<String> sections =
                () -> documents.stream().map(PreviewOutput::section).iterator();
        appendLeft(text, all - appendFitting(text, sections, LONGEST_COMMENT), "document");
    }

    /* Skips a part that is too long for the remaining room, and appends shorter ones after it. */
    private static int appendFitting(StringBuilder text, Iterable<String> parts, int longest) {
        int shown = 0;
        for (String part : parts) {
            if (text.length() + part.length() <= longest) {
                text.append(part);
                shown++;
            }
        }
        return shown;
    }

    private static void appendLeft(StringBuilder text, long left, String what) {
        if (left > 0) {
            text.append("\n\n… and ")
                    .append(left == 1 ? "1 more " + what + ", which does" : left + " more " + what + "s, which do")
                    .append(" not fit into a comment.");
        }
    }

    private static String section(MapValue difference) {
        String lines = "# " + String.join("\n", lines(difference)) + "\n";
        String fence = "```";
        while (lines.contains(fence)) {
            fence += "`";
        }
        return "\n\n<details><summary>%s <code>%s/%s</code></summary>\n\n%sdiff\n%s%s\n\n</details>"
                .formatted(
                        difference(difference),
                        inline(difference.text("schema")),
                        inline(difference.text("name")),
                        fence,
                        lines,
                        fence);
    }

    private static String inline(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replaceAll("\\p{Cntrl}", " ");
    }

    private static long number(MapValue of, String name) {
        return Long.parseLong(((Num) of.get(name)).literal());
    }
}
