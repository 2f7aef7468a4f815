package dev.strake.cli.command;

import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.output.Table;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/** The lists of {@code strake get} as tables: what people look for. All that there is comes as YAML and JSON. */
final class ListTable {

    private ListTable() {}

    static Table of(GetCommand.Kind kind, Iterable<Value> items) {
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
                        text(item, "document", "schema"),
                        text(item, "document", "metadata", "layeringDefinition", "layer"),
                        text(item, "document", "metadata", "name"),
                        text(item, "bucket"));
            case RENDERED ->
                table.add(
                        text(item, "schema"),
                        text(item, "metadata", "name"),
                        text(item, "metadata", "layeringDefinition", "layer"));
            case REVISIONS ->
                table.add(
                        text(item, "revision"),
                        time(item),
                        text(item, "status"),
                        text(item, "bucket"),
                        edits(item),
                        text(item, "emitted"),
                        at(item, "tags") instanceof MapValue tags ? String.join(",", tags.keys()) : "",
                        note(item));
            case TAGS -> table.add(text(item, "tag"), text(item, "revision"), time(item), pairs(at(item, "data")));
            case PROBLEMS -> table.add(ProblemReport.describe((MapValue) item));
            case BUCKETS -> table.add(text(item, "bucket"), text(item, "documents"));
            case WORKSPACES ->
                table.add(
                        text(item, "workspace"),
                        text(item, "revision"),
                        text(item, "status"),
                        text(item, "documents"),
                        text(item, "rendered"),
                        time(item));
            case OUTCOMES ->
                table.add(
                        time(item),
                        text(item, "status"),
                        text(item, "revision"),
                        edits(item),
                        text(item, "emitted"),
                        at(item, "problems") instanceof ListValue problems && problems.size() > 0
                                ? problems.size()
                                : null,
                        text(item, "changeId"));
        }
    }

    /* How many documents a change added, changed and removed. */
    private static String edits(Value item) {
        return "+%s ~%s -%s"
                .formatted(
                        text(item, "documents", "added"),
                        text(item, "documents", "changed"),
                        text(item, "documents", "removed"));
    }

    /* Who made a change, and why: rather who that was proven to be than who it says. */
    private static String note(Value item) {
        String principal = text(item, "principal");
        String author = principal.isEmpty() ? text(item, "author") : principal;
        String message = text(item, "message").lines().findFirst().orElse("");
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
        String time = text(item, "time");
        int point = time.indexOf('.');
        return point < 0 ? time : time.substring(0, point) + "Z";
    }

    static Value at(Value item, String... path) {
        Value value = item;
        for (String key : path) {
            value = value instanceof MapValue map ? map.get(key) : null;
        }
        return value;
    }

    static String text(Value item, String... path) {
        Value value = at(item, path);
        return value instanceof Text text ? text.value() : value instanceof Num num ? num.literal() : "";
    }
}
