package dev.strake.cli;

import dev.strake.cli.terminal.CapturedTerminal;

/** Runs a command in this JVM, for tests of other packages. */
public final class StrakeCommand {

    private StrakeCommand() {}

    /** Checks the exit code, and returns the command's stdout. */
    public static String run(int code, String... arguments) {
        return CapturedTerminal.pipe().run(code, arguments).out();
    }
}
