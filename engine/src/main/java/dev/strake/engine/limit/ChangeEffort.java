package dev.strake.engine.limit;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;

/**
 * Counts the work of a change: steps for each document, label or dependency that is looked at, and the effort of each
 * evaluation. The work is counted and not timed, so every machine refuses the same changes.
 *
 * <p>A change that takes longer than its transaction is retried, and takes too long again, for ever. So the work of a
 * whole change is limited, before any part of the change is stored or published.
 */
public final class ChangeEffort {

    /**
     * Steps for looking up a document in the graph, a dependency, or a combination of labels. Looking at what is at hand, such
     * as one label, is one step.
     */
    public static final long FOR_LOOKUP = 10;

    private final long most;
    private long spent;

    /**
     * @param most the highest number of steps
     */
    public ChangeEffort(long most) {
        this.most = most;
    }

    /**
     * Counts steps. Threads that evaluate documents in parallel call this concurrently.
     *
     * @throws ExceededException if there are more steps than allowed
     */
    public synchronized void spend(long steps) {
        spent += steps;
        if (spent > most) {
            throw new ExceededException(most);
        }
    }

    /** The number of steps counted so far. */
    public synchronized long spent() {
        return spent;
    }

    /** A change takes too many steps, or too much heap. No part of it is stored or published; the message can be shown to its author. */
    public static final class ExceededException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String hint;

        ExceededException(long most) {
            this("the change would take more than " + most + " steps to work out");
        }

        private ExceededException(String message) {
            this(
                    message,
                    "publish fewer documents at a time, or let fewer documents depend on those that are published");
        }

        private ExceededException(String message, String hint) {
            super(message, null, false, false);
            this.hint = hint;
        }

        /** The change would hold more bytes of rendered data, of documents that others are made from, than it may. */
        public static ExceededException ofHeldData(long most) {
            return new ExceededException("the change would hold more than " + most
                    + " bytes of what documents render to from which others are made");
        }

        /** Operations of the workspace would look for their targets by too many combinations of label names. */
        public static ExceededException ofNamesInTargets(int most) {
            return new ExceededException(
                    "the targets of all operations of the workspace would have more than " + most
                            + " names in their combinations of schema and labels",
                    "let them use the same few label names with different values");
        }

        /**
         * The collections and stacks of the workspace would keep more characters of names and paths than they may.
         *
         * @param ofEach characters that each read counts besides
         */
        public static ExceededException ofHeldReads(long most, int ofEach) {
            return new ExceededException(
                    "what all collections and stacks of the workspace read would have more than " + most
                            + " characters of names and paths, with " + ofEach + " for each read",
                    "let them read fewer documents, or shorten their paths and names");
        }

        /** The problem for which the change is refused. */
        public Problem toProblem() {
            return Problem.of(ProblemCode.LIMIT_EXCEEDED, getMessage(), hint);
        }
    }
}
