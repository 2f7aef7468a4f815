package dev.strake.cli.command;

import java.util.List;
import java.util.function.Supplier;

/**
 * Commands that only some distributions have. What serves a cluster ships no broker and no library for git or Kubernetes.
 * Java's {@link java.util.ServiceLoader} finds the sources; a source whose library is missing has no commands.
 */
public interface CommandSource {

    /**
     * A command that is made when somebody wants it: to describe all of them takes longer than many a command runs.
     *
     * @param name as it is typed
     * @param command what picocli takes for a command, or a command line with options for settings; null if its library is
     *     missing
     */
    record Named(String name, Supplier<Object> command) {}

    /** The commands, in the order in which the help lists them first. */
    List<Named> commands(Terminal terminal);

    /** Whether this distribution has the library of a class. */
    static boolean ships(String className) {
        return CommandSource.class.getResource("/" + className.replace('.', '/') + ".class") != null;
    }
}
