package dev.strake.engine.render;

import dev.strake.engine.document.Substitution;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.substitution.Substituting;
import dev.strake.engine.tree.Value;
import java.util.function.Consumer;

/**
 * The value that one substitution takes from its source. Read before evaluation begins, because it is an input; its pattern
 * is applied when the first destination wants it.
 */
final class TakenValue {

    private final Substitution substitution;
    private final int number;
    private final DocumentId source;
    private final Consumer<Problem> warnings;
    private final Value found;
    private final PathSyntaxException unreadable;
    private Value picked;

    /**
     * Reads.
     *
     * @param number position of the substitution in its document, counted from 0
     * @param source the document that the substitution names
     * @param data what the source rendered to
     * @param warnings hears of a pattern that matches nothing
     */
    TakenValue(
            Substitution substitution,
            int number,
            DocumentId source,
            Value data,
            Budget reading,
            Consumer<Problem> warnings) {
        this.substitution = substitution;
        this.number = number;
        this.source = source;
        this.warnings = warnings;
        Value value = null;
        PathSyntaxException mistake = null;
        try {
            value = Substituting.select(substitution.source(), data, reading);
        } catch (PathSyntaxException e) {
            mistake = e; // told in its turn: another substitution may fail before this one
        }
        this.found = value;
        this.unreadable = mistake;
    }

    int number() {
        return number;
    }

    /** The document that was read. */
    DocumentId source() {
        return source;
    }

    /** What stands at the source path; null if nothing, or null, does. */
    Value found() {
        return found;
    }

    /**
     * What is to be written.
     *
     * @throws EvaluationException if the source has nothing there, or the pattern cannot be applied
     */
    Value value(Budget budget) throws EvaluationException {
        if (unreadable != null) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    substitution.source().pathText(),
                    "substitution " + (number + 1) + " cannot take its value: " + unreadable.getMessage(),
                    null,
                    null);
        }
        if (found == null) {
            throw new EvaluationException(
                    ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND,
                    substitution.source().pathText(),
                    "substitution " + (number + 1) + " finds nothing, or null, at this path of its source",
                    "correct src.path, or give the source a value there",
                    source);
        }
        if (picked == null) {
            picked = Substituting.pick(substitution.source(), number, found, source, budget, warnings);
        }
        return picked;
    }

    @Override
    public String toString() {
        return "TakenValue[" + number + "]"; // the value may be secret
    }
}
