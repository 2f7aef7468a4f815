package dev.strake.engine.problem;

import dev.strake.engine.identity.DocumentId;
import java.util.List;

/** A document cannot be rendered. Thrown at the place where this is found. */
public final class EvaluationException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ProblemCode code;
    private final String path;
    private final String hint;
    private final transient DocumentId related;

    /**
     * @param path where in the document it is, as problems say it; null if it is the document as a whole
     * @param related another document that is involved, or null
     */
    public EvaluationException(ProblemCode code, String path, String message, String hint, DocumentId related) {
        super(message);
        this.code = code;
        this.path = path;
        this.hint = hint;
        this.related = related;
    }

    public Problem toProblem(DocumentId document) {
        Problem problem = Problem.of(code, document, getMessage(), hint).at(path);
        return related == null ? problem : problem.relatedTo(List.of(related));
    }
}
