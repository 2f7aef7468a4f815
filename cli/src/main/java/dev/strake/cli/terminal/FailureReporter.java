package dev.strake.cli.terminal;

/** A command that may report its failures in a special form, and not in a sentence on stderr. */
public interface FailureReporter {

    /**
     * Reports a failure that ends the command.
     *
     * @return whether the command reported it; otherwise the caller has to
     */
    public boolean reportFailure(String message, int exitCode);
}
