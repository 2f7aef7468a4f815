package dev.strake.cli.command;

/** What the exit code of a command tells a script. */
public final class ExitCode {

    /** Everything went well; for a comparison: no difference. */
    public static final int FINE = 0;

    /** There are differences, or what was given was rejected or is invalid. */
    public static final int DIFFERENT_OR_INVALID = 1;

    /** The command was not called as it wants to be, or a file named on the command line cannot be read. */
    public static final int USAGE = 2;

    /** The documents are accepted, yet some of them do not render. */
    public static final int RENDER_PROBLEMS = 3;

    /** Kafka cannot be reached, did not answer in time or cannot be used as it is set up. */
    public static final int KAFKA_UNAVAILABLE = 4;

    /** A mistake in Strake itself; sysexits.h calls it EX_SOFTWARE. */
    public static final int BUG = 70;

    /** Stopped by the user. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
