package dev.strake.cli;

import dev.strake.cli.change.DeleteCommand;
import dev.strake.cli.change.PlanCommand;
import dev.strake.cli.change.PublishCommand;
import dev.strake.cli.change.RollbackCommand;
import dev.strake.cli.change.SealCommand;
import dev.strake.cli.change.TagCommand;
import dev.strake.cli.change.UntagCommand;
import dev.strake.cli.importing.ImportCommand;
import dev.strake.cli.interpolate.InterpolateCommand;
import dev.strake.cli.local.DemoCommand;
import dev.strake.cli.local.UpCommand;
import dev.strake.cli.offline.InitCommand;
import dev.strake.cli.offline.ProblemCommand;
import dev.strake.cli.offline.RenderCommand;
import dev.strake.cli.offline.ValidateCommand;
import dev.strake.cli.operate.ConfigCommand;
import dev.strake.cli.operate.DeadLettersCommand;
import dev.strake.cli.operate.KeysCommand;
import dev.strake.cli.operate.ServeCommand;
import dev.strake.cli.operate.TokenCommand;
import dev.strake.cli.option.SettingOptions;
import dev.strake.cli.question.AffectedCommand;
import dev.strake.cli.question.DiffCommand;
import dev.strake.cli.question.ExplainCommand;
import dev.strake.cli.question.GetCommand;
import dev.strake.cli.question.WatchCommand;
import dev.strake.cli.remote.ApplyCommand;
import dev.strake.cli.remote.FetchCommand;
import dev.strake.cli.remote.MergeCommand;
import dev.strake.cli.template.TemplateValidateCommand;
import dev.strake.cli.terminal.Terminal;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.cli.verify.VerifyCommand;
import dev.strake.server.settings.Catalogue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All commands of {@code strake}, in the order of its help. The distribution for serving a cluster contains no broker
 * and no library for git or Kubernetes, so it lacks the commands that need these.
 */
public final class Commands {

    private static final String REMOTE = "dev.strake.remote.fetch.Fetcher";
    private static final String BROKER = "kafka.server.KafkaRaftServer";

    /** For each command, a class that it needs from a library that a distribution may leave out. */
    private static final Map<String, String> NEEDS = Map.of(
            "apply",
            REMOTE,
            "fetch",
            REMOTE,
            "up",
            BROKER,
            "demo",
            BROKER,
            "template-validate",
            "dev.strake.heat.HeatStack");

    private Commands() {}

    /**
     * A command that is created on demand: describing all commands takes longer than running most of them.
     *
     * @param name as users type it
     * @param type the class with the annotation of picocli
     * @param command creates the command
     * @param whole returns what picocli needs: the command, or a command line with options for settings
     */
    private record Named(
            String name,
            Class<? extends TerminalCommand> type,
            Supplier<TerminalCommand> command,
            Function<TerminalCommand, Object> whole) {

        Named(String name, Class<? extends TerminalCommand> type, Supplier<TerminalCommand> command) {
            this(name, type, command, itself -> itself);
        }

        Object on(Terminal terminal) {
            return whole.apply(command.get().on(terminal));
        }

        /* Without options, which take most of the time. */
        Object heading() {
            CommandSpec heading = CommandSpec.create();
            heading.updateCommandAttributes(type.getAnnotation(Command.class), CommandLine.defaultFactory());
            return heading;
        }
    }

    /**
     * Returns the command that a command line names. Otherwise returns all commands; without their options if the
     * command line begins with an option, because then it can only ask for a list.
     */
    public static List<Object> wantedBy(Terminal terminal, String... args) {
        String first = args.length == 0 ? "" : args[0];
        List<Named> all = all();
        List<Object> wanted = all.stream()
                .filter(each -> each.name().equals(first) && !isLeftOut(first))
                .map(each -> each.on(terminal))
                .toList();
        if (!wanted.isEmpty()) {
            return wanted;
        }
        return all.stream()
                .filter(each -> !isLeftOut(each.name()))
                .map(each -> first.startsWith("-") ? each.heading() : each.on(terminal))
                .toList();
    }

    /** Whether this distribution lacks the libraries of a command. */
    static boolean isLeftOut(String command) {
        String needed = NEEDS.get(command);
        if (needed == null) {
            return false;
        }
        try {
            // The launcher's archive contains this class. A lookup of a resource would search every jar.
            Class.forName(needed, false, Commands.class.getClassLoader());
            return false;
        } catch (ClassNotFoundException e) {
            return true;
        }
    }

    /* Lambdas: a method reference would load and verify every command, including those whose libraries are left out. */
    private static List<Named> all() {
        return List.of(
                new Named("apply", ApplyCommand.class, () -> new ApplyCommand()),
                new Named("fetch", FetchCommand.class, () -> new FetchCommand()),
                new Named(
                        "up",
                        UpCommand.class,
                        () -> new UpCommand(),
                        up -> SettingOptions.command(up, UpCommand.OPTIONS, Catalogue.DEFAULTS_OF_UP)),
                new Named("demo", DemoCommand.class, () -> new DemoCommand()),
                new Named(
                        "serve",
                        ServeCommand.class,
                        () -> new ServeCommand(),
                        serve -> SettingOptions.command(serve, ServeCommand.OPTIONS)),
                new Named("publish", PublishCommand.class, () -> new PublishCommand()),
                new Named("tag", TagCommand.class, () -> new TagCommand()),
                new Named("untag", UntagCommand.class, () -> new UntagCommand()),
                new Named("rollback", RollbackCommand.class, () -> new RollbackCommand()),
                new Named("watch", WatchCommand.class, () -> new WatchCommand()),
                new Named("get", GetCommand.class, () -> new GetCommand()),
                new Named("diff", DiffCommand.class, () -> new DiffCommand()),
                new Named(
                        "verify",
                        VerifyCommand.class,
                        () -> new VerifyCommand(),
                        verify -> SettingOptions.command(verify, VerifyCommand.OPTIONS)),
                new Named("config", ConfigCommand.class, () -> new ConfigCommand(), ConfigCommand::withOptions),
                new Named("token", TokenCommand.class, () -> new TokenCommand()),
                new Named("keys", KeysCommand.class, () -> new KeysCommand()),
                new Named("seal", SealCommand.class, () -> new SealCommand()),
                new Named("dead-letters", DeadLettersCommand.class, () -> new DeadLettersCommand()),
                new Named("delete", DeleteCommand.class, () -> new DeleteCommand()),
                new Named("render", RenderCommand.class, () -> new RenderCommand()),
                new Named("validate", ValidateCommand.class, () -> new ValidateCommand()),
                new Named("explain", ExplainCommand.class, () -> new ExplainCommand()),
                new Named("affected", AffectedCommand.class, () -> new AffectedCommand()),
                new Named("plan", PlanCommand.class, () -> new PlanCommand()),
                new Named("init", InitCommand.class, () -> new InitCommand()),
                new Named("import", ImportCommand.class, () -> new ImportCommand()),
                new Named("problem", ProblemCommand.class, () -> new ProblemCommand()),
                new Named("interpolate", InterpolateCommand.class, () -> new InterpolateCommand()),
                new Named("merge", MergeCommand.class, () -> new MergeCommand()),
                new Named("template-validate", TemplateValidateCommand.class, () -> new TemplateValidateCommand()));
    }
}
