package dev.strake.cli;

import dev.strake.cli.terminal.ExitCode;
import dev.strake.cli.terminal.FailureReporter;
import dev.strake.cli.terminal.Terminal;
import dev.strake.client.IncompleteSetException;
import dev.strake.client.KafkaUnavailableException;
import dev.strake.client.MisconfiguredException;
import dev.strake.client.StateClient.NotFoundException;
import dev.strake.client.StateClient.RefusedException;
import dev.strake.engine.problem.Location;
import dev.strake.server.pipeline.PipelineFailedException;
import java.io.File;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns failures into one sentence on stderr and an exit code. Prints a stack trace only on request: it would not help
 * users who mistyped a file name.
 */
record ErrorReport(Terminal terminal, boolean stackTraces)
        implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String command = unknownCommand(e);
        if (Commands.isLeftOut(command)) {
            say("This distribution only serves a Kafka cluster and has no '%s'. Use ./strake of a checkout."
                    .formatted(command));
            return ExitCode.USAGE;
        }
        String message = command.isEmpty() ? e.getMessage() : "There is no command '%s'.".formatted(command);
        if (tellsItself(e.getCommandLine(), message, ExitCode.USAGE)) {
            return ExitCode.USAGE;
        }
        say(message);
        if (!UnmatchedArgumentException.printSuggestions(e, terminal.err())) {
            terminal.say("See '%s --help'."
                    .formatted(e.getCommandLine().getCommandSpec().qualifiedName()));
        }
        return ExitCode.USAGE;
    }

    /* Returns the unknown word in place of a command; empty for other errors. */
    private static String unknownCommand(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched
                && e.getCommandLine().getParent() == null
                && !unmatched.getUnmatched().get(0).startsWith("-")) {
            return unmatched.getUnmatched().get(0);
        }
        return "";
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine commandLine, ParseResult parsed) {
        int code = e instanceof NotFoundException
                ? commandLine.getCommandSpec().exitCodeOnExecutionException()
                : exitCode(e);
        if (code == ExitCode.INTERRUPTED) {
            return code;
        }
        String message = sentence(e, code);
        if (!tellsItself(commandLine, message, code)) {
            say(message);
        }
        if (stackTraces) {
            e.printStackTrace(terminal.err());
        } else if (code == ExitCode.BUG && !(e instanceof PipelineFailedException)) {
            terminal.say("This is a bug in Strake. Please report it with the output of STRAKE_DEBUG=1.");
        }
        return code;
    }

    private static boolean tellsItself(CommandLine commandLine, String message, int code) {
        return commandLine.getCommand() instanceof FailureReporter command && command.reportFailure(message, code);
    }

    static int exitCode(Throwable e) {
        if (e instanceof InterruptedException || e instanceof InterruptException || e instanceof WakeupException) {
            return ExitCode.INTERRUPTED;
        }
        if (e instanceof KafkaUnavailableException || e instanceof KafkaException) {
            return ExitCode.KAFKA_UNAVAILABLE;
        }
        if (e instanceof BindException
                || e instanceof FileSystemException
                || e instanceof InvalidPathException
                || e instanceof UncheckedIOException
                || e instanceof MisconfiguredException
                || e instanceof IncompleteSetException
                || e instanceof RefusedException) {
            return ExitCode.USAGE;
        }
        return ExitCode.BUG;
    }

    private static String sentence(Exception e, int code) {
        Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
        if (cause instanceof NoSuchFileException missing) {
            return noFile(missing.getFile());
        }
        if (cause instanceof FileSystemException file) {
            String name = String.valueOf(file.getFile());
            return "The %s %s cannot be used: %s."
                    .formatted(
                            new File(name).isDirectory() ? "folder" : "file", Location.inOneLine(name), reason(file));
        }
        if (cause instanceof InvalidPathException path) {
            return noPath(path.getInput());
        }
        if (cause instanceof PipelineFailedException) {
            return cause.getMessage(); // written for users
        }
        if (code == ExitCode.BUG || cause.getMessage() == null) {
            // The message of an unexpected exception may quote a document; its type cannot.
            return "Unexpected " + cause.getClass().getName();
        }
        return cause.getMessage();
    }

    /* Names a missing folder as well: then a file that should be created is reported as missing. */
    private static String noFile(String name) {
        File folder = new File(name).getAbsoluteFile().getParentFile();
        String more =
                folder == null || folder.exists() ? "" : ", and no folder " + Location.inOneLine(folder.toString());
        return "There is no file %s%s.".formatted(Location.inOneLine(name), more);
    }

    private static String reason(FileSystemException e) {
        if (e.getReason() != null) {
            return e.getReason();
        }
        if (e instanceof AccessDeniedException) {
            return "no permission";
        }
        return e instanceof FileAlreadyExistsException
                ? "it exists already, and is not a folder"
                : e.getClass().getSimpleName();
    }

    /** Explains why a text is not a file name: Java cannot encode names that it could not decode by the locale. */
    static String noPath(String name) {
        return "'%s' cannot be the name of a file here: names beyond ASCII need a locale with UTF-8, such as LC_ALL=C.UTF-8."
                .formatted(Location.inOneLine(name));
    }

    void say(String message) {
        terminal.say(terminal.styledErr("bold,fg(red)", "strake:") + " " + message);
    }
}
