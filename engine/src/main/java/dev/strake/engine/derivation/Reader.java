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
 * The rendered documents of a revision, for one owner. Every read is recorded with its result, also if it found
 * nothing. The owner is evaluated again if one of its reads would have another result. So a kind reads only what it
 * needs, in an order that depends only on earlier reads.
 *
 * <p>Values know whether they are {@linkplain Value#isSecret secret}. A kind has to mark values that it computes from
 * secret ones.
 *
 * <p>A reader sees only the rendered set, without derived documents. If a document that the owner reads has a problem,
 * the evaluation ends, and this document blocks the owner.
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
     * The data of a rendered document, loaded on demand.
     *
     * @param fingerprint changes if the data changes
     */
    record Content(Fingerprint fingerprint, Supplier<Value> data) {}

    /**
     * A whole rendered document. The read counts even if the data is never loaded.
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

    /** Whether the owner or a value that it read has secrets. If so, problems must not quote what was read. */
    boolean isSecret();

    /** The budget for the work of the evaluation. */
    Budget budget();
}
