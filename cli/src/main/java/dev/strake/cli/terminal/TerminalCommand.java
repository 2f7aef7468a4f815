package dev.strake.cli.terminal;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that prints to a terminal, and may have to say that it was called wrongly. */
public abstract class TerminalCommand implements Callable<Integer> {

    protected final Terminal terminal;

    @Spec
    private CommandSpec spec;

    protected TerminalCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** What to throw if the command was not called as it wants to be. */
    protected final ParameterException usage(String message) {
        CommandLine called = spec.commandLine();
        while (called.getParseResult() != null && called.getParseResult().hasSubcommand()) {
            called = called.getParseResult().subcommand().commandSpec().commandLine();
        }
        return new ParameterException(called, message);
    }

    /** The same for a reason without a capital letter and a full stop. */
    protected final ParameterException usage(IllegalArgumentException reason) {
        String message = reason.getMessage();
        return usage(Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".");
    }
}
