package dev.strake.engine.render;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.tree.Value;

/** The data that an evaluation reads from its dependencies. No dependency has a problem. */
public interface Inputs {

    /** The rendered data of a document. */
    Value data(DocumentId id);

    /** The operations that a document applies to others. */
    default OperationsDocument operations(DocumentId id) {
        try {
            return OperationsDocument.of(data(id));
        } catch (EvaluationException e) {
            throw new IllegalStateException(id + " has no problem, but its operations cannot be parsed", e);
        }
    }
}
