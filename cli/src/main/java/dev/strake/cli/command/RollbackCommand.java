package dev.strake.cli.command;

import dev.strake.cli.files.FileDocuments;
import dev.strake.client.NewChange;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "rollback",
        mixinStandardHelpOptions = true,
        description = {
            "Return a workspace to the documents of an earlier revision.",
            "",
            "That makes a new revision; those in between stay. Revision 0 has no documents.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake rollback -w site-a 12 --wait",
            "",
            "Exit codes: 0 published, 1 rejected or failed, 3 published in part, 4 Kafka unreachable or timed out.",
        })
final class RollbackCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private WorkspaceOption workspace;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private Publishing publishing;

    @Parameters(paramLabel = "REVISION", description = "The number of the revision to return to.")
    private long revision;

    RollbackCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (revision < 0) {
            throw new ParameterException(
                    spec.commandLine(), "REVISION has to be 0 (no documents) or the number of a revision.");
        }
        NewChange change = NewChange.rollback(workspace.name(), publishing.changeId(), revision);
        return publishing.publish(change, FileDocuments.NONE, kafka, terminal);
    }
}
