package dev.strake.cli.interpolate;

import dev.strake.engine.problem.Problem;

/** Something is wrong with a file, or what its operations or placeholders ask for cannot be done. */
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
