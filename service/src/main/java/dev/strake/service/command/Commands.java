package dev.strake.service.command;

import java.util.List;

/** All commands of {@code strake}, in the order in which its help lists them. */
public final class Commands {

    private Commands() {}

    /** Commands, and command lines with options for settings. */
    public static List<Object> of(Terminal terminal) {
        return List.of(
                SettingOptions.command(new UpCommand(terminal), UpCommand.OPTIONS),
                SettingOptions.command(new ServeCommand(terminal), ServeCommand.OPTIONS),
                new DemoCommand(terminal),
                new PublishCommand(terminal),
                new WatchCommand(terminal),
                new GetCommand(terminal),
                new DiffCommand(terminal),
                SettingOptions.command(new VerifyCommand(terminal), VerifyCommand.OPTIONS),
                ConfigCommand.of(terminal),
                new DeleteCommand(terminal),
                new RenderCommand(terminal),
                new ValidateCommand(terminal),
                new InterpolateCommand(terminal, System.getenv()));
    }
}
