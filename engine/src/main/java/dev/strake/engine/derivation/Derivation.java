package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.tree.Value;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A kind of document from which other documents come. Such a document, the owner, is layered, substituted and operated on
 * like any other, and is not published itself. When all ordinary documents of a revision are rendered, its kind makes
 * derived documents of what the owner says and of rendered documents. Nothing depends on derived documents.
 *
 * <p>A kind is a function of the owner and of what it {@linkplain Reader reads}. Several threads may call it. To add one,
 * name its schema and its module in {@link dev.strake.engine.document.Kind}, and let the module register an implementation
 * for {@link java.util.ServiceLoader}.
 */
public interface Derivation {

    /** The most documents that one owner may derive. */
    int MOST_DERIVED = 10_000;

    /** The most reads of one owner. Reading again what was read before does not count. */
    int MOST_READS = 200_000;

    /**
     * The kind of documents with a schema. If its module is not on the class path, each of its owners has a problem that
     * says so.
     *
     * @throws IllegalArgumentException if documents with this schema do not derive
     */
    static Derivation of(String schema) {
        return RegisteredDerivations.of(schema);
    }

    /** The schema of the owners. */
    String schema();

    /**
     * Checks the form of an owner's rendered data, before anything is read.
     *
     * @throws EvaluationException if it is wrong
     */
    void check(Value data) throws EvaluationException;

    /**
     * Makes the derived documents.
     *
     * @param owner the document that they come from
     * @param data the rendered data of the owner, which was checked
     * @param reader the only way to other documents
     * @param problems takes problems of the owner that do not keep the derived documents from being made; the first one
     *     is reported
     * @return the data of each derived document
     * @throws EvaluationException if none can be made
     */
    Map<DocumentKey, Value> derive(DocumentId owner, Value data, Reader reader, Consumer<Problem> problems)
            throws EvaluationException;
}
