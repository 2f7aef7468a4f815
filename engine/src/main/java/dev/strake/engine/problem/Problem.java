package dev.strake.engine.problem;

import dev.strake.engine.identity.DocumentId;
import java.util.List;

/**
 * A problem with a document or a change: what is wrong, where, and how to correct it.
 *
 * <p>Messages name documents, paths, keys and kinds of values, never values, because any value may be a secret.
 *
 * @param document the document at fault, or null if no single document is the cause
 * @param path the place in the document, in Deckhand's path notation; null for the document as a whole. If an operation
 *     fails, the place of the operation in {@link #documentOfPath another document}
 * @param related other documents that are involved (the parent, the source, the members of a cycle)
 * @param hint what the author can do; null if the message says enough
 * @param location file and line if the text came from a file, otherwise null
 */
public record Problem(
        ProblemCode code,
        String message,
        DocumentId document,
        String path,
        List<DocumentId> related,
        String hint,
        Location location) {

    /** The maximum number of related documents; further ones are dropped. */
    public static final int MOST_RELATED = 20;

    private static final String OPERATION = ".data.operations[";
    private static final int LONGEST_MESSAGE = 2_000;
    private static final int LONGEST_DETAIL = 500;

    /** Truncates long texts and lists: a document may have any number of siblings, and a key any length. */
    public Problem {
        related = List.copyOf(related.subList(0, Math.min(MOST_RELATED, related.size())));
        message = cut(message, LONGEST_MESSAGE);
        path = path == null ? null : cut(path, LONGEST_DETAIL);
        hint = hint == null ? null : cut(hint, LONGEST_DETAIL);
    }

    /** Truncates a text to a length and marks the cut with an ellipsis. Never splits a surrogate pair. */
    public static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        boolean splitsPair = Character.isHighSurrogate(text.charAt(longest - 1));
        return text.substring(0, splitsPair ? longest - 1 : longest) + "…";
    }

    /** A problem of a whole change or a whole workspace, without a document. */
    public static Problem of(ProblemCode code, String message, String hint) {
        return new Problem(code, message, null, null, List.of(), hint, null);
    }

    public static Problem of(ProblemCode code, DocumentId document, String message, String hint) {
        return new Problem(code, message, document, null, List.of(), hint, null);
    }

    /**
     * The document that the path leads into. This is the document at fault, unless an operation of another document
     * fails on it or exceeds a limit: then it is that other document, the first of the related ones.
     */
    public DocumentId documentOfPath() {
        boolean canBeOfOperation = code == ProblemCode.OPERATION_FAILED || code == ProblemCode.LIMIT_EXCEEDED;
        boolean isOfOperation = canBeOfOperation && path != null && path.startsWith(OPERATION) && !related.isEmpty();
        return isOfOperation ? related.get(0) : document;
    }

    /** This problem with another message and hint. */
    public Problem withMessage(String newMessage, String newHint) {
        return new Problem(code, newMessage, document, path, related, newHint, location);
    }

    public Problem at(String newPath) {
        return new Problem(code, message, document, newPath, related, hint, location);
    }

    public Problem at(Location newLocation) {
        return new Problem(code, message, document, path, related, hint, newLocation);
    }

    public Problem on(DocumentId newDocument) {
        return new Problem(code, message, newDocument, path, related, hint, location);
    }

    public Problem relatedTo(List<DocumentId> documents) {
        return new Problem(code, message, document, path, documents, hint, location);
    }

    /** One line for users: place, code, message, hint. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        if (location != null) {
            text.append(location).append(": ");
        }
        text.append(code.code()).append(": ");
        if (document != null) {
            text.append(Location.inOneLine(document.toString())).append(' ');
        }
        if (path != null && (document == null || document.equals(documentOfPath()))) {
            text.append(Location.inOneLine(path)).append(' ');
        }
        text.append(message);
        if (hint != null) {
            text.append(" (").append(hint).append(')');
        }
        return text.toString();
    }
}
