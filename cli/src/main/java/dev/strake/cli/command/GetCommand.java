package dev.strake.cli.command;

import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Table;
import dev.strake.cli.output.YamlOutput;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.outcome.ProblemJson;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        description = {
            "Print the state of a workspace, as a running Strake has it.",
            "",
            "documents are as they were published, rendered is what they render to, problems say why some do not.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake get revisions -w site-a",
            "  strake get rendered -w site-a --revision 12 -o yaml",
            "  strake get documents -w site-a -o json | jq '.[].metadata.name'",
            "",
            "Exit codes: 0 printed, 1 no such workspace or revision, 4 no Strake answers.",
        })
final class GetCommand implements Callable<Integer> {

    /** What can be asked for. */
    enum Kind {
        DOCUMENTS,
        RENDERED,
        REVISIONS,
        PROBLEMS,
        BUCKETS
    }

    private final Terminal terminal;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private UrlOption url;

    @Parameters(index = "0", paramLabel = "WHAT", description = "documents, rendered, revisions, problems or buckets.")
    private Kind kind;

    @Option(
            names = "--revision",
            paramLabel = "N",
            description = "As of this revision; the last one unless given. Not for revisions.")
    private Optional<Long> revision = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table, yaml (a stream) or json (an array). Default: ${DEFAULT-VALUE}")
    private ListFormat format;

    GetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        Iterable<Value> items;
        try {
            items = url.items(
                    workspace.name(),
                    kind.name().toLowerCase(Locale.ROOT),
                    kind == Kind.REVISIONS ? Optional.empty() : revision);
        } catch (NotFoundException e) {
            terminal.say(e.getMessage());
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        PrintWriter out = terminal.out();
        switch (format) {
            case TABLE -> table(items).print(out, line -> terminal.styled("bold", line));
            case YAML -> bare(items).forEach(item -> YamlOutput.print(out, item));
            case JSON -> JsonOutput.printArray(out, bare(items));
        }
        return ExitCode.FINE;
    }

    /* Documents come with their buckets; as YAML and JSON they are what was published, fit to be published again. */
    private Iterable<Value> bare(Iterable<Value> items) {
        return kind != Kind.DOCUMENTS
                ? items
                : () -> StreamSupport.stream(items.spliterator(), false)
                        .map(item -> at(item, "document"))
                        .iterator();
    }

    private Table table(Iterable<Value> items) {
        Table table = switch (kind) {
            case DOCUMENTS -> new Table("SCHEMA", "LAYER", "NAME", "BUCKET");
            case RENDERED -> new Table("SCHEMA", "NAME", "LAYER");
            case REVISIONS ->
                new Table(
                        "REVISION",
                        "TIME",
                        "STATUS",
                        "BUCKET",
                        "ADDED",
                        "CHANGED",
                        "REMOVED",
                        "EMITTED",
                        "WITHDRAWN",
                        "RENDERED",
                        "TAGS",
                        "AUTHOR",
                        "MESSAGE",
                        "CHANGE");
            case PROBLEMS -> new Table("PROBLEM");
            case BUCKETS -> new Table("BUCKET", "DOCUMENTS");
        };
        for (Value item : items) {
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
                            text(item, "time"),
                            text(item, "status"),
                            text(item, "bucket"),
                            text(item, "documents", "added"),
                            text(item, "documents", "changed"),
                            text(item, "documents", "removed"),
                            text(item, "emitted"),
                            text(item, "removed"),
                            text(item, "rendered"),
                            at(item, "tags") instanceof MapValue tags ? String.join(",", tags.keys()) : "",
                            text(item, "author"),
                            text(item, "message").lines().findFirst().orElse(""),
                            text(item, "changeId"));
                case PROBLEMS -> table.add(ProblemJson.read(item).describe());
                case BUCKETS -> table.add(text(item, "bucket"), text(item, "documents"));
            }
        }
        if (kind == Kind.DOCUMENTS || kind == Kind.RENDERED) {
            table.sort(); // the stores have shorter names first
        }
        return table;
    }

    private static Value at(Value item, String... path) {
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
