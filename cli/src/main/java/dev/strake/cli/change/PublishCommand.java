package dev.strake.cli.change;

import dev.strake.cli.output.PreviewOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "publish",
        description = {
            "Publish a change to a workspace.",
            "",
            "The documents of the files replace all documents of the bucket, unless --add or --delete is given. Files "
                    + "with problems are not published; problems go to stderr with file and line.",
            "",
            "Without --wait the command ends when Kafka has the change, and prints its id. With --wait it ends when "
                    + "the change is rendered, and prints the outcome. A change that may remove documents is always "
                    + "watched for three seconds: if it is rejected or does not render, its outcome is printed.",
            "",
            "Secret documents (storagePolicy encrypted) are sealed, so that only the service can read them: with --public-key, or "
                    + "with the key that the service at --url has.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake publish -w site-a --wait site/",
            "  strake publish -w site-a -b secrets --add passwords.yaml",
            "  strake publish -w site-a --public-key publishing-key secrets/",
            "  strake publish -w site-a --delete old-chart.yaml",
            "  strake publish -w site-a --rollback 12 --wait",
            "  strake publish -w site-a --expect-revision 12 -m 'more replicas' site/",
            "  strake publish -w site-a --url http://strake:8080 --token-file token site/",
            "  kustomize build . | strake publish -w site-a --wait -o json -",
            "",
            "Exit codes: 0 published, 1 invalid, rejected or failed (or unchanged since it failed), or no such tag, 3 "
                    + "published in part, 4 Kafka unreachable or timed out. With --dry-run: as strake plan.",
        })
public final class PublishCommand extends TerminalCommand {

    @Mixin
    private ChangeArguments arguments;

    @Mixin
    private RemovalOptions removals;

    @Option(names = "--dry-run", description = "Publish nothing, and say what would change: as strake plan does.")
    private boolean dryRun;

    @Mixin
    private PublishOptions publishing;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            return publish();
        } catch (NotFoundException e) {
            terminal.say("strake: " + e.getMessage());
            return dryRun ? ExitCode.USAGE : ExitCode.DIFFERENT_OR_INVALID;
        }
    }

    private int publish() throws NotFoundException, IOException, InterruptedException {
        Optional<ChangeArguments.Read> read =
                arguments.read(publishing.workspace(), publishing.changeId(), publishing.url(), terminal);
        if (read.isEmpty()) {
            return dryRun ? ExitCode.RENDER_PROBLEMS : ExitCode.DIFFERENT_OR_INVALID;
        }
        NewChange change = removals.limiting(read.get().change(), arguments.isMeantEmpty());
        if (dryRun) {
            PreviewOutput.Format format = publishing.isJson() ? PreviewOutput.Format.JSON : PreviewOutput.Format.DIFF;
            return new PlanPrinter(terminal, format, Optional.empty())
                    .ask(
                            publishing.url(),
                            publishing.kafka(),
                            new ChangeArguments.Read(
                                    publishing.signed(change), read.get().files()),
                            Optional.empty(),
                            false);
        }
        return publishing.publish(change, read.get().files(), terminal);
    }
}
