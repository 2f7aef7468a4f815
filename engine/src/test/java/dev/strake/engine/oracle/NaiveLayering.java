package dev.strake.engine.oracle;

import dev.strake.engine.oracle.PlainDocument.Action;
import dev.strake.engine.oracle.Trouble.TroubleException;
import dev.strake.engine.path.Path;
import dev.strake.engine.path.PathConflictException;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Value;

/** The actions of a child, from Deckhand's description: each one works on the result of the previous one. */
final class NaiveLayering {

    private NaiveLayering() {}

    /**
     * Returns the data after one action.
     *
     * @param place the place of the action in its document
     * @param own the data with which the child was published
     * @param working the parent's rendered data, after the actions before this one
     */
    static Value apply(Action action, String place, Value own, Value working, int padding) throws TroubleException {
        try {
            Path path = Path.ofAction(action.path());
            return switch (action.method()) {
                case "merge" -> merge(place, path, own, working, padding);
                case "replace" -> replace(action, place, path, own, working, padding);
                case "delete" -> delete(place, path, working);
                default -> throw new IllegalStateException("an action that no format allows: " + action.method());
            };
        } catch (PathSyntaxException | PathConflictException e) {
            throw Trouble.of(ProblemCode.INVALID_DOCUMENT_PATH, place).exception();
        }
    }

    private static Value merge(String place, Path path, Value own, Value working, int padding)
            throws TroubleException, PathConflictException {
        Value value = present(place, path, own);
        boolean maps = value instanceof MapValue && Places.first(path, working) instanceof MapValue;
        Value laid = maps ? Places.merged((MapValue) Places.first(path, working), (MapValue) value) : value;
        return Places.write(path, working, laid, padding);
    }

    private static Value replace(Action action, String place, Path path, Value own, Value working, int padding)
            throws TroubleException, PathConflictException {
        Value value = present(place, path, own);
        // In Deckhand a mapping does not replace a mapping at $, and published documents reveal it.
        boolean nothing = action.path().equals("$") && value instanceof MapValue && working instanceof MapValue;
        return nothing ? working : Places.write(path, working, value, padding);
    }

    private static Value delete(String place, Path path, Value working) throws TroubleException, PathConflictException {
        if (path.isRoot()) {
            return MapValue.EMPTY;
        }
        present(place, path, working);
        return Places.remove(path, working);
    }

    /* Null counts as absent here. */
    private static Value present(String place, Path path, Value data) throws TroubleException {
        Value value = Places.first(path, data);
        if (value == null || value instanceof Null) {
            throw Trouble.of(ProblemCode.MISSING_DOCUMENT_KEY, place).exception();
        }
        return value;
    }
}
