package dev.strake.cli.command;

import java.util.List;
import java.util.function.Supplier;

/**
 * Commands that only some programs have. What serves a cluster ships no broker, so the commands that start one come from
 * a library that the program may lack; Java's {@link java.util.ServiceLoader} finds it.
 */
public interface CommandSource {

    /**
     * A command that is made when somebody wants it: to describe all of them takes longer than many a command runs.
     *
     * @param name as it is typed
     * @param command what picocli takes for a command, or a command line with options for settings
     */
    record Named(String name, Supplier<Object> command) {}

    /** The commands, in the order in which the help lists them first. */
    List<Named> commands(Terminal terminal);
}
