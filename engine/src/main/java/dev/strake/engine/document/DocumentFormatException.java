package dev.strake.engine.document;

import dev.strake.engine.problem.Problem;
import java.util.List;

/** A tree that is not a valid document. Contains all problems, not just the first one. */
public final class DocumentFormatException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public DocumentFormatException(List<Problem> problems) {
        super(problems.get(0).describe());
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
