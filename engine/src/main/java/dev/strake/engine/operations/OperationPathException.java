package dev.strake.engine.operations;

import java.util.function.Supplier;

/**
 * A text that is no path, or a path that does not lead through a document. The message is the same as in go-patch, so
 * that people find it when they search for it. It names paths, keys, kinds and counts, never values; the hint may
 * have the names of items.
 */
public final class OperationPathException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<String> message;
    private final String component;
    private final boolean missingAtEnd;
    private final String hint;

    OperationPathException(String message) {
        this(() -> message, null, false, null);
    }

    /**
     * @param message made only on demand: a successful test for absence causes this exception, and the message may have
     *     to list any number of keys
     * @param component the component at which the path stops leading on; null if it is no single component
     * @param missingAtEnd whether only the very last key or item is missing
     * @param hint what the author can do, or null
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

    /** The component that failed, or null. */
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
