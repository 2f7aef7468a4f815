package dev.strake.cli.question;

import dev.strake.cli.output.AnswerFields;
import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.output.SelectedParts;
import dev.strake.cli.output.Table;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.problem.ProblemCount;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.change.ChangeType;
import dev.strake.serdes.outcome.Outcome;
import dev.strake.serdes.outcome.ProblemJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The lists of {@code strake get} as tables with the most useful columns. YAML and JSON contain everything. */
public final class ListTable {

    private ListTable() {}

    /** A heading, and how to get a cell below it. */
    private record Column(String heading, Function<Value, Object> cell) {}

    public static Table of(GetCommand.Kind kind, Iterable<Value> items) {
        List<Column> columns = columns(kind);
        Table table = new Table(columns.stream().map(Column::heading).toArray(String[]::new));
        if (kind == GetCommand.Kind.PROBLEMS) {
            addCauses(table, items);
            return table;
        }
        items.forEach(item -> table.add(
                columns.stream().map(column -> column.cell().apply(item)).toArray()));
        if (kind.isOfDocuments()) {
            table.sort(); // the stores list shorter names first
        }
        return table;
    }

    /* Adds each problem to solve, and below it since when it is there and how much waits for the solution. */
    private static void addCauses(Table table, Iterable<Value> items) {
        Map<Problem, MapValue> problems = new LinkedHashMap<>();
        items.forEach(item -> problems.put(ProblemJson.read(item), (MapValue) item));
        for (ProblemCause cause : ProblemJson.readCauses(List.copyOf(problems.values()))) {
            MapValue problem = problems.get(cause.problem());
            table.add(ProblemReport.describe(problem));
            if (problem.get("begun") instanceof MapValue begun) {
                table.add("  " + since(begun));
            }
            cause.describeWaiting().ifPresent(waiting -> table.add("  " + waiting));
        }
    }

    private static String since(MapValue begun) {
        String who = AnswerFields.text(begun, begun.get("principal") == null ? "author" : "principal");
        return "since revision %s of %s: %s%s"
                .formatted(
                        AnswerFields.text(begun, "revision"),
                        time(begun),
                        change(begun),
                        who.isEmpty() ? "" : ", by " + who);
    }

    private static List<Column> columns(GetCommand.Kind kind) {
        return switch (kind) {
            case DOCUMENTS ->
                List.of(
                        column("SCHEMA", "document", "schema"),
                        column("LAYER", "document", "metadata", "layeringDefinition", "layer"),
                        column("NAME", "document", "metadata", "name"),
                        column("BUCKET", "bucket"));
            case RENDERED ->
                List.of(
                        column("SCHEMA", "schema"),
                        column("NAME", "metadata", "name"),
                        column("LAYER", "metadata", "layeringDefinition", "layer"));
            case REVISIONS ->
                List.of(
                        column("REV", "revision"),
                        new Column("TIME", ListTable::time),
                        column("STATUS", "status"),
                        new Column("CHANGE", ListTable::change),
                        new Column("DOCUMENTS", ListTable::edits),
                        column("EMITTED", "emitted"),
                        new Column("TAGS", ListTable::tags),
                        column("PRINCIPAL", "principal"),
                        column("AUTHOR", "author"),
                        new Column("MESSAGE", ListTable::message));
            case TAGS ->
                List.of(
                        column("TAG", "tag"),
                        column("REVISION", "revision"),
                        new Column("REVISION OF", ListTable::time),
                        new Column("DATA", ListTable::pairs));
            case PROBLEMS -> List.of(new Column("PROBLEM", item -> ProblemReport.describe((MapValue) item)));
            case BUCKETS -> List.of(column("BUCKET", "bucket"), column("DOCUMENTS", "documents"));
            case WORKSPACES ->
                List.of(
                        column("WORKSPACE", "workspace"),
                        column("REVISION", "revision"),
                        column("STATUS", "status"),
                        column("DOCUMENTS", "documents"),
                        column("RENDERED", "rendered"),
                        new Column("CHANGED", ListTable::time));
            case OUTCOMES ->
                List.of(
                        new Column("TIME", ListTable::time),
                        column("STATUS", "status"),
                        column("REVISION", "revision"),
                        new Column("DOCUMENTS", ListTable::edits),
                        column("EMITTED", "emitted"),
                        new Column("PROBLEMS", ListTable::problems),
                        column("CHANGE", "changeId"));
        };
    }

    private static Column column(String heading, String... path) {
        return new Column(heading, item -> AnswerFields.text(item, path));
    }

    private static String tags(Value item) {
        return AnswerFields.at(item, "tags") instanceof MapValue tags ? String.join(",", tags.keys()) : "";
    }

    private static String problems(Value item) {
        List<Value> listed = ((MapValue) item).items("problems");
        String plus = listed.size() < Outcome.MOST_PROBLEMS ? "" : "+";
        ProblemCount count = ProblemJson.count(listed);
        String problems = count.problems() == 0 ? "" : Integer.toString(count.problems());
        if (count.waiting() == 0) {
            return problems + (problems.isEmpty() ? "" : plus);
        }
        // The list is cut in order of identity, so it may lack the problem for which the others wait.
        return problems + (problems.isEmpty() ? "" : ", ") + count.waiting() + plus + " wait";
    }

    /* Returns how many documents a change added, changed and removed. */
    private static String edits(Value item) {
        return "+%s ~%s -%s"
                .formatted(
                        AnswerFields.text(item, "documents", "added"),
                        AnswerFields.text(item, "documents", "changed"),
                        AnswerFields.text(item, "documents", "removed"));
    }

    /* Describes a change in the words of the commands. */
    private static String change(Value item) {
        String bucket = AnswerFields.text(item, "bucket");
        String type = AnswerFields.text(item, "type");
        return ChangeType.of(type)
                .map(known -> switch (known) {
                    case BUCKET_PUT -> "publish " + bucket;
                    case DOCUMENTS_PUT -> "add to " + bucket;
                    case DOCUMENTS_DELETE -> "delete from " + bucket;
                    case ROLLBACK -> "rollback to " + AnswerFields.text(item, "restored");
                    case WORKSPACE_DELETE -> "delete all";
                    case TAG, UNTAG, VALIDATION_PUT -> type; // create no revision
                })
                .orElse(type);
    }

    private static String message(Value item) {
        return AnswerFields.text(item, "message").lines().findFirst().orElse("");
    }

    private static String pairs(Value tag) {
        return AnswerFields.at(tag, "data") instanceof MapValue data
                ? data.keys().stream()
                        .map(key -> key + "=" + SelectedParts.text(data.get(key)))
                        .collect(Collectors.joining(" "))
                : "";
    }

    /* Returns a time in seconds, which is enough to find a change and leaves room for other columns. */
    private static String time(Value item) {
        String time = AnswerFields.text(item, "time");
        int point = time.indexOf('.');
        return point < 0 ? time : time.substring(0, point) + "Z";
    }
}
