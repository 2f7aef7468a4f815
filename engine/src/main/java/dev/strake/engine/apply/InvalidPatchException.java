package dev.strake.engine.apply;

import dev.strake.engine.apply.PatchFailure.Kind;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A patch cannot be merged. Thrown where this is found; who passes it on adds the way to the place. */
public final class InvalidPatchException extends Exception {

    private static final long serialVersionUID = 1L;

    /** As deep as a rendered document may be: merging recurses. */
    private static final int MOST_LEVELS = 256;

    private final Kind kind;
    private final transient Deque<Object> steps = new ArrayDeque<>();

    InvalidPatchException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** This exception, with a key or an index before the way to the place. */
    InvalidPatchException within(Object step) {
        steps.addFirst(step);
        return this;
    }

    /** What is wrong, and where in the patch. */
    public PatchFailure failure() {
        return new PatchFailure(kind, new Place(List.copyOf(steps)), getMessage());
    }

    static void checkDepth(Value tree) throws InvalidPatchException {
        if (tree != null && tree.depth() > MOST_LEVELS) {
            throw new InvalidPatchException(
                    Kind.LIMIT_EXCEEDED, "more than " + MOST_LEVELS + " levels of mappings and lists cannot be merged");
        }
    }
}
