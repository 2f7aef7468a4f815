package dev.strake.cli.interpolate;

import dev.strake.engine.problem.Problem;

/** A file is invalid, or its operations or placeholders cannot be applied. */
public final class InvalidInputException extends Exception {

    private final Problem problem;

    InvalidInputException(Problem problem) {
        super(problem.describe());
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
