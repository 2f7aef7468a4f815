package dev.strake.remote.apply;

/** The target is not where the applier left it, so a step of one revision does not fit. */
public final class OutOfStepException extends Exception {

    private static final long serialVersionUID = 1L;

    OutOfStepException(String message) {
        super(message);
    }
}
