package dev.strake.cli;

import static java.util.stream.Collectors.joining;

import dev.strake.cli.interpolate.BoshOptions;
import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.Terminal;
import dev.strake.serdes.change.RemovalLimit;
import dev.strake.server.Versions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The program: {@code strake COMMAND}. */
@Command(
        name = "strake",
        mixinStandardHelpOptions = true,
        versionProvider = Strake.Version.class,
        description = "Renders layered configuration documents, and publishes those that a change affects.",
        footer = {
            "",
            "@|bold Exit codes|@",
            "  0  success, or no difference  4  Kafka unreachable or timed out",
            "  1  differences, rejected,     5  done, except what was printed",
            "     failed, or invalid        70  a bug in Strake",
            "  2  wrong usage              130  interrupted",
            "  3  documents that do not render, or would not; published in part",
            "",
            "@|bold Environment|@",
            "  STRAKE_*          a setting: STRAKE_HTTP_PORT is strake.http.port",
            "  STRAKE_CONFIG     a file of settings, if --config is not given",
            "  KAFKA_*           client settings: KAFKA_SASL_MECHANISM is sasl.mechanism",
            "  STRAKE_URL        the address of a running Strake, if --url is not given",
            "  STRAKE_TOKEN      the token for it, if --token-file is not given",
            "  STRAKE_WORKSPACE  the workspace, if -w is not given",
            "  STRAKE_AUTHOR     the author of changes, if --author is not given",
            "  NO_COLOR          set to anything: no colours",
            "  STRAKE_LOG        level of Strake's own log on stderr (warn)",
            "  STRAKE_KAFKA_LOG  level of Kafka's log on stderr (warn)",
            "  STRAKE_DEBUG      set to anything: stack traces with errors",
            "  STRAKE_JAVA_OPTS  options for the JVM, read by the launcher",
            "",
            "Help and examples for a command: @|bold strake help COMMAND|@",
            "Completion for this shell: @|bold source <(strake generate-completion)|@",
        })
public final class Strake implements Runnable {

    private static final List<String> INTERPOLATE = List.of("interpolate", "int");

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        // Otherwise picocli searches every jar for a class of Groovy.
        System.setProperty("picocli.disable.closures", "true");
        Thread.setDefaultUncaughtExceptionHandler(Strake::end);
        // Exits even if threads of a client or of the broker are still stopping: their hooks close them in order.
        System.exit(run(Terminal.ofProcess(), args));
    }

    /* Reports a thread that failed. The message of its exception may quote a document, so it is not printed. */
    private static void end(Thread thread, Throwable failure) {
        String place = failure.getStackTrace().length == 0 ? "" : " at " + failure.getStackTrace()[0];
        System.err.println("strake: the thread " + thread.getName() + " ended: "
                + failure.getClass().getName() + place);
        if (failure instanceof Error) {
            Runtime.getRuntime().halt(ExitCode.BUG);
        }
    }

    /** Runs one command and returns its exit code. */
    public static int run(Terminal terminal, String... typed) {
        String[] args = BoshOptions.behindCommand(INTERPOLATE, helpBehindCommand(typed));
        ErrorReport errors = new ErrorReport(terminal, System.getenv().containsKey("STRAKE_DEBUG"));
        CommandLine commandLine = new CommandLine(new Strake());
        List<Object> commands = Commands.wantedBy(terminal, args);
        for (Object command : commands) { // a lambda would keep picocli's classes out of the launcher's archive
            commandLine.addSubcommand(command);
        }
        if (commands.size() > 1) { // no command of ours is named, so it may be this one
            commandLine.addSubcommand(new GenerateCompletion());
        }
        commandLine
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(Help.defaultColorScheme(terminal.ansi()))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(int.class, given -> whole(given, Integer::valueOf))
                .registerConverter(Integer.class, given -> whole(given, Integer::valueOf))
                .registerConverter(long.class, given -> whole(given, Long::valueOf))
                .registerConverter(Long.class, given -> whole(given, Long::valueOf))
                .registerConverter(Path.class, Strake::path)
                .registerConverter(RemovalLimit.class, Strake::removals)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
        commandLine.getSubcommands().values().forEach(Strake::readChoicesAsTheyAreShown);
        int code = commandLine.execute(args);
        terminal.out().flush();
        terminal.err().flush();
        Optional<String> loss = terminal.lossOfResults();
        loss.ifPresent(reason -> errors.say("Results could not be written: " + reason + "."));
        return code == ExitCode.FINE && loss.isPresent() ? ExitCode.USAGE : code;
    }

    /* Translates "strake help publish" to "strake publish --help". */
    private static String[] helpBehindCommand(String[] typed) {
        if (typed.length == 0 || !typed[0].equals("help")) {
            return typed;
        }
        return Stream.concat(Stream.of(typed).skip(1), Stream.of("--help")).toArray(String[]::new);
    }

    private static Path path(String given) {
        try {
            return Path.of(given);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(ErrorReport.noPath(given));
        }
    }

    private static RemovalLimit removals(String given) {
        try {
            return RemovalLimit.parse(given);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + given + "' is " + e.getMessage());
        }
    }

    /* Replaces picocli's message, which contains names of Java types. */
    private static <T> T whole(String given, Function<String, T> number) {
        try {
            return number.apply(given);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "'" + given + (given.matches("[-+]?[0-9]+") ? "' is too large" : "' is not a whole number"));
        }
    }

    /* Replaces picocli's message, which contains names of constants instead of what users type. */
    private static void readChoicesAsTheyAreShown(CommandLine command) {
        for (ArgSpec argument : command.getCommandSpec().args()) {
            if (argument.type().isEnum()) {
                Object[] choices = argument.type().getEnumConstants();
                command.registerConverter(choice(argument), given -> choose(given, choices));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Class<Object> choice(ArgSpec argument) {
        return (Class<Object>) argument.type();
    }

    private static Object choose(String given, Object[] choices) {
        return Stream.of(choices)
                .filter(choice -> choice.toString().equalsIgnoreCase(given))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'%s' is none of %s"
                        .formatted(
                                given, Stream.of(choices).map(Object::toString).collect(joining(", ")))));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command.");
    }

    /** The versions of Strake, Kafka and Java. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            return new String[] {
                "strake %s (Kafka %s, Java %s)"
                        .formatted(Versions.HERE.strake(), Versions.HERE.kafka(), Versions.HERE.java())
            };
        }
    }
}
