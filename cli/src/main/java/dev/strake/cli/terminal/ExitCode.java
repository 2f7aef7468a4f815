package dev.strake.cli.terminal;

/** What the exit code of a command tells a script. */
public final class ExitCode {

    /** Everything went well; for a comparison: no difference. */
    public static final int FINE = 0;

    /** There are differences, or what was given was rejected or is invalid. */
    public static final int DIFFERENT_OR_INVALID = 1;

    /**
     * Somebody has to change something first: the command was not called as it wants to be, a file named on the command
     * line cannot be read, a setting is refused, topics are not set up as they have to be or their content is gone.
     */
    public static final int USAGE = 2;

    /** The documents are accepted, yet some of them do not render. */
    public static final int RENDER_PROBLEMS = 3;

    /** Kafka cannot be reached, did not answer in time or does not permit what is asked; later it may. */
    public static final int KAFKA_UNAVAILABLE = 4;

    /** Done, but for what was printed. */
    public static final int INCOMPLETE = 5;

    /** A mistake in Strake itself; sysexits.h calls it EX_SOFTWARE. */
    public static final int BUG = 70;

    /** Stopped by the user. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
