package dev.strake.cli.command;

import dev.strake.cli.offline.OfflineRendering;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.YamlOutput;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        description = {
            "Render documents without Kafka.",
            "",
            "Prints what the documents of these files render to as one workspace, in order of schema and name. "
                    + "Problems go to stderr with file and line; if there are any, nothing is printed.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake render site/",
            "  strake render -o json global/ type/ site/ | jq '.[].metadata.name'",
            "  cat *.yaml | strake render -",
            "",
            "Exit codes: 0 rendered, 1 invalid documents, 3 documents that do not render.",
        })
final class RenderCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private PathArguments paths;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "yaml (a stream of documents) or json (an array). Default: ${DEFAULT-VALUE}.")
    private DocumentFormat format;

    @Option(
            names = "--hold-document",
            description = "Print what does render although other documents do not; the exit code stays 3.")
    private boolean holdDocument;

    RenderCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        Renderer renderer = holdDocument ? Renderer.holdingDocuments() : Renderer.holdingRevisions();
        OfflineRendering result = OfflineRendering.of(paths.read(terminal), renderer);
        result.invalid().forEach(this::tell);
        result.problems().forEach(this::tell);
        result.warnings().forEach(warning -> terminal.say("warning: " + warning.describe()));
        if (!result.invalid().isEmpty()) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        boolean whole = result.problems().isEmpty();
        if (whole || holdDocument) {
            print(result);
        }
        return whole ? ExitCode.FINE : ExitCode.RENDER_PROBLEMS;
    }

    private void tell(Problem problem) {
        terminal.say(problem.describe());
    }

    private void print(OfflineRendering result) {
        if (format == DocumentFormat.JSON) {
            JsonOutput.printArray(terminal.out(), result.rendered());
        } else {
            result.rendered().forEach(document -> YamlOutput.print(terminal.out(), document));
        }
    }
}
