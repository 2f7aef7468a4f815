package dev.strake.engine.problem;

import dev.strake.engine.identity.DocumentId;
import java.util.List;

/** Signals that a document cannot be rendered. */
public final class EvaluationException extends Exception {

    private final ProblemCode code;
    private final String path;
    private final String hint;
    private final DocumentId related;

    /**
     * @param path the place in the document, in the notation of {@link Problem}; null for the document as a whole
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
