package dev.strake.serdes.change;

import dev.strake.engine.problem.Problem;
import java.util.List;

/** Thrown if a change cannot be applied. Contains all problems of the change, up to a limit. */
public final class RejectedChangeException extends Exception {

    private final List<Problem> problems;

    public RejectedChangeException(List<Problem> problems) {
        super(problems.get(0).describe());
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
