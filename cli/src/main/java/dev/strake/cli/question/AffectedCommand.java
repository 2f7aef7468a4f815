package dev.strake.cli.question;

import dev.strake.cli.output.DependentsOutput;
import dev.strake.cli.output.ExplanationText;
import dev.strake.cli.question.DocumentQuestion.Found;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.Parameter;
import dev.strake.engine.explain.Dependents;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.serdes.outcome.DependentsJson;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "affected",
        description = {
            "Show which documents depend on a document, directly or through others.",
            "",
            "The nearest come first, each with the reason: it layers on another, substitutes from it, is operated on, "
                    + "or is checked by it. With --path only those that use something at, above or below that place.",
            "",
            "A document with a problem blocks all its dependents, whatever they use of it. So an edit that breaks the "
                    + "document reaches all that are listed without --path.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake affected -w site-a site/Common/v1/addresses",
            "  strake affected -w site-a site/Common/v1/addresses --revision v1",
            "  strake affected site/ --document site/Common/v1/addresses --path .dns",
            "  strake affected -w site-a site/Common/v1/addresses --layer global",
            "  strake affected site/ --document site/Common/v1/addresses --fail-over 20",
            "  strake affected -w site-a site/Common/v1/addresses -o dot | dot -Tsvg > a.svg",
            "",
            "Exit codes: 0 success, 1 invalid documents, no such document, or more than --fail-over, 4 no Strake "
                    + "answers.",
        })
public final class AffectedCommand extends TerminalCommand {

    @Mixin
    private DocumentQuestion question;

    @Option(
            names = "--layer",
            paramLabel = "LAYER",
            description = "The layer of the document, if several have this schema and name. Default: the one that is "
                    + "rendered.")
    private Optional<String> layer = Optional.empty();

    @Option(
            names = "--fail-over",
            paramLabel = "N",
            description = "Exit with 1 if more documents than this are affected.")
    private Optional<Integer> failOver = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table, json, dot (Graphviz) or mermaid. Default: ${DEFAULT-VALUE}")
    private DependentsOutput.Format format;

    @Override
    public Integer call() throws NotFoundException, IOException, InterruptedException {
        boolean isOfFiles = question.isOfFiles();
        Optional<MapValue> dependents = isOfFiles ? inFiles() : Optional.of(ask());
        if (dependents.isEmpty()) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        new DependentsOutput(terminal).print(dependents.get(), format);
        int count = ((ListValue) dependents.get().get("dependents")).size();
        if (Bool.FALSE.equals(dependents.get().get("complete"))) {
            terminal.say("There are more than these %d.".formatted(count));
        } else if (count == 0) {
            MapValue asked = (MapValue) dependents.get().get("document");
            terminal.say("Nothing depends on %s%s."
                    .formatted(question.isAboutAPlace() ? "that place of " : "", ExplanationText.name(asked)));
        }
        if (!isOfFiles) {
            question.sayWhatConsumersHold(dependents.get(), terminal);
        }
        if (failOver.isPresent() && count > failOver.get()) {
            terminal.say("strake: %s affected, more than %d."
                    .formatted(count == 1 ? "1 document is" : count + " documents are", failOver.get()));
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        return ExitCode.FINE;
    }

    private Optional<MapValue> inFiles() throws IOException {
        return question.find(terminal, layer).map(found -> DependentsJson.write(found.asked(), dependents(found)));
    }

    private static Dependents dependents(Found found) {
        return Dependents.of(
                found.revision().head().graph(),
                found.revision().contents(),
                found.asked(),
                found.place(),
                Integer.MAX_VALUE,
                new ChangeEffort(Long.MAX_VALUE));
    }

    private MapValue ask() throws NotFoundException, InterruptedException {
        return question.ask(
                "affected",
                layer.map(name -> new Parameter("layer", name)).stream().toList());
    }
}
