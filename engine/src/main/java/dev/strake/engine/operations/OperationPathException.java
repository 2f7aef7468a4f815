package dev.strake.engine.operations;

import java.util.function.Supplier;

/**
 * Thrown if a text is not a path, or a path does not lead through a document. The message is the same as in go-patch,
 * so that users can search for it. It contains paths, keys, kinds and counts, never values. The hint may contain names
 * of items.
 */
public final class OperationPathException extends Exception {

    private final Supplier<String> message;
    private final String component;
    private final boolean missingAtEnd;
    private final String hint;

    OperationPathException(String message) {
        this(() -> message, null, false, null);
    }

    /**
     * @param message built on demand: a successful test for absence throws this exception internally, and the message
     *     may list any number of keys
     * @param component the component that fails; null if the failure is not at one component
     * @param missingAtEnd whether only the last key or item is missing
     * @param hint what the author can do; null if the message says enough
     */
    OperationPathException(Supplier<String> message, String component, boolean missingAtEnd, String hint) {
        super(null, null, false, false);
        this.message = message;
        this.component = component;
        this.missingAtEnd = missingAtEnd;
        this.hint = hint;
    }

    @Override
    public String getMessage() {
        return message.get();
    }

    /** The component that failed; null if the failure is not at one component. */
    public String component() {
        return component;
    }

    /** What the author can do; null if the message says enough. */
    public String hint() {
        return hint;
    }

    boolean isMissingAtEnd() {
        return missingAtEnd;
    }
}
