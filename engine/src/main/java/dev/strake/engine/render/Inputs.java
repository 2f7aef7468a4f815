package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Value;

/** What an evaluation reads of the documents that it depends on. None of them has a problem. */
public interface Inputs {

    /** What a document rendered to. */
    Value data(DocumentId id);

    /** The operations that a document applies to others. */
    default OperationsDocument operations(DocumentId id) {
        try {
            return OperationsDocument.of(data(id));
        } catch (EvaluationException e) {
            throw new IllegalStateException(id + " is in no trouble, but cannot be read", e);
        }
    }
}
