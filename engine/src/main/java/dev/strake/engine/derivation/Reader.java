package dev.strake.engine.derivation;

import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.path.Path;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rendered documents of a revision, for one owner. Every read is recorded with what it found, or that it found nothing.
 * The owner is evaluated again if one of its reads would find something else. So read what is needed, in an order that
 * depends on nothing but what was read before.
 *
 * <p>Values that are read know whether they are {@linkplain Value#isSecret secret}. What is worked out from such values has to
 * be marked by whoever does it.
 *
 * <p>Only documents of the rendered set are seen, without derived ones. If a document that is read has a problem, the
 * evaluation ends, and the owner is blocked by that document.
 */
public interface Reader {

    /**
     * The first value at a path in the data of a rendered document.
     *
     * @return null if there is no such document, or nothing at the path
     * @throws EvaluationException if the owner reads more than it may
     */
    Value read(DocumentKey document, Path path) throws EvaluationException;

    /**
     * The data of a rendered document, to be loaded when somebody asks for it.
     *
     * @param fingerprint another one if the data is another one
     */
    record Content(Fingerprint fingerprint, Supplier<Value> data) {}

    /**
     * A rendered document as a whole. It is read even if nobody asks for its data.
     *
     * @return null if there is no such document
     * @throws EvaluationException if the owner reads more than it may
     */
    Content content(DocumentKey document) throws EvaluationException;

    /**
     * The rendered documents of a schema that carry some labels, in order of their names.
     *
     * @param labels the labels; empty for all documents of the schema
     * @throws EvaluationException if the owner reads more than it may
     */
    List<DocumentKey> select(String schema, MapValue labels) throws EvaluationException;

    /** Whether the owner or a value that was read has secrets. Then no word of what was read is for problems. */
    boolean isSecret();

    /** Counts the work of the evaluation. */
    Budget budget();
}
