package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A kind of document from which other documents are derived. Such a document, the owner, is layered, substituted and
 * operated on like any other, but it is not published. When all ordinary documents of a revision are rendered, the kind
 * makes derived documents from the owner's data and from rendered documents. Nothing depends on derived documents.
 *
 * <p>A kind is a pure function of the owner and of what it {@linkplain Reader reads}. Several threads may call it. To
 * add a kind, name its schema and its module in {@link dev.strake.engine.document.Kind}, and let the module register an
 * implementation for {@link java.util.ServiceLoader}.
 */
public interface Derivation {

    /** The maximum number of documents that one owner may derive. */
    int MOST_DERIVED = 10_000;

    /** The maximum number of reads of one owner. Repeated reads do not count. */
    int MOST_READS = 200_000;

    /**
     * Finds the kind of documents with a schema. If its module is not on the class path, each of its owners has a
     * problem that says so.
     *
     * @throws IllegalArgumentException if documents with this schema do not derive others
     */
    static Derivation of(String schema) {
        return RegisteredDerivations.of(schema);
    }

    /** The schema of the owners. */
    String schema();

    /**
     * Checks the form of an owner's rendered data, before anything is read.
     *
     * @throws EvaluationException if the form is wrong
     */
    void check(Value data) throws EvaluationException;

    /**
     * Makes the derived documents.
     *
     * @param owner the owner
     * @param data the rendered data of the owner, already checked
     * @param reader the only access to other documents
     * @param problems accepts problems of the owner that do not prevent the derived documents; the first one is
     *     reported
     * @return the data of each derived document
     * @throws EvaluationException if no document can be derived
     */
    Map<DocumentKey, Value> derive(DocumentId owner, Value data, Reader reader, Consumer<Problem> problems)
            throws EvaluationException;
}
