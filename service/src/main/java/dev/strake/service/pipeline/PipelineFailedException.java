package dev.strake.service.pipeline;

/**
 * The pipeline has stopped by a mistake of its own or by broken state, and starting it again would end the same way.
 * The message names the kind of failure and its place, never what a document holds.
 */
public final class PipelineFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PipelineFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
