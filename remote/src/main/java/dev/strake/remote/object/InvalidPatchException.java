package dev.strake.remote.object;

import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A patch cannot be merged, or a document cannot be applied. Thrown where this is found; who passes it on adds the way to the
 * place. The message names keys and places, never values.
 */
public final class InvalidPatchException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The kinds of failures, and the status that an API server has for them. */
    public enum Kind {
        /** The document is no Kubernetes object: it lacks what identifies one, or its metadata cannot hold annotations. */
        INVALID_OBJECT("invalid-object", 400),
        /** A tree is nested deeper than can be merged. */
        LIMIT_EXCEEDED("limit-exceeded", 422),
        /** Strategic merge patches are for the built-in kinds. */
        UNREGISTERED_KIND("unregistered-kind", 415),
        /** A list to be merged holds different types of elements, or other types than its field wants. */
        LIST_TYPES_DIFFER("list-types-differ", 422),
        /** An element of a list that is merged by a key lacks the key. */
        MISSING_MERGE_KEY("missing-merge-key", 422),
        /** {@code $patch} has another value than {@code replace} or {@code delete}. */
        UNKNOWN_PATCH_DIRECTIVE("unknown-patch-directive", 422),
        /** {@code $retainKeys} is no list, or does not name all that the patch sets. */
        BAD_RETAIN_KEYS("bad-retainKeys", 422),
        /** {@code $setElementOrder} cannot be read. */
        BAD_SET_ELEMENT_ORDER("bad-setElementOrder", 422),
        /** The list of a patch is in another order than its {@code $setElementOrder}, or is not all in it. */
        ORDER_MISMATCH("order-mismatch", 422),
        /** {@code $deleteFromPrimitiveList} cannot be read. */
        BAD_DELETE_FROM_PRIMITIVE_LIST("bad-deleteFromPrimitiveList", 422);

        private final String text;
        private final int status;

        Kind(String text, int status) {
            this.text = text;
            this.status = status;
        }

        /** The stable name of the kind. */
        public String text() {
            return text;
        }

        /** The HTTP status with which an API server refuses. */
        public int status() {
            return status;
        }
    }

    /** As deep as a rendered document may be: merging recurses. */
    private static final int MOST_LEVELS = 256;

    private final Kind kind;
    private final transient Deque<Object> steps = new ArrayDeque<>();

    public InvalidPatchException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** This exception, with a key or an index before the way to the place. */
    public InvalidPatchException within(Object step) {
        steps.addFirst(step);
        return this;
    }

    public Kind kind() {
        return kind;
    }

    /** Where it is wrong, in the patch or the document. */
    public Place place() {
        return new Place(List.copyOf(steps));
    }

    public static void checkDepth(Value tree) throws InvalidPatchException {
        if (tree != null && tree.depth() > MOST_LEVELS) {
            throw new InvalidPatchException(
                    Kind.LIMIT_EXCEEDED, "more than " + MOST_LEVELS + " levels of mappings and lists cannot be merged");
        }
    }
}
