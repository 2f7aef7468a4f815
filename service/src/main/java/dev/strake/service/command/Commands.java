package dev.strake.service.command;

import java.util.List;

/** All commands of {@code strake}, in the order in which its help lists them. */
public final class Commands {

    private Commands() {}

    public static List<Object> of(Terminal terminal) {
        return List.of(
                new UpCommand(terminal),
                new ServeCommand(terminal),
                new DemoCommand(terminal),
                new PublishCommand(terminal),
                new WatchCommand(terminal),
                new GetCommand(terminal),
                new DiffCommand(terminal),
                new VerifyCommand(terminal),
                new DeleteCommand(terminal),
                new RenderCommand(terminal),
                new ValidateCommand(terminal),
                new InterpolateCommand(terminal, System.getenv()));
    }
}
