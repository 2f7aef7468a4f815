package dev.strake.engine.oracle;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.ProblemCode;
import java.util.List;

/**
 * A problem of a document without its wording, in which the oracle and the engine have to agree.
 *
 * @param path the place in the document; null for the document as a whole
 * @param related other documents that take part in the problem
 * @param cause the other document in which the trouble began; null if it is this one
 */
public record Trouble(ProblemCode code, String path, List<DocumentId> related, DocumentId cause) {

    private static final int MOST_RELATED = 20;

    public Trouble {
        related = List.copyOf(related.subList(0, Math.min(MOST_RELATED, related.size())));
    }

    public static Trouble of(ProblemCode code, String path, DocumentId... related) {
        return new Trouble(code, path, List.of(related), null);
    }

    public static Trouble of(ProblemCode code, String path, List<DocumentId> related) {
        return new Trouble(code, path, related, null);
    }

    /** Propagates the trouble of a dependency of this document. */
    Trouble passedOnBy(DocumentId dependency) {
        DocumentId began = cause == null ? dependency : cause;
        return new Trouble(code, null, List.of(began), began);
    }

    public TroubleException exception() {
        return new TroubleException(this);
    }

    @Override
    public String toString() {
        return code.code()
                + (path == null ? "" : " at " + path)
                + (related.isEmpty() ? "" : " with " + related)
                + (cause == null ? "" : " because of " + cause);
    }

    /** Signals that a document cannot be rendered. */
    public static final class TroubleException extends Exception {

        private final Trouble trouble;

        private TroubleException(Trouble trouble) {
            super(trouble.toString());
            this.trouble = trouble;
        }

        public Trouble trouble() {
            return trouble;
        }
    }
}
