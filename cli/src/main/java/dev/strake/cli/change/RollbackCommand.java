package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "rollback",
        description = {
            "Return a workspace to the documents of an earlier revision.",
            "",
            "Makes a new revision; those in between are kept. Revision 0 has no documents. Tags and published (the "
                    + "revision that consumers hold) are looked up in a running Strake.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake rollback -w site-a 12 --wait",
            "  strake rollback -w site-a released --wait",
            "  strake rollback -w site-a published --wait",
            "",
            "Exit codes: 0 published, 1 rejected or failed, or no such tag, 3 published in part, 4 Kafka (for a tag, "
                    + "Strake) unreachable or timed out.",
        })
public final class RollbackCommand extends TerminalCommand {

    @Mixin
    private RemovalOptions removals;

    @Mixin
    private PublishOptions publishing;

    @Parameters(paramLabel = "REVISION", description = "The revision to return to: its number, a tag, or published.")
    private String revision;

    @Override
    public Integer call() throws NotFoundException, InterruptedException {
        long number = publishing.url().revision(publishing.workspace(), revision, terminal);
        NewChange change = NewChange.rollback(publishing.workspace(), publishing.changeId(), number);
        return publishing.publish(removals.limiting(change, false), FileDocuments.NONE, terminal);
    }
}
