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
 * The value that one substitution takes from its source. It is read at once, because it is an input of the evaluation.
 * Its pattern is applied later, when the first destination is written.
 */
public final class TakenValue {

    private final Substitution substitution;
    private final int number;
    private final DocumentId source;
    private final Consumer<Problem> warnings;
    private Value found;
    private PathSyntaxException unreadable;
    private Value picked;

    private TakenValue(Substitution substitution, int number, DocumentId source, Consumer<Problem> warnings) {
        this.substitution = substitution;
        this.number = number;
        this.source = source;
        this.warnings = warnings;
    }

    /**
     * Reads the value.
     *
     * @param number position of the substitution in its document, counted from 0
     * @param source the document that the substitution names
     * @param data what the source rendered to
     * @param warnings takes the warning of a pattern that matches nothing
     */
    static TakenValue of(
            Substitution substitution,
            int number,
            DocumentId source,
            Value data,
            Budget reading,
            Consumer<Problem> warnings) {
        TakenValue taken = new TakenValue(substitution, number, source, warnings);
        try {
            taken.found = Substituting.select(substitution.source(), data, reading);
        } catch (PathSyntaxException e) {
            taken.unreadable = e; // reported in its turn: an earlier substitution may fail first
        }
        return taken;
    }

    /** Position of the substitution in its document, counted from 0. */
    public int number() {
        return number;
    }

    public Substitution.Source wanted() {
        return substitution.source();
    }

    public DocumentId source() {
        return source;
    }

    /** The value at the source path; Java's null if there is none or it is null. */
    public Value found() {
        return found;
    }

    /** The value that was written: the found one, or the part of it that the pattern picks; null before it was written. */
    public Value picked() {
        return picked;
    }

    /**
     * The value to write.
     *
     * @throws EvaluationException if the source has nothing there, or the pattern cannot be applied
     */
    Value value(Budget budget) throws EvaluationException {
        if (unreadable != null) {
            throw new EvaluationException(
                    ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                    Substituting.place(number) + ".src",
                    "cannot take %s of %s: %s".formatted(path(), source.key(), unreadable.getMessage()),
                    null,
                    null);
        }
        if (found == null) {
            throw new EvaluationException(
                    ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND,
                    Substituting.place(number) + ".src",
                    "finds nothing, or null, at %s of %s".formatted(path(), source.key()),
                    "correct src.path, or give the source a value there",
                    source);
        }
        if (picked == null) {
            picked = Substituting.pick(substitution.source(), number, found, source, budget, warnings);
        }
        return picked;
    }

    private String path() {
        return Substituting.shortened(substitution.source().path().text());
    }

    @Override
    public String toString() {
        return "TakenValue[" + number + "]"; // the value may be secret
    }
}
