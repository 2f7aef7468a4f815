package dev.strake.cli.interpolate;

import dev.strake.engine.problem.Problem;

/** A file is invalid, or its operations or placeholders cannot be applied. */
public final class InvalidInputException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    InvalidInputException(Problem problem) {
        super(problem.describe());
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
