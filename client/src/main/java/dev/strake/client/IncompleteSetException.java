package dev.strake.client;

/**
 * The topic of rendered documents does not hold what the last outcome of a workspace says, though all of it was read.
 * Records were deleted or written by somebody else. The message names the workspace; {@code strake verify} names the
 * documents.
 */
public final class IncompleteSetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    IncompleteSetException(String message) {
        super(message);
    }
}
