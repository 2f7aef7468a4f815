package dev.strake.engine.render;

import dev.strake.engine.document.Action;
import dev.strake.engine.document.Substitution.Destination;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.layering.Layering;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.Operations;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.substitution.Substituting;
import dev.strake.engine.substitution.TakenValue;
import dev.strake.engine.tree.Value;

/**
 * One step of the evaluation of a document. Each step works on the data after the step before. A {@link Watcher} can
 * observe the steps to find out where a value comes from.
 */
public sealed interface Step {

    /** The document that contains this step: the evaluated document, or one with operations on it. */
    DocumentId askedBy();

    /** The path of the step in that document. */
    String place();

    /**
     * The data after this step.
     *
     * @param data the result of the steps before; null before the first
     * @throws EvaluationException if the step fails
     */
    Value take(Value data, Budget budget) throws EvaluationException;

    /**
     * Starts with the document's own data, or with the data of its base.
     *
     * @param base the document on which the document layers; null if there is none
     */
    record Begin(DocumentId askedBy, DocumentId base, Value start) implements Step {

        @Override
        public String place() {
            return base == null ? ".data" : ".metadata.layeringDefinition.parentSelector";
        }

        @Override
        public Value take(Value data, Budget budget) {
            return start;
        }
    }

    /**
     * Takes one action of layering.
     *
     * @param number position of the action in the document, counted from 0
     * @param own the document's own data
     */
    record Layer(DocumentId askedBy, int number, Action action, Value own) implements Step {

        @Override
        public String place() {
            return Layering.place(number);
        }

        @Override
        public Value take(Value data, Budget budget) throws EvaluationException {
            return Layering.apply(action, number, own, data, budget);
        }
    }

    /**
     * Writes the value of a substitution to one of its destinations.
     *
     * @param taken the value, the same for all destinations of the substitution
     * @param number position of the destination in the substitution, counted from 0
     */
    record Substitute(DocumentId askedBy, TakenValue taken, int number, Destination destination) implements Step {

        @Override
        public String place() {
            return Substituting.place(taken.number(), number);
        }

        /** Whether the substitution takes a part of the source's value, or replaces a part of the destination. */
        public boolean hasPattern() {
            return !taken.wanted().pattern().isEmpty() || !destination.pattern().isEmpty();
        }

        @Override
        public Value take(Value data, Budget budget) throws EvaluationException {
            return taken.writtenTo(destination, number, data, budget);
        }
    }

    /**
     * Carries out one operation of another document.
     *
     * @param number position of the operation in that document, counted from 0
     */
    record Operate(DocumentId askedBy, int number, Operations operations) implements Step {

        @Override
        public String place() {
            return ".data.operations[" + number + "]";
        }

        @Override
        public Value take(Value data, Budget budget) throws EvaluationException {
            try {
                return operations.applyOne(number, data, budget);
            } catch (OperationException e) {
                Problem problem = e.toProblem(".data.operations");
                String message = "cannot be changed by " + askedBy + ": " + problem.message();
                throw new EvaluationException(problem.code(), place(), message, problem.hint(), askedBy);
            } catch (BudgetExceededException e) {
                throw e.at(place(), "cannot be changed by " + askedBy + ": operation [" + number + "]", askedBy);
            }
        }
    }

    /** Observes the steps of an evaluation. */
    @FunctionalInterface
    interface Watcher {

        /** Ignores all steps. */
        Watcher NONE = (step, before, after) -> {};

        /**
         * Called after each step.
         *
         * @param before the data before the step; null before the first
         */
        void taken(Step step, Value before, Value after);
    }
}
