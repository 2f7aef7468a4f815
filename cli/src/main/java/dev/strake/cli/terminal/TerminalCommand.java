package dev.strake.cli.terminal;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints to a terminal, and may have to reject its arguments. */
@Command(mixinStandardHelpOptions = true)
public abstract class TerminalCommand implements Callable<Integer> {

    protected Terminal terminal;

    @Spec
    private CommandSpec spec;

    /** Sets the terminal, and returns this command. */
    public final TerminalCommand on(Terminal its) {
        terminal = its;
        return this;
    }

    /** Creates the exception for wrong usage. */
    protected final ParameterException usage(String message) {
        CommandLine called = spec.commandLine();
        while (called.getParseResult() != null && called.getParseResult().hasSubcommand()) {
            called = called.getParseResult().subcommand().commandSpec().commandLine();
        }
        return new ParameterException(called, message);
    }

    /** Creates the exception for wrong usage. The reason has no capital letter and no full stop. */
    protected final ParameterException usage(IllegalArgumentException reason) {
        String message = reason.getMessage();
        return usage(Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".");
    }
}
