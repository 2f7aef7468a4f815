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
import dev.strake.cli.verify.VerifyCommand;
import dev.strake.server.settings.Catalogue;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * All commands of {@code strake}, in the order in which its help lists them. The distribution that serves a cluster ships no
 * broker and no library for git or Kubernetes, and lacks the commands that need these.
 */
public final class Commands {

    private static final String GIT = "org.eclipse.jgit.lib.Repository";
    private static final String BROKER = "kafka.server.KafkaRaftServer";

    /** A class that a command needs, of a library that a distribution may leave out. */
    private static final Map<String, String> NEEDS = Map.of(
            "apply", GIT, "fetch", GIT, "up", BROKER, "demo", BROKER, "template-validate", "dev.strake.heat.HeatStack");

    private Commands() {}

    /**
     * A command that is made when somebody wants it: to describe all of them takes longer than many a command runs.
     *
     * @param name as it is typed
     * @param command what picocli takes for a command, or a command line with options for settings
     */
    private record Named(String name, Supplier<Object> command) {}

    /** The command that a command line wants, or all of them if it does not begin with the name of one. */
    public static List<Object> wantedBy(Terminal terminal, String... args) {
        List<Named> all =
                all(terminal).stream().filter(each -> !isLeftOut(each.name())).toList();
        List<Named> wanted = all.stream()
                .filter(each -> args.length > 0 && each.name().equals(args[0]))
                .toList();
        return (wanted.isEmpty() ? all : wanted)
                .stream().map(each -> each.command().get()).toList();
    }

    /** Whether this distribution lacks a command because it does not ship what the command needs. */
    static boolean isLeftOut(String command) {
        String needed = NEEDS.get(command);
        return needed != null && Commands.class.getResource("/" + needed.replace('.', '/') + ".class") == null;
    }

    private static List<Named> all(Terminal terminal) {
        return List.of(
                new Named("apply", () -> new ApplyCommand(terminal)),
                new Named("fetch", () -> new FetchCommand(terminal)),
                new Named(
                        "up",
                        () -> SettingOptions.command(
                                new UpCommand(terminal), UpCommand.OPTIONS, Catalogue.DEFAULTS_OF_UP)),
                new Named("demo", () -> new DemoCommand(terminal)),
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
                new Named("import", () -> new ImportCommand(terminal)),
                new Named("problem", () -> new ProblemCommand(terminal)),
                new Named("interpolate", () -> new InterpolateCommand(terminal, System.getenv())),
                new Named("merge", () -> new MergeCommand(terminal)),
                new Named("template-validate", () -> new TemplateValidateCommand(terminal)));
    }
}
