package dev.strake.cli.question;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.option.ListFormatOption;
import dev.strake.cli.option.SecretsOption;
import dev.strake.cli.output.ExplanationText;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.output.RenderReasonsText;
import dev.strake.cli.question.DocumentQuestion.Found;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCause;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.tree.Bool;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.serdes.outcome.ExplanationJson;
import dev.strake.serdes.text.YamlOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "explain",
        description = {
            "Show where the values of a rendered document come from.",
            "",
            "Prints for each value, or those at and below one place, what wrote it, the winner first: own data, "
                    + "actions, substitutions, operations. Each has its document and position: file, line and column "
                    + "of files; for a workspace, where the publisher keeps it, and its revision. Indexes count from "
                    + "0.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake explain -w site-a armada/Chart/v1/nova .values.replicas",
            "  strake explain site/ --document armada/Chart/v1/nova --path .values.replicas",
            "  strake explain -w site-a armada/Chart/v1/nova --revision published",
            "  strake explain -w site-a armada/Chart/v1/nova --revision 12 --why",
            "  strake explain site/ --document armada/Chart/v1/nova -o json | jq '.[].path'",
            "",
            "Exit codes: 0 explained, 1 invalid documents, no such document or nothing at the place, 3 the document does not render, "
                    + "4 no Strake answers.",
        })
public final class ExplainCommand extends TerminalCommand {

    private static final String FIRST = "It waits for this: ";

    @Mixin
    private DocumentQuestion question;

    @Option(
            names = "--why",
            description =
                    "Show why the revision rendered the document again, back to the edit that caused it. With -w; "
                            + "--revision chooses an earlier revision.")
    private boolean why;

    @Mixin
    private SecretsOption secrets;

    @Mixin
    private ListFormatOption format;

    @Override
    public Integer call() throws NotFoundException, IOException, InterruptedException {
        if (why && question.isOfFiles()) {
            throw usage("Files have no revisions: --why is for workspaces (-w); see strake plan --base.");
        }
        return question.isOfFiles() ? explainFiles() : ask();
    }

    private int explainFiles() throws IOException {
        Optional<Found> found = question.find(terminal);
        if (found.isEmpty()) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        FileDocuments files = found.get().files();
        DocumentId id = found.get().id();
        Function<DocumentId, Problem> problemOf =
                each -> Optional.ofNullable(found.get().revision().head().evaluation(each))
                        .map(Evaluation::problem)
                        .orElse(null);
        Problem problem = problemOf.apply(id);
        if (problem != null) {
            terminal.say(files.located(problem).describe());
            ProblemCause.waitsFor(problem, problemOf)
                    .map(problemOf)
                    .ifPresent(
                            cause -> terminal.say(FIRST + files.located(cause).describe()));
            return ExitCode.RENDER_PROBLEMS;
        }
        ExplanationJson json = new ExplanationJson(new InFiles(files), secrets.redaction());
        Explainer explainer = new Explainer(
                found.get().revision().head().graph(),
                found.get().revision().contents(),
                new ChangeEffort(Long.MAX_VALUE),
                bytes -> {});
        Place place = found.get().place();
        List<Explanation> leaves = found.get()
                .derived()
                .map(key -> explainer.derivedLeaves(id, key, place, Integer.MAX_VALUE))
                .orElseGet(() -> explainer.leaves(id, place, Integer.MAX_VALUE));
        return print(leaves.stream().map(json::write).toList());
    }

    private int ask() throws NotFoundException, InterruptedException {
        if (why) {
            printReasons(question.ask("why", List.of()));
            return ExitCode.FINE;
        }
        MapValue answer = question.ask("explain", secrets.parameters());
        if (answer.has("problem")) {
            terminal.say(ProblemReport.describe((MapValue) answer.get("problem")));
            if (answer.has("cause")) {
                terminal.say(FIRST + ProblemReport.describe((MapValue) answer.get("cause")));
            }
            question.sayWhatConsumersHold(answer, terminal);
            return ExitCode.RENDER_PROBLEMS;
        }
        int code = print(((ListValue) answer.get("items"))
                .items().stream().map(MapValue.class::cast).toList());
        if (Bool.FALSE.equals(answer.get("complete"))) {
            terminal.say("There are more values. Name a place to see those at and below it.");
        }
        question.sayWhatConsumersHold(answer, terminal);
        return code;
    }

    private void printReasons(MapValue answer) {
        switch (format.value()) {
            case JSON -> JsonOutput.printLine(terminal.out(), answer);
            case YAML -> YamlOutput.print(terminal.out(), answer);
            case TABLE -> new RenderReasonsText(terminal).print(answer);
        }
    }

    private int print(List<MapValue> leaves) {
        boolean isAbsent = leaves.size() == 1 && isAbsent(leaves.get(0));
        switch (format.value()) {
            case JSON -> JsonOutput.printArray(terminal.out(), leaves);
            case YAML -> leaves.forEach(leaf -> YamlOutput.print(terminal.out(), leaf));
            case TABLE -> {
                ExplanationText text = new ExplanationText(terminal);
                leaves.stream().filter(leaf -> !isAbsent).forEach(text::print);
            }
        }
        if (isAbsent) {
            MapValue document = (MapValue) leaves.get(0).get("document");
            terminal.say(
                    "strake: %s/%s has no value at %s, and none was removed there. Without a place, explain lists all values."
                            .formatted(
                                    document.text("schema"),
                                    document.text("name"),
                                    leaves.get(0).text("path")));
        }
        return isAbsent ? ExitCode.DIFFERENT_OR_INVALID : ExitCode.FINE;
    }

    /* A place without a value is not absent if a step removed the value: that step is the answer. */
    private static boolean isAbsent(MapValue leaf) {
        return !leaf.has("value") && leaf.items("causes").isEmpty();
    }

    /** Documents in files have lines, but no revisions. */
    private record InFiles(FileDocuments files) implements ExplanationJson.Whereabouts {

        @Override
        public Optional<String> place(DocumentId id, String where) {
            return Optional.of(files.locate(id, where).toString());
        }

        @Override
        public Optional<Long> revision(DocumentId id) {
            return Optional.empty();
        }
    }
}
