package dev.strake.engine.layering;

import dev.strake.engine.document.Action;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;
import java.util.List;

/**
 * Applies a child's actions to its parent's data, one after the other, each to the result of the one before. Of the
 * child's own data only what its actions name comes into the result.
 */
public final class Layering {

    private Layering() {}

    /**
     * The layered data of a child.
     *
     * @param own the child's own data, the source for merge and replace
     * @param parent the parent's rendered data
     * @param padding how far an index may reach beyond the end of a list
     * @throws EvaluationException if an action finds nothing to work with, or nowhere to put it
     */
    public static Value apply(List<Action> actions, Value own, Value parent, int padding) throws EvaluationException {
        Value working = parent;
        for (int i = 0; i < actions.size(); i++) {
            Action action = actions.get(i);
            try {
                working = apply(action, own, working, padding);
            } catch (PathSyntaxException e) {
                throw failure(ProblemCode.INVALID_DOCUMENT_PATH, action, i, e.getMessage(), null);
            } catch (PathConflictException e) {
                throw failure(
                        ProblemCode.INVALID_DOCUMENT_PATH,
                        action,
                        i,
                        e.getMessage(),
                        "compare the path with the parent's rendered data");
            } catch (MissingKeyException e) {
                throw failure(ProblemCode.MISSING_DOCUMENT_KEY, action, i, e.getMessage(), e.hint);
            }
        }
        return working;
    }

    private static Value apply(Action action, Value own, Value working, int padding)
            throws PathSyntaxException, PathConflictException, MissingKeyException {
        Path path = action.path();
        if (action.method() == Action.Method.DELETE) {
            return delete(path, working);
        }
        Value value = path.first(own);
        if (value == null || value == Null.NULL) {
            throw new MissingKeyException(
                    "the document's own data has " + (value == null ? "nothing" : "null") + " there",
                    "give the document data at the path, or drop the action");
        }
        boolean merge = action.method() == Action.Method.MERGE;
        if (merge && value instanceof MapValue over && path.first(working) instanceof MapValue under) {
            return path.write(working, under.mergedWith(over), padding);
        }
        if (!merge && path.isDollar() && value instanceof MapValue && working instanceof MapValue) {
            return working; // in Deckhand replacing one mapping by another at $ does nothing, and documents show it
        }
        return path.write(working, value, padding);
    }

    /* A key that says null counts as absent here, as in Deckhand. */
    private static Value delete(Path path, Value working) throws MissingKeyException {
        Value found = path.first(working);
        if (!path.isRoot() && (found == null || found == Null.NULL)) {
            throw new MissingKeyException(
                    "the parent's data has " + (found == null ? "nothing" : "null") + " there to delete",
                    "drop the action, or correct its path");
        }
        return path.remove(working);
    }

    private static EvaluationException failure(ProblemCode code, Action action, int i, String why, String hint) {
        String message = "action " + (i + 1) + " (" + action.method().text() + ") fails: " + why;
        return new EvaluationException(code, action.pathText(), message, hint, null);
    }

    private static final class MissingKeyException extends Exception {

        private static final long serialVersionUID = 1L;

        private final String hint;

        MissingKeyException(String message, String hint) {
            super(message);
            this.hint = hint;
        }
    }
}
