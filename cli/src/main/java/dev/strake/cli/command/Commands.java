package dev.strake.cli.command;

import dev.strake.cli.command.CommandSource.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;

/** All commands of {@code strake}, in the order in which its help lists them. */
public final class Commands {

    private Commands() {}

    /** The command that a command line wants, or all of them if it does not begin with the name of one. */
    public static List<Object> wantedBy(Terminal terminal, String... args) {
        List<Named> own = own(terminal);
        List<Named> wanted = named(args, own);
        if (wanted.isEmpty()) { // looking for those of other libraries opens all jars
            List<Named> all = new ArrayList<>(ofLibraries(terminal));
            all.addAll(own);
            wanted = named(args, all);
            if (wanted.isEmpty()) {
                wanted = all;
            }
        }
        return wanted.stream()
                .map(each -> each.command().get())
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<Named> named(String[] args, List<Named> commands) {
        return commands.stream()
                .filter(each -> args.length > 0 && each.name().equals(args[0]))
                .toList();
    }

    private static List<Named> ofLibraries(Terminal terminal) {
        List<Named> commands = new ArrayList<>();
        ServiceLoader.load(CommandSource.class).forEach(source -> commands.addAll(source.commands(terminal)));
        return commands;
    }

    private static List<Named> own(Terminal terminal) {
        return List.of(
                new Named("serve", () -> SettingOptions.command(new ServeCommand(terminal), ServeCommand.OPTIONS)),
                new Named("publish", () -> new PublishCommand(terminal)),
                new Named("tag", () -> new TagCommand(terminal)),
                new Named("untag", () -> new UntagCommand(terminal)),
                new Named("rollback", () -> new RollbackCommand(terminal)),
                new Named("watch", () -> new WatchCommand(terminal)),
                new Named("get", () -> new GetCommand(terminal)),
                new Named("diff", () -> new DiffCommand(terminal)),
                new Named("verify", () -> SettingOptions.command(new VerifyCommand(terminal), VerifyCommand.OPTIONS)),
                new Named("config", () -> ConfigCommand.of(terminal)),
                new Named("token", () -> new TokenCommand(terminal)),
                new Named("keys", () -> new KeysCommand(terminal)),
                new Named("seal", () -> new SealCommand(terminal)),
                new Named("dead-letters", () -> new DeadLettersCommand(terminal)),
                new Named("delete", () -> new DeleteCommand(terminal)),
                new Named("render", () -> new RenderCommand(terminal)),
                new Named("validate", () -> new ValidateCommand(terminal)),
                new Named("explain", () -> new ExplainCommand(terminal)),
                new Named("affected", () -> new AffectedCommand(terminal)),
                new Named("plan", () -> new PlanCommand(terminal)),
                new Named("init", () -> new InitCommand(terminal)),
                new Named("problem", () -> new ProblemCommand(terminal)),
                new Named("interpolate", () -> new InterpolateCommand(terminal, System.getenv())),
                new Named("merge", () -> new MergeCommand(terminal)),
                new Named("template-validate", () -> ofHeat(terminal)));
    }

    /* Null where the jar strake-heat is left out. */
    private static Object ofHeat(Terminal terminal) {
        return CommandSource.ships("dev.strake.heat.HeatStack") ? new TemplateValidateCommand(terminal) : null;
    }
}
