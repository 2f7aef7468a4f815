package dev.strake.remote.object;

import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A patch cannot be merged, or a document cannot be applied. Callers add the keys and indices that lead to the place.
 * The message names keys and places, never values.
 */
public final class InvalidPatchException extends Exception {

    /** Kinds of errors, with the status that an API server returns for them. */
    public enum Kind {
        /** The document is no Kubernetes object: identifying members are missing, or metadata takes no annotations. */
        INVALID_OBJECT("invalid-object", 400),
        /** A tree is nested too deeply to be merged. */
        LIMIT_EXCEEDED("limit-exceeded", 422),
        /** The kind is not built in, so it supports no strategic merge patch. */
        UNREGISTERED_KIND("unregistered-kind", 415),
        /** The elements of a list to be merged differ in type, or do not have the type that the field requires. */
        LIST_TYPES_DIFFER("list-types-differ", 422),
        /** An element of a list that is merged by key lacks the key. */
        MISSING_MERGE_KEY("missing-merge-key", 422),
        /** {@code $patch} has another value than {@code replace} or {@code delete}. */
        UNKNOWN_PATCH_DIRECTIVE("unknown-patch-directive", 422),
        /** {@code $retainKeys} is no list, or does not contain every member that the patch sets. */
        BAD_RETAIN_KEYS("bad-retainKeys", 422),
        /** {@code $setElementOrder} is invalid. */
        BAD_SET_ELEMENT_ORDER("bad-setElementOrder", 422),
        /** The elements of a patch are not all in {@code $setElementOrder}, or are in another order. */
        ORDER_MISMATCH("order-mismatch", 422),
        /** {@code $deleteFromPrimitiveList} is invalid. */
        BAD_DELETE_FROM_PRIMITIVE_LIST("bad-deleteFromPrimitiveList", 422);

        private final String text;
        private final int status;

        Kind(String text, int status) {
            this.text = text;
            this.status = status;
        }

        /** The stable name in answers. */
        public String text() {
            return text;
        }

        /** Returns the HTTP status with which an API server rejects the patch. */
        public int status() {
            return status;
        }
    }

    /** The same limit as for rendered documents; merging recurses once per level. */
    private static final int MOST_LEVELS = 256;

    private final Kind kind;
    private final Deque<Object> steps = new ArrayDeque<>();

    public InvalidPatchException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** Prepends a key or an index to the place, and returns this exception. */
    public InvalidPatchException within(Object step) {
        steps.addFirst(step);
        return this;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the place of the error in the patch or document. */
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
