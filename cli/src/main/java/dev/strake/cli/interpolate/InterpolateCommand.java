package dev.strake.cli.interpolate;

import dev.strake.cli.files.PlainYaml;
import dev.strake.cli.interpolate.Interpolating.Effect;
import dev.strake.cli.output.JsonOutput;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.FailureReporter;
import dev.strake.cli.terminal.TerminalCommand;
import dev.strake.engine.interpolation.Variables;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationPath;
import dev.strake.engine.operations.OperationPathException;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.PlaceChange;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.serdes.text.YamlOutput;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "interpolate",
        aliases = "int",
        description = {
            "Apply BOSH operations files to a document and fill its ((variables)), without Kafka.",
            "",
            "Takes the options of 'bosh interpolate'. Prints the result as YAML with its keys in their order. If an "
                    + "operation fails, the error goes to stderr with file and line, and nothing is printed. Global "
                    + "options of bosh that have no effect here (-n, --tty, -e, -d, --client, ...) are accepted and "
                    + "ignored, also before the command.",
        },
        footer = {
            "",
            "@|bold Examples|@",
            "  strake interpolate cf.yml -o scale-to-one-az.yml -v domain=example.com",
            "  strake interpolate cf.yml -o use-postgres.yml --diff",
            "  cat cf.yml | strake interpolate - -l vars.yml --path /instance_groups/0/azs",
            "  strake -n --json interpolate cf.yml -v domain=example.com",
            "",
            "Exit codes: 0 done (--diff: no difference), 1 invalid or failed (--diff: differences), 2 wrong usage.",
        })
public final class InterpolateCommand extends TerminalCommand implements FailureReporter {

    @Parameters(paramLabel = "BASE", description = "A YAML file, or - for the standard input.")
    private String base;

    @Option(
            names = {"-o", "--ops-file"},
            paramLabel = "FILE",
            description = "An operations file, or -; several are applied in their order.")
    private List<String> operations = new ArrayList<>();

    @Option(
            names = {"-v", "--var"},
            paramLabel = "NAME=VALUE",
            description = "A variable; the value is read as YAML.")
    private List<String> values = new ArrayList<>();

    @Option(names = "--var-file", paramLabel = "NAME=PATH", description = "A variable that is the text of a file.")
    private List<String> textFiles = new ArrayList<>();

    @Option(
            names = {"-l", "--vars-file"},
            paramLabel = "PATH",
            description = "A YAML file with variables; NAME=PATH is taken for --var-file.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--vars-env",
            paramLabel = "PREFIX",
            description = "Variables from the environment: PREFIX_name is the variable name.")
    private List<String> prefixes = new ArrayList<>();

    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "Print only the value at this path; texts as they are. The last one given counts.")
    private List<String> paths = new ArrayList<>();

    @Option(names = "--var-errs", description = "Fail if a variable is missing.")
    private boolean[] needsAll = {};

    @Option(names = "--var-errs-unused", description = "Fail if a variable is not used.")
    private boolean[] needsUsed = {};

    @Option(
            names = {"--diff", "--dry-run"},
            description = "Print what each operation changes instead of the result; variables are left alone.")
    private boolean[] diff = {};

    @Mixin
    private BoshOptions global;

    @Override
    public Integer call() throws IOException {
        Optional<String> path = paths.isEmpty() ? Optional.empty() : Optional.of(paths.get(paths.size() - 1));
        if (BoshOptions.isGiven(diff) && (path.isPresent() || global.wantsJson())) {
            throw usage("--diff shows all changes. It cannot be combined with --path or --json.");
        }
        OperationPath place = place(path.orElse(""));
        PlainYaml yaml = new PlainYaml(terminal.in());
        try {
            Variables variables = variables(yaml);
            Interpolating document = Interpolating.read(yaml, base, operations);
            document.ignored().forEach(terminal::say);
            if (BoshOptions.isGiven(diff)) {
                List<Effect> effects = document.effects();
                effects.forEach(this::print);
                return effects.isEmpty() ? ExitCode.FINE : ExitCode.DIFFERENT_OR_INVALID;
            }
            Value result = place.find(
                    document.result(variables, BoshOptions.isGiven(needsAll), BoshOptions.isGiven(needsUsed)),
                    RenderLimits.NONE.budget());
            if (global.wantsJson()) {
                printEnvelope(ListValue.of(List.of(new Text(text(result, path.isPresent())))), "Succeeded");
            } else {
                terminal.out().print(text(result, path.isPresent()));
            }
            return ExitCode.FINE;
        } catch (InvalidInputException e) {
            fail(e.problem().describe());
        } catch (OperationPathException e) {
            fail("--path '" + place + "': " + e.getMessage());
        }
        return ExitCode.DIFFERENT_OR_INVALID;
    }

    private static String text(Value result, boolean isPart) {
        return isPart && result instanceof Text text ? text.value() + "\n" : YamlOutput.textAlone(result);
    }

    private void fail(String message) {
        if (!reportFailure(message, ExitCode.DIFFERENT_OR_INVALID)) {
            terminal.say(message);
        }
    }

    @Override
    public boolean reportFailure(String message, int exitCode) {
        if (global.wantsJson()) {
            printEnvelope(Null.NULL, message, "Exit code " + exitCode);
        }
        return global.wantsJson();
    }

    /* The form in which bosh prints the output of every command. */
    private void printEnvelope(Value blocks, String... lines) {
        List<Value> texts = Stream.of(lines).<Value>map(Text::new).toList();
        JsonOutput.printLine(
                terminal.out(),
                MapValue.of("Tables", Null.NULL).with("Blocks", blocks).with("Lines", ListValue.of(texts)));
    }

    private OperationPath place(String path) {
        try {
            return OperationPath.of(path);
        } catch (OperationPathException e) {
            throw usage("--path '" + path + "' cannot be read: " + e.getMessage() + ".");
        }
    }

    private Variables variables(PlainYaml yaml) throws IOException, InvalidInputException {
        try {
            return new VariableSources(values, textFiles, files, prefixes).read(yaml, System.getenv());
        } catch (InvalidPathException e) {
            throw e; // reported like any other path
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private void print(Effect effect) {
        terminal.out().print(styled("fg(cyan)", "@@ " + effect.cause() + " @@") + "\n");
        for (PlaceChange change : effect.changes()) {
            terminal.out().print(styled("bold", "  " + effect.path(change.place())) + "\n");
            print("-", "fg(red)", change.before());
            print("+", "fg(green)", change.after());
        }
    }

    private void print(String sign, String style, Value value) {
        if (value != null) {
            YamlOutput.textAlone(value)
                    .lines()
                    .forEach(line -> terminal.out().print(styled(style, sign + " " + line) + "\n"));
        }
    }

    private String styled(String style, String text) {
        return global.wantsNoColour() ? text : terminal.styled(style, text);
    }
}
