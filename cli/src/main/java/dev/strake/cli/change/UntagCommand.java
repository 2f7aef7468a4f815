package dev.strake.cli.change;

import dev.strake.cli.change.TagCommand.TaggedRevision;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.client.NewChange;
import dev.strake.client.StateClient.NotFoundException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "untag",
        description = "Remove a tag from a revision of a workspace. Without a tag, an old revision may be pruned.",
        footer = {
            "",
            "@|bold Examples|@",
            "  strake untag -w site-a 12 released --wait",
            "",
            "Exit codes: 0 published, 1 rejected, 4 Kafka unreachable or timed out.",
        })
public final class UntagCommand extends TerminalCommand {

    @Mixin
    private TaggedRevision revision;

    @Override
    public Integer call() throws NotFoundException {
        return revision.publish(
                (workspace, id) -> NewChange.untag(workspace, id, revision.number(), revision.tag()),
                "will lose the tag",
                "no longer has the tag",
                terminal);
    }
}
