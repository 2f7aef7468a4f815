package dev.strake.cli.terminal;

/** A command that may have to tell of its failures in a form of its own, and not in a sentence on stderr. */
public interface TellsFailures {

    /**
     * Tells of a failure that ends the command.
     *
     * @return whether it did so; otherwise others have to
     */
    public boolean tellFailure(String message, int exitCode);
}
