package dev.strake.engine.limit;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;

/**
 * Rendering a document takes too much work. This exception is unchecked, because nearly all code that works with trees
 * can throw it. Only the code that starts the work catches it.
 */
public final class BudgetExceededException extends RuntimeException {

    BudgetExceededException(long most) {
        super(
                "takes more than " + most + " units of work (values that are read, written or matched)",
                null,
                false,
                false);
    }

    /**
     * Returns this exception as the reason why a document cannot be rendered.
     *
     * @param path the path for which the work was done, as the author wrote it; null if there is no single path
     * @param what names the work, as the start of a sentence: "substitution 3"
     */
    public EvaluationException at(String path, String what) {
        return at(path, what, null);
    }

    /**
     * As {@link #at(String, String)}, where the path may belong to another document.
     *
     * @param other the document whose operation did the work; null if it is the rendered one
     */
    public EvaluationException at(String path, String what, DocumentId other) {
        return new EvaluationException(
                ProblemCode.LIMIT_EXCEEDED,
                path,
                what + " " + getMessage(),
                "use exact paths instead of .., * and patterns, or split the document",
                other);
    }
}
