package dev.strake.cli.offline;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.option.DocumentLanguage;
import dev.strake.cli.option.PathArguments;
import dev.strake.cli.option.QueryOption;
import dev.strake.cli.option.SecretsOption;
import dev.strake.cli.option.WantedDocuments;
import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.output.SelectedParts;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "render",
        description = {
            "Render documents without Kafka.",
            "",
            "Renders the documents of these files as one workspace, and prints them by schema and name. If there are "
                    + "problems, they go to stderr with file and line, and nothing is printed. Secrets are redacted.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake render site/",
            "  strake render -o json global/ type/ site/ | jq '.[].metadata.name'",
            "  strake render site/ --document armada/Chart/v1/nova",
            "  strake render site/ --schema armada/Chart --query '$..image'",
            "  cat *.yaml | strake render -",
            "",
            "Exit codes: 0 rendered, 1 invalid documents or none, 3 documents that do not render.",
        })
public final class RenderCommand extends TerminalCommand {

    @Mixin
    private PathArguments paths;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "yaml",
            description = "yaml (a stream of documents) or json (an array). Default: ${DEFAULT-VALUE}.")
    private DocumentLanguage format;

    @Option(
            names = "--schema",
            paramLabel = "SCHEMA",
            description = "Print only documents of this schema; armada/Chart is any version of it.")
    private Optional<String> schema = Optional.empty();

    @Option(
            names = "--document",
            paramLabel = "DOCUMENT",
            description = "Print only this document: NAME or SCHEMA/NAME. All documents are rendered in any case.")
    private Optional<String> name = Optional.empty();

    @Mixin
    private QueryOption query;

    @Mixin
    private SecretsOption secrets;

    @Option(
            names = "--hold-document",
            description = "Print what renders even if other documents do not; the exit code is still 3.")
    private boolean holdDocument;

    @Override
    public Integer call() throws IOException {
        Renderer renderer = paths.renderer(holdDocument);
        FileDocuments read = paths.read(terminal);
        OfflineRendering result = OfflineRendering.of(read, renderer, secrets.redaction());
        result.invalid().forEach(problem -> terminal.say(problem.describe()));
        ProblemReport.causes(result.problems()).forEach(terminal::say);
        result.warnings().forEach(warning -> terminal.say("warning: " + warning.describe()));
        if (!result.invalid().isEmpty() || paths.isRefused(read, terminal)) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        boolean whole = result.problems().isEmpty();
        int code = ExitCode.FINE;
        if (whole || renderer.holdDocuments()) {
            code = print(result);
        }
        return whole ? code : ExitCode.RENDER_PROBLEMS;
    }

    private int print(OfflineRendering result) {
        WantedDocuments wanted = WantedDocuments.of(schema, name);
        List<MapValue> documents = wanted.isSome() ? wanted.of(result.rendered()) : result.rendered();
        if (wanted.isSome() && documents.isEmpty()) {
            terminal.say("strake: there is no rendered %s.".formatted(wanted.words()));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        List<? extends Value> items =
                query.value().isPresent() ? SelectedParts.of(query.value().get(), documents) : documents;
        format.print(terminal.out(), items);
        long cut = query.value().isPresent()
                ? items.stream().filter(SelectedParts::isCut).count()
                : 0;
        return cut == 0 ? ExitCode.FINE : SelectedParts.sayCut(cut, terminal);
    }
}
