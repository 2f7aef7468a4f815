package dev.strake.engine.document;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import java.util.List;

/** Signals that a tree is not a valid document. Contains all problems, not just the first one. */
public final class DocumentFormatException extends Exception {

    private final List<Problem> problems;

    public DocumentFormatException(List<Problem> problems) {
        super(problems.get(0).describe());
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }

    /**
     * Returns the problems of the document at a position in a file or a change. If the document has no identity, the
     * messages name its position.
     *
     * @param number the position, counted from 1
     */
    public List<Problem> problems(int number) {
        return problems.stream().map(each -> numbered(each, number)).toList();
    }

    private static Problem numbered(Problem problem, int number) {
        DocumentId id = problem.document();
        if (id != null
                && !(id.schema().isEmpty() && id.layer().isEmpty() && id.name().isEmpty())) {
            return problem;
        }
        String which = problem.path() == null ? "document " + number + ": " : "of document " + number + " ";
        return problem.on(null).withMessage(which + problem.message(), problem.hint());
    }
}
