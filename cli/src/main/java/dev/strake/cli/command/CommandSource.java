package dev.strake.cli.command;

import java.util.List;

/**
 * Commands that only some programs have. What serves a cluster ships no broker, so the commands that start one come from
 * a library that the program may lack; Java's {@link java.util.ServiceLoader} finds it.
 */
public interface CommandSource {

    /** Commands, and command lines with options for settings, in the order in which the help lists them first. */
    List<Object> commands(Terminal terminal);
}
