package dev.strake.engine.operations;

import java.util.function.Supplier;

/**
 * A text that is no path, or a path that does not lead through a document. The message is that of go-patch, so that
 * what people search for is found; it names paths, keys, kinds and counts, never values.
 */
public final class OperationPathException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Supplier<String> message;
    private final String component;
    private final boolean missingAtEnd;
    private final String hint;

    /** A text that is no path. */
    OperationPathException(String message) {
        this(() -> message, null, false, null);
    }

    /**
     * @param message made when somebody asks for it: a test for absence fails on its way to success, and a map may have
     *     any number of keys to list
     * @param component the component at which the path ends to lead on; null where that is no single one
     * @param missingAtEnd whether all is there but the very last key or item
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

    /** What the author can do, or null if the message says it. */
    public String hint() {
        return hint;
    }

    boolean isMissingAtEnd() {
        return missingAtEnd;
    }
}
