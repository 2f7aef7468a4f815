package dev.strake.remote.apply;

/** The target has changed since the last step, so the step of a single revision does not fit. */
public final class OutOfStepException extends Exception {

    OutOfStepException(String message) {
        super(message);
    }
}
