package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.offline.OfflineRevision;
import dev.strake.cli.output.PreviewOutput;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.workspace.Preview;
import dev.strake.serdes.outcome.PreviewJson;
import dev.strake.serdes.text.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Say what a change would do, without Kafka and without doing it.",
            "",
            "Compares what the documents of some files render to with what those of --base do: the rendered documents "
                    + "that would differ, and the problems that would appear and vanish.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake plan --base main/site branch/site",
            "  strake plan --base old/ new/ -o diff",
            "  strake plan --base old/ new/ -o markdown --fail-over 50 > comment.md",
            "",
            "Exit codes: 0 nothing would change, 1 something would, or documents are invalid, 3 problems would appear, "
                    + "or more documents would change than --fail-over.",
        })
final class PlanCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Mixin
    private PathArguments paths;

    @Option(
            names = "--base",
            paramLabel = "OLD",
            required = true,
            description = "A file or folder with the documents as they are; may be given several times.")
    private List<String> base = new ArrayList<>();

    @Option(
            names = "--fail-over",
            paramLabel = "N",
            description = "End with 3 if more rendered documents than this would change.")
    private Optional<Integer> failOver = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            defaultValue = "table",
            description = "table, diff, json, yaml or markdown. Default: ${DEFAULT-VALUE}")
    private PreviewOutput.Format format;

    PlanCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        FileDocuments old = FileDocuments.read(base, terminal.in(), Limits.DEFAULT);
        FileDocuments young = paths.read(terminal);
        if (tell(old, old.problems()) + tell(young, young.problems()) > 0) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        OfflineRevision before = new OfflineRevision(old.documents(), Renderer.holdingDocuments());
        if (tell(old, before.rejections()) > 0) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        Preview.Verdicts verdicts = new Preview.Verdicts();
        OfflineRevision after = before.next(young.documents(), Renderer.holdingDocuments(), verdicts);
        if (tell(young, after.rejections()) > 0) {
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        Preview preview = Preview.of(before.head(), before.contents(), after.update(), after.contents(), verdicts);
        Preview located = new Preview(
                preview.update(),
                preview.cutOff(),
                preview.rendered(),
                preview.appearing().stream().map(young::located).toList(),
                preview.vanishing().stream().map(old::located).toList());
        new PreviewOutput(terminal.out(), line -> terminal.styled("bold", line))
                .print(PreviewJson.write(located), format);
        terminal.out().flush();
        return exitCode(located);
    }

    private int exitCode(Preview preview) {
        int differing = preview.rendered().size();
        if (failOver.isPresent() && differing > failOver.get()) {
            terminal.say(
                    "strake: %d rendered documents would change, more than %d.".formatted(differing, failOver.get()));
            return ExitCode.RENDER_PROBLEMS;
        }
        if (!preview.appearing().isEmpty()) {
            return ExitCode.RENDER_PROBLEMS;
        }
        return differing == 0 && preview.vanishing().isEmpty() ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
    }

    private int tell(FileDocuments files, List<Problem> problems) {
        problems.forEach(problem -> terminal.say(files.located(problem).describe()));
        return problems.size();
    }
}
