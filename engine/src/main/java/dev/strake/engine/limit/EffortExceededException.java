package dev.strake.engine.limit;

import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;

/**
 * Rendering a document takes more work than it may. Not checked, because nearly everything that works with trees can
 * throw it; whoever starts the work catches it, and nobody on the way does.
 */
public final class EffortExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EffortExceededException(long most) {
        super(
                "takes more than " + most + " units of work (values that are read, written or matched)",
                null,
                false,
                false);
    }

    /**
     * This as what is wrong with a document.
     *
     * @param path what the work was for, in the notation of the author; null if that is no single place
     * @param what the work, as the beginning of a sentence: "substitution 3"
     */
    public EvaluationException at(String path, String what) {
        return new EvaluationException(
                ProblemCode.LIMIT_EXCEEDED,
                path,
                what + " " + getMessage(),
                "name places instead of searching with .., * and patterns; or cut the document into several",
                null);
    }
}
