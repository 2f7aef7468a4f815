package dev.strake.cli.importing;

/** Something cannot be translated. The message says why, and contains no value. */
final class UntranslatableException extends Exception {

    private static final long serialVersionUID = 1L;

    UntranslatableException(String why) {
        super(why);
    }
}
