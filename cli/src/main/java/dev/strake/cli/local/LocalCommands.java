package dev.strake.cli.local;

import dev.strake.cli.command.CommandSource;
import dev.strake.cli.command.SettingOptions;
import dev.strake.cli.command.Terminal;
import dev.strake.server.settings.Catalogue;
import java.util.List;

/** The commands that start a broker of their own: {@code up} and {@code demo}. */
public final class LocalCommands implements CommandSource {

    @Override
    public List<Named> commands(Terminal terminal) {
        if (!CommandSource.ships("kafka.server.KafkaRaftServer")) {
            return List.of();
        }
        return List.of(
                new Named(
                        "up",
                        () -> SettingOptions.command(
                                new UpCommand(terminal), UpCommand.OPTIONS, Catalogue.DEFAULTS_OF_UP)),
                new Named("demo", () -> new DemoCommand(terminal)));
    }
}
