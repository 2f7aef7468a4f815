package dev.strake.serdes.text;

import dev.strake.engine.problem.Problem;

/** Thrown if a text is not YAML or JSON, or exceeds a limit. Says where and what to do, and never quotes the text. */
public final class UnreadableTextException extends Exception {

    private final Problem problem;

    UnreadableTextException(Problem problem) {
        super(problem.describe());
        this.problem = problem;
    }

    public Problem problem() {
        return problem;
    }
}
