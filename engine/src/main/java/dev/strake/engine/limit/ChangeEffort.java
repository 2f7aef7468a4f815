package dev.strake.engine.limit;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;

/**
 * What a change may cost, counted: a step for each document, label or dependency that is looked at, and the effort of each
 * evaluation. Never measured in time, so that a change is refused, or not, on every machine alike.
 *
 * <p>A change that outlasts its transaction comes again and outlasts it again, for ever. So the whole of a change is
 * bounded, before anything of it is stored or published.
 */
public final class ChangeEffort {

    private final long most;
    private long spent;

    /**
     * @param most steps that may be taken
     */
    public ChangeEffort(long most) {
        this.most = most;
    }

    /**
     * Counts steps; called by several threads that evaluate documents side by side.
     *
     * @throws ExceededException if that is more than may be
     */
    public synchronized void spend(long steps) {
        spent += steps;
        if (spent > most) {
            throw new ExceededException(most);
        }
    }

    /** How many steps were counted. */
    public synchronized long spent() {
        return spent;
    }

    /** A change costs more than it may. Nothing of it is stored or published; the message is fit for its author. */
    public static final class ExceededException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ExceededException(long most) {
            super("the change would take more than " + most + " steps to work out", null, false, false);
        }

        /** This as the reason why the change is refused. */
        public Problem toProblem() {
            return Problem.of(
                    ProblemCode.LIMIT_EXCEEDED,
                    getMessage(),
                    "publish fewer documents at a time, or let fewer documents depend on those that are published");
        }
    }
}
