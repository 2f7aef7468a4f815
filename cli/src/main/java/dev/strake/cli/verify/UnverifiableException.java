package dev.strake.cli.verify;

/** There is nothing to compare with: no such workspace, or what is needed is gone. The message says which. */
public final class UnverifiableException extends Exception {

    private static final long serialVersionUID = 1L;

    UnverifiableException(String message) {
        super(message);
    }
}
