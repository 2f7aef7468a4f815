package dev.strake.cli.question;

import dev.strake.cli.output.AnswerFields;
import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.output.SelectedParts;
import dev.strake.cli.output.Table;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;

/** The lists of {@code strake get} as tables: what people look for. All that there is comes as YAML and JSON. */
public final class ListTable {

    private ListTable() {}

    public static Table of(GetCommand.Kind kind, Iterable<Value> items) {
        Table table = new Table(
                switch (kind) {
                    case DOCUMENTS -> new String[] {"SCHEMA", "LAYER", "NAME", "BUCKET"};
                    case RENDERED -> new String[] {"SCHEMA", "NAME", "LAYER"};
                    case REVISIONS ->
                        new String[] {"REVISION", "TIME", "STATUS", "BUCKET", "DOCUMENTS", "EMITTED", "TAGS", "MESSAGE"
                        };
                    case TAGS -> new String[] {"TAG", "REVISION", "TIME", "DATA"};
                    case PROBLEMS -> new String[] {"PROBLEM"};
                    case BUCKETS -> new String[] {"BUCKET", "DOCUMENTS"};
                    case WORKSPACES ->
                        new String[] {"WORKSPACE", "REVISION", "STATUS", "DOCUMENTS", "RENDERED", "CHANGED"};
                    case OUTCOMES ->
                        new String[] {"TIME", "STATUS", "REVISION", "DOCUMENTS", "EMITTED", "PROBLEMS", "CHANGE"};
                });
        items.forEach(item -> add(table, kind, item));
        if (kind.isOfDocuments()) {
            table.sort(); // the stores have shorter names first
        }
        return table;
    }

    private static void add(Table table, GetCommand.Kind kind, Value item) {
        switch (kind) {
            case DOCUMENTS ->
                table.add(
                        AnswerFields.text(item, "document", "schema"),
                        AnswerFields.text(item, "document", "metadata", "layeringDefinition", "layer"),
                        AnswerFields.text(item, "document", "metadata", "name"),
                        AnswerFields.text(item, "bucket"));
            case RENDERED ->
                table.add(
                        AnswerFields.text(item, "schema"),
                        AnswerFields.text(item, "metadata", "name"),
                        AnswerFields.text(item, "metadata", "layeringDefinition", "layer"));
            case REVISIONS ->
                table.add(
                        AnswerFields.text(item, "revision"),
                        time(item),
                        AnswerFields.text(item, "status"),
                        AnswerFields.text(item, "bucket"),
                        edits(item),
                        AnswerFields.text(item, "emitted"),
                        AnswerFields.at(item, "tags") instanceof MapValue tags ? String.join(",", tags.keys()) : "",
                        note(item));
            case TAGS ->
                table.add(
                        AnswerFields.text(item, "tag"),
                        AnswerFields.text(item, "revision"),
                        time(item),
                        pairs(AnswerFields.at(item, "data")));
            case PROBLEMS -> table.add(ProblemReport.describe((MapValue) item));
            case BUCKETS -> table.add(AnswerFields.text(item, "bucket"), AnswerFields.text(item, "documents"));
            case WORKSPACES ->
                table.add(
                        AnswerFields.text(item, "workspace"),
                        AnswerFields.text(item, "revision"),
                        AnswerFields.text(item, "status"),
                        AnswerFields.text(item, "documents"),
                        AnswerFields.text(item, "rendered"),
                        time(item));
            case OUTCOMES ->
                table.add(
                        time(item),
                        AnswerFields.text(item, "status"),
                        AnswerFields.text(item, "revision"),
                        edits(item),
                        AnswerFields.text(item, "emitted"),
                        AnswerFields.at(item, "problems") instanceof ListValue problems && problems.size() > 0
                                ? problems.size()
                                : null,
                        AnswerFields.text(item, "changeId"));
        }
    }

    /* How many documents a change added, changed and removed. */
    private static String edits(Value item) {
        return "+%s ~%s -%s"
                .formatted(
                        AnswerFields.text(item, "documents", "added"),
                        AnswerFields.text(item, "documents", "changed"),
                        AnswerFields.text(item, "documents", "removed"));
    }

    /* Who made a change, and why: rather who that was proven to be than who it says. */
    private static String note(Value item) {
        String principal = AnswerFields.text(item, "principal");
        String author = principal.isEmpty() ? AnswerFields.text(item, "author") : principal;
        String message = AnswerFields.text(item, "message").lines().findFirst().orElse("");
        return author.isEmpty() || message.isEmpty() ? author + message : author + ": " + message;
    }

    private static String pairs(Value data) {
        StringBuilder pairs = new StringBuilder();
        if (data instanceof MapValue map) {
            map.forEach((key, value) -> pairs.append(pairs.isEmpty() ? "" : " ")
                    .append(key)
                    .append('=')
                    .append(SelectedParts.text(value)));
        }
        return pairs.toString();
    }

    /* To the second: it is enough to find a change, and leaves room for the rest. */
    private static String time(Value item) {
        String time = AnswerFields.text(item, "time");
        int point = time.indexOf('.');
        return point < 0 ? time : time.substring(0, point) + "Z";
    }
}
