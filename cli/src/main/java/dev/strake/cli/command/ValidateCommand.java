package dev.strake.cli.command;

import dev.strake.cli.offline.OfflineRendering;
import dev.strake.cli.output.JsonOutput;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "validate",
        mixinStandardHelpOptions = true,
        description = {
            "Say what is wrong with documents, without Kafka.",
            "",
            "Checks the format of all documents and, if that is right, whether they render as one workspace. Prints "
                    + "one problem to a line with file and line number, and nothing if all is well. Warnings go to stderr.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake validate site/",
            "  strake validate -o json global/ type/ site/ | jq -r '.[].code' | sort | uniq -c",
            "",
            "Exit codes: 0 all is well, 1 invalid documents, 3 documents that do not render.",
        })
final class ValidateCommand implements Callable<Integer> {

    /** How problems are printed. */
    enum Format {
        TEXT,
        JSON
    }

    private final Terminal terminal;

    @Mixin
    private PathArguments paths;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "text",
            description = "text (one problem to a line) or json (an array). Default: ${DEFAULT-VALUE}.")
    private Format format;

    ValidateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        OfflineRendering result = OfflineRendering.of(paths.read(terminal), Renderer.holdingRevisions());
        List<Problem> problems = new ArrayList<>(result.invalid());
        problems.addAll(result.problems());
        if (format == Format.JSON) {
            JsonOutput.printProblems(terminal.out(), problems);
        } else {
            problems.forEach(problem -> terminal.out().println(problem.describe()));
        }
        terminal.out().flush();
        result.warnings().forEach(warning -> terminal.say("warning: " + warning.describe()));
        if (!result.invalid().isEmpty()) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        return problems.isEmpty() ? ExitCode.FINE : ExitCode.RENDER_PROBLEMS;
    }
}
