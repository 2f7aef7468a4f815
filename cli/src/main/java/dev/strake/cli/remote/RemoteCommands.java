package dev.strake.cli.remote;

import dev.strake.cli.command.CommandSource;
import dev.strake.cli.command.Terminal;
import java.util.List;

/** The commands that need libraries for git and its like, which what serves a cluster does not ship. */
public final class RemoteCommands implements CommandSource {

    @Override
    public List<Named> commands(Terminal terminal) {
        if (!CommandSource.ships("org.eclipse.jgit.lib.Repository")) {
            return List.of();
        }
        return List.of(
                new Named("apply", () -> new ApplyCommand(terminal)),
                new Named("fetch", () -> new FetchCommand(terminal)));
    }
}
