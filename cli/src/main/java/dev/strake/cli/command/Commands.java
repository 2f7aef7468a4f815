package dev.strake.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** All commands of {@code strake}, in the order in which its help lists them. */
public final class Commands {

    private Commands() {}

    /** Commands, and command lines with options for settings; those of other libraries first. */
    public static List<Object> of(Terminal terminal) {
        List<Object> all = new ArrayList<>();
        ServiceLoader.load(CommandSource.class).forEach(source -> all.addAll(source.commands(terminal)));
        all.addAll(List.of(
                SettingOptions.command(new ServeCommand(terminal), ServeCommand.OPTIONS),
                new PublishCommand(terminal),
                new TagCommand(terminal),
                new UntagCommand(terminal),
                new RollbackCommand(terminal),
                new WatchCommand(terminal),
                new GetCommand(terminal),
                new DiffCommand(terminal),
                SettingOptions.command(new VerifyCommand(terminal), VerifyCommand.OPTIONS),
                ConfigCommand.of(terminal),
                new TokenCommand(terminal),
                KeysCommand.of(terminal),
                new DeleteCommand(terminal),
                new RenderCommand(terminal),
                new ValidateCommand(terminal),
                new ExplainCommand(terminal),
                new AffectedCommand(terminal),
                new PlanCommand(terminal),
                new InitCommand(terminal),
                new ProblemCommand(terminal),
                new InterpolateCommand(terminal, System.getenv()),
                new MergeCommand(terminal),
                new TemplateValidateCommand(terminal)));
        return all;
    }
}
