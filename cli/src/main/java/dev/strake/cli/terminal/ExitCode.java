package dev.strake.cli.terminal;

/** The exit codes of commands. */
public final class ExitCode {

    /** Success; for a comparison: no difference. */
    public static final int FINE = 0;

    /** There are differences, or the input was rejected or is invalid. */
    public static final int DIFFERENT_OR_INVALID = 1;

    /**
     * The user or operator has to correct something first: the usage, a file named on the command line that cannot be
     * read, a setting, or topics whose setup is wrong or whose content is lost.
     */
    public static final int USAGE = 2;

    /** The documents are accepted, but some of them do not render. */
    public static final int RENDER_PROBLEMS = 3;

    /** Kafka cannot be reached, did not answer in time, or denied permission. A retry may succeed. */
    public static final int KAFKA_UNAVAILABLE = 4;

    /** Done, except for the items that were printed. */
    public static final int INCOMPLETE = 5;

    /** A bug in Strake; EX_SOFTWARE of sysexits.h. */
    public static final int BUG = 70;

    /** Stopped by the user. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
