package dev.strake.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.cli.terminal.CapturedTerminal;

/** Runs a command in this JVM, for tests of other packages. */
public final class StrakeCommand {

    private StrakeCommand() {}

    /** Checks the exit code, and returns the command's stdout. */
    public static String run(int code, String... arguments) {
        CapturedTerminal terminal = CapturedTerminal.pipe();
        assertThat(Strake.run(terminal.terminal(), arguments))
                .as(() -> terminal.err())
                .isEqualTo(code);
        return terminal.out();
    }
}
