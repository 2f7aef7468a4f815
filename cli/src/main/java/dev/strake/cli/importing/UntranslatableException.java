package dev.strake.cli.importing;

/** One thing cannot be translated. The message says why, without a value. */
final class UntranslatableException extends Exception {

    private static final long serialVersionUID = 1L;

    UntranslatableException(String why) {
        super(why);
    }
}
