package dev.strake.cli.importing;

/** Something cannot be translated. The message says why, and contains no value. */
final class UntranslatableException extends Exception {

    UntranslatableException(String why) {
        super(why);
    }
}
