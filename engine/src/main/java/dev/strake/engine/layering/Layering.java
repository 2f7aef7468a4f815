package dev.strake.engine.layering;

import dev.strake.engine.document.Action;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.path.WrittenPath;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;

/**
 * Applies a child's actions to its parent's data, in order. Each action works on the result of the action before. The
 * result contains only the parts of the child's own data that the actions name.
 */
public final class Layering {

    private Layering() {}

    /**
     * The data of a child after one of its actions.
     *
     * @param number position of the action in its document, counted from 0; for messages
     * @param own the child's own data, the source for merge and replace
     * @param working the parent's rendered data after the actions before this one
     * @throws EvaluationException if the action finds no data to use, or no place to write to
     */
    public static Value apply(Action action, int number, Value own, Value working, Budget budget)
            throws EvaluationException {
        try {
            Path path = action.path().compiled();
            return switch (action.method()) {
                case MERGE -> merge(path, given(path, own, budget), working, budget);
                case REPLACE -> replace(action.path(), given(path, own, budget), working, budget);
                case DELETE -> delete(path, working, budget);
            };
        } catch (PathSyntaxException e) {
            throw failure(ProblemCode.INVALID_DOCUMENT_PATH, action, number, e.getMessage(), null);
        } catch (PathConflictException e) {
            throw failure(
                    ProblemCode.INVALID_DOCUMENT_PATH,
                    action,
                    number,
                    e.getMessage(),
                    "compare the path with the parent's rendered data");
        } catch (MissingKeyException e) {
            throw failure(ProblemCode.MISSING_DOCUMENT_KEY, action, number, e.getMessage(), e.hint);
        }
    }

    private static Value given(Path path, Value own, Budget budget) throws MissingKeyException {
        Value value = path.first(own, budget);
        if (value == null || value instanceof Null) {
            throw new MissingKeyException(
                    "the document's own data has " + (value == null ? "nothing" : "null") + " there",
                    "add data at the path, or remove the action");
        }
        return value;
    }

    private static Value merge(Path path, Value value, Value working, Budget budget) throws PathConflictException {
        Value under = value instanceof MapValue ? path.first(working, budget) : null;
        return path.write(working, under == null ? value : under.mergedUnder(value, budget::spend), budget);
    }

    private static Value replace(WrittenPath path, Value value, Value working, Budget budget)
            throws PathSyntaxException, PathConflictException {
        boolean mayBeMap = working instanceof MapValue || Text.isSealed(working);
        if (path.isDollar() && value instanceof MapValue && mayBeMap) {
            return working; // a no-op in Deckhand too, and published documents rely on it
        }
        return path.compiled().write(working, value, budget);
    }

    /* A key with a null value counts as absent here, as in Deckhand. */
    private static Value delete(Path path, Value working, Budget budget)
            throws MissingKeyException, PathConflictException {
        Value found = path.first(working, budget);
        if (!path.isRoot() && (found == null || found instanceof Null)) {
            throw new MissingKeyException(
                    "the parent's data has " + (found == null ? "nothing" : "null") + " there",
                    "remove the action, or correct its path");
        }
        return path.remove(working, budget);
    }

    private static EvaluationException failure(ProblemCode code, Action action, int number, String why, String hint) {
        String message = "cannot " + action.method().text() + " " + action.path() + ": " + why;
        return new EvaluationException(code, place(number), message, hint, null);
    }

    /** The path of an action in its document, for problems. */
    public static String place(int number) {
        return ".metadata.layeringDefinition.actions[" + number + "]";
    }

    private static final class MissingKeyException extends Exception {

        private final String hint;

        MissingKeyException(String message, String hint) {
            super(message);
            this.hint = hint;
        }
    }
}
