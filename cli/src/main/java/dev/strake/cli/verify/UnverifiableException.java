package dev.strake.cli.verify;

/** A comparison is impossible: there is no such workspace, or required data is gone. The message says which. */
public final class UnverifiableException extends Exception {

    UnverifiableException(String message) {
        super(message);
    }
}
