package dev.strake.cli.command;

import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.Table;
import dev.strake.cli.output.YamlOutput;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "diff",
        mixinStandardHelpOptions = true,
        description = {
            "Print which documents, and which rendered documents, differ between two revisions.",
            "",
            "Revision 0 is the workspace before its first change.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake diff -w site-a 11 12",
            "  strake diff -w site-a 0 12 -o json | jq -r '.rendered[].name'",
            "",
            "Exit codes: 0 no difference, 1 differences, or no such workspace or revision, 4 no Strake answers.",
        })
final class DiffCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private UrlOption url;

    @Parameters(index = "0", paramLabel = "FROM", description = "A revision.")
    private long from;

    @Parameters(index = "1", paramLabel = "TO", description = "Another revision.")
    private long to;

    @Mixin
    private ListFormatOption format;

    DiffCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        MapValue answer;
        try {
            answer = url.ask(workspace.name(), "diff/" + from + "/" + to);
        } catch (NotFoundException e) {
            terminal.say(e.getMessage());
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        List<Value> documents = items(answer, "documents");
        List<Value> rendered = items(answer, "rendered");
        boolean same = documents.isEmpty() && rendered.isEmpty();
        switch (format.value()) {
            case JSON -> JsonOutput.printLine(terminal.out(), answer);
            case YAML -> YamlOutput.print(terminal.out(), answer);
            case TABLE -> {
                if (!same) {
                    table(documents, rendered).print(terminal.out(), line -> terminal.styled("bold", line));
                }
            }
        }
        return same ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
    }

    private static Table table(List<Value> documents, List<Value> rendered) {
        Table table = new Table("WHAT", "DIFFERENCE", "SCHEMA", "NAME", "LAYER");
        documents.forEach(item -> add(table, "document", item));
        rendered.forEach(item -> add(table, "rendered", item));
        return table;
    }

    private static void add(Table table, String what, Value item) {
        table.add(
                what,
                GetCommand.text(item, "difference"),
                GetCommand.text(item, "schema"),
                GetCommand.text(item, "name"),
                GetCommand.text(item, "layer"));
    }

    private static List<Value> items(MapValue answer, String name) {
        return answer.get(name) instanceof ListValue list ? list.items() : List.of();
    }
}
