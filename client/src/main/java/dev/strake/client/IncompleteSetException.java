package dev.strake.client;

/**
 * The topic of rendered documents was read to its end and does not match the last outcome of a workspace. Records were
 * deleted, or another program wrote some. The message names the workspace; {@code strake verify} names the documents.
 */
public final class IncompleteSetException extends RuntimeException {

    IncompleteSetException(String message) {
        super(message);
    }
}
