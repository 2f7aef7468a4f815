package dev.strake.engine.operations;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;

/**
 * Thrown if a list of operations is invalid, or an operation fails. The message names the operation, its path, the
 * failed component, and the keys, kinds or counts found there. It never quotes a value.
 */
public final class OperationException extends Exception {

    /** The number for errors of the list as a whole. */
    static final int NO_OPERATION = -1;

    private static final int LONGEST_PATH = 300;

    private final ProblemCode code;
    private final int number;
    private final String reason;
    private final String hint;

    private OperationException(ProblemCode code, int number, String message, String reason, String hint) {
        super(message);
        this.code = code;
        this.number = number;
        this.reason = reason;
        this.hint = hint;
    }

    static OperationException invalid(int number, String reason, String path, String hint) {
        String message = path == null ? reason : reason + " (its path is '" + shortened(path) + "')";
        return new OperationException(ProblemCode.INVALID_OPERATIONS, number, message, reason, hint);
    }

    static OperationException failed(int number, Operation operation, OperationPathException cause) {
        String at = cause.component() == null ? "" : " fails at '" + shortened(cause.component()) + "'";
        String reason = operation.error() == null
                ? cause.getMessage()
                : "Error '" + operation.error() + "': " + cause.getMessage();
        return new OperationException(
                ProblemCode.OPERATION_FAILED,
                number,
                describe(number, operation) + at + ": " + reason,
                reason,
                cause.hint());
    }

    static OperationException tooLarge(int number, Operation operation, String reason) {
        return new OperationException(
                ProblemCode.LIMIT_EXCEEDED, number, describe(number, operation) + ": " + reason, reason, null);
    }

    private static String describe(int number, Operation operation) {
        return "operation [" + number + "] (" + operation.type() + " '"
                + shortened(operation.path().toString()) + "')";
    }

    /* Shortens a path, because long messages are cut at the end, where the reason is. */
    private static String shortened(String text) {
        return Problem.cut(text, LONGEST_PATH);
    }

    /** The position of the operation in its list, counted from 0 as in messages; -1 for the list as a whole. */
    public int number() {
        return number;
    }

    /** The reason, in the words of go-patch. */
    public String reason() {
        return reason;
    }

    /**
     * This exception as a problem of the document that contains the list.
     *
     * @param list the path of the list in its document, in the notation of problems: {@code .data.operations}.
     *     Empty if the list is the whole document
     */
    public Problem toProblem(String list) {
        String path = number == NO_OPERATION ? list : list + "[" + number + "]";
        return Problem.of(code, getMessage(), hint).at(path.isEmpty() ? null : path);
    }
}
