package dev.strake.cli.change;

import dev.strake.cli.files.FileDocuments;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "delete",
        description = {
            "Delete a workspace: all its documents in all buckets, its tags and its history.",
            "",
            "Rendered documents and problems get tombstones. This cannot be undone: no earlier revision is kept. If "
                    + "the workspace is published again, revision numbers continue.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake delete -w site-a --wait",
            "  strake delete -w site-a --yes",
            "",
            "Exit codes: 0 deleted, or nothing to delete, 1 rejected, or not confirmed, 4 Kafka unreachable or timed"
                    + " out.",
        })
public final class DeleteCommand extends TerminalCommand {

    @Mixin
    private PublishOptions publishing;

    @Option(names = "--yes", description = "Do not ask for confirmation. Required without a terminal, as in a script.")
    private boolean yes;

    @Override
    public Integer call() throws NotFoundException {
        if (!yes && !isConfirmed()) {
            terminal.say("Nothing was deleted.");
            return ExitCode.DIFFERENT_OR_INVALID;
        }
        NewChange change = NewChange.workspaceDelete(publishing.workspace(), publishing.changeId());
        return publishing.publish(change, FileDocuments.NONE, terminal);
    }

    /* Asks the user to type the name, so that a wrong workspace is noticed. */
    private boolean isConfirmed() {
        if (!terminal.canAsk()) {
            throw usage("Deleting a workspace has to be confirmed. Without a terminal, add --yes.");
        }
        terminal.say("This deletes all documents, tags and revisions of workspace %s. Type its name to go on:"
                .formatted(publishing.workspace()));
        return terminal.answer().equals(publishing.workspace());
    }
}
