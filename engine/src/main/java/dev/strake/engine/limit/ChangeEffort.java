package dev.strake.engine.limit;

import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;

/**
 * Counts the work of a change: steps for each document, label or dependency that is inspected, and the effort of each
 * evaluation. The work is counted and not timed, so every machine rejects the same changes.
 *
 * <p>A change that takes longer than its transaction would fail and be retried for ever. So the work of a whole change
 * is limited, before any part of it is stored or published.
 */
public final class ChangeEffort {

    /**
     * Steps for looking up a document in the graph, a dependency, or a combination of labels. Reading a single label of
     * a known document is one step.
     */
    public static final long FOR_LOOKUP = 10;

    private final long most;
    private long spent;

    /**
     * @param most the maximum number of steps
     */
    public ChangeEffort(long most) {
        this.most = most;
    }

    /**
     * Counts steps. Threads that evaluate documents in parallel call this concurrently.
     *
     * @throws ExceededException if the steps exceed the maximum
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

    /** The change takes too much work or heap. Nothing is stored or published. Its author may see the message. */
    public static final class ExceededException extends RuntimeException {

        private final String hint;

        ExceededException(long most) {
            this("the change would take more than " + most + " steps of work");
        }

        private ExceededException(String message) {
            this(message, "publish fewer documents at a time, or let fewer documents depend on them");
        }

        private ExceededException(String message, String hint) {
            super(message, null, false, false);
            this.hint = hint;
        }

        /** The change would hold too many bytes of rendered data of documents that others are made from. */
        public static ExceededException ofHeap(long most) {
            return new ExceededException("the change would hold more than " + most
                    + " bytes of rendered data on which other documents depend");
        }

        /** Operations of the workspace would look up their targets by too many combinations of label names. */
        public static ExceededException ofNamesInTargets(int most) {
            return new ExceededException(
                    "the targets of all operations in the workspace would use label names in too many combinations, with"
                            + " more than " + most + " names in total",
                    "use the same few label names in all targets, with different values");
        }

        /**
         * The collections and stacks of the workspace would hold too many characters of names and paths.
         *
         * @param ofEach the characters that each read counts in addition
         */
        public static ExceededException ofReads(long most, int ofEach) {
            return new ExceededException(
                    "all collections and stacks in the workspace would read documents with more than " + most
                            + " characters of names and paths, counting " + ofEach + " for each read",
                    "let them read fewer documents, or shorten their paths and names");
        }

        /** The problem with which the change is rejected. */
        public Problem toProblem() {
            return Problem.of(ProblemCode.LIMIT_EXCEEDED, getMessage(), hint);
        }
    }
}
