package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.offline.OfflineRevision;
import dev.strake.cli.option.KafkaOptions;
import dev.strake.cli.option.SecretsOption;
import dev.strake.cli.option.UrlOption;
import dev.strake.cli.option.WorkspaceOption;
import dev.strake.cli.output.PreviewOutput;
import dev.strake.cli.output.ProblemReport;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.workspace.Preview;
import dev.strake.serdes.change.Note;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.serdes.change.Terms;
import dev.strake.serdes.outcome.PreviewJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "plan",
        exitCodeOnExecutionException = ExitCode.USAGE,
        description = {
            "Show what a change would do, without doing it.",
            "",
            "Prints the rendered documents that would differ, and the problems that would appear or vanish. With -w, "
                    + "a running Strake tries the change, which is given as to strake publish. With --base, old and "
                    + "new files are rendered and compared, without Kafka.",
            "",
            "affected: documents whose rendering could differ; evaluated: those of them rendered again; cut off: "
                    + "those evaluated with the same result, so that nothing follows.",
            "",
            "A change that is too large for HTTP is sent through Kafka as a dry run. The plan then shows where "
                    + "documents would differ, but no values.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake plan -w site-a site/",
            "  strake plan -w site-a -b secrets --add passwords.yaml -o table",
            "  strake plan -w site-a --against released site/",
            "  strake plan -w site-a --rollback released",
            "  strake plan --base main/site branch/site",
            "  strake plan --base old/ new/ -o table",
            "  strake plan --base old/ new/ -o markdown --fail-over 50 > comment.md",
            "",
            "Exit codes: 0 no change, 1 changes, 2 no such revision, 3 invalid documents, a change that would be "
                    + "rejected or not render as a whole (even if its problems exist already), or more changes than "
                    + "--fail-over, 4 no Strake answers.",
        })
public final class PlanCommand extends TerminalCommand {

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private UrlOption url;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private ChangeArguments arguments;

    @Option(
            names = "--expect-revision",
            paramLabel = "N",
            description = "The revision that has to be the head, as with strake publish.")
    private Optional<Long> expected = Optional.empty();

    @Option(
            names = "--against",
            paramLabel = "N|TAG",
            description = "Try the change on the documents of this revision instead of the head.")
    private Optional<String> against = Optional.empty();

    @Option(
            names = "--base",
            paramLabel = "OLD",
            description = "A file or folder with the documents as they are; may be given several times.")
    private List<String> base = new ArrayList<>();

    @Option(
            names = "--hold-document",
            description = "With --base: hold back single documents, as the setting strake.on-problem can. Without it, "
                    + "one document that does not render holds back all.")
    private boolean holdDocument;

    @Option(
            names = "--fail-over",
            paramLabel = "N",
            description = "Exit with 3 if more rendered documents than this would change.")
    private Optional<Integer> failOver = Optional.empty();

    @Mixin
    private SecretsOption secrets;

    @Option(
            names = {"-o", "--output"},
            defaultValue = "diff",
            description =
                    "diff (values before and after), table (the short form), json, yaml, markdown, or sarif (problems alone). Default: ${DEFAULT-VALUE}")
    private PreviewOutput.Format format;

    @Override
    public Integer call() throws NotFoundException, IOException, InterruptedException {
        PlanPrinter printer = new PlanPrinter(terminal, format, failOver);
        if (!base.isEmpty()) {
            return offline(printer);
        }
        if (holdDocument) {
            throw usage("--hold-document works only with --base: a running Strake uses its setting strake.on-problem.");
        }
        String name = workspace.name("Nothing to plan. Give a workspace (-w), or --base with files.");
        Optional<ChangeArguments.Read> read =
                arguments.read(name, UUID.randomUUID().toString(), url, terminal);
        if (read.isEmpty()) {
            return ExitCode.RENDER_PROBLEMS;
        }
        NewChange asked = read.get().change();
        RemovalLimit removals = arguments.isMeantEmpty() ? RemovalLimit.NONE : RemovalLimit.of(asked.type());
        NewChange change = asked.with(new Terms(false, expected.orElse(null), removals, false), Note.NONE);
        return printer.ask(
                url, kafka, new ChangeArguments.Read(change, read.get().files()), against, secrets.isCleartext());
    }

    private int offline(PlanPrinter printer) throws IOException {
        FileDocuments old =
                FileDocuments.readAndWarn(base, terminal.in(), arguments.rules().limits(), terminal::say);
        FileDocuments young = arguments.files(terminal);
        if (tell(old, old.problems()) + tell(young, young.problems()) > 0) {
            return ExitCode.RENDER_PROBLEMS;
        }
        if (young.documents().isEmpty() && !arguments.isMeantEmpty()) {
            terminal.say(
                    "The new files hold no documents, so all would be deleted. If this is intended, add --allow-empty.");
            return ExitCode.RENDER_PROBLEMS;
        }
        // It is unknown what was published before the old files got into trouble. So whatever renders of them
        // counts as published.
        OfflineRevision before =
                new OfflineRevision(old.documents(), arguments.rules().renderer(true));
        if (tell(old, before.rejections()) > 0) {
            return ExitCode.RENDER_PROBLEMS;
        }
        OfflineRevision.sealed(young.documents())
                .map(young::located)
                .or(() -> OfflineRevision.sealed(old.documents()).map(old::located))
                .ifPresent(warning -> terminal.say("warning: " + warning.describe()));
        Renderer renderer = arguments.rules().renderer(holdDocument);
        OfflineRevision after = before.next(young.documents(), renderer);
        if (tell(young, after.rejections()) > 0) {
            return ExitCode.RENDER_PROBLEMS;
        }
        Preview.Base base = new Preview.Base(before.head(), before.contents(), Preview.Held.NOTHING);
        Preview preview = Preview.of(base, after.update(), secrets.redaction(), Long.MAX_VALUE);
        MapValue plan = PreviewJson.write(new Preview(
                preview.update(),
                preview.rendered(),
                preview.waiting(),
                preview.appearing(),
                preview.vanishing().stream().map(old::located).toList(),
                preview.staying()));
        int code = printer.print(PlanPrinter.located(plan, young));
        List<Problem> staying = preview.staying().stream().map(young::located).toList();
        ProblemReport.causes(staying).forEach(terminal::say); // the plan only counts them, and there is no head to ask
        return code;
    }

    private int tell(FileDocuments files, List<Problem> problems) {
        problems.forEach(problem -> terminal.say(files.located(problem).describe()));
        return problems.size();
    }
}
