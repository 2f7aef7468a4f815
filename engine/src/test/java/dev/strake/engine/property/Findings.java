package dev.strake.engine.property;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.oracle.Trouble;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.workspace.Workspace;

/** The results of a workspace for the documents of its head, in the types of the oracle. */
record Findings(Workspace head) {

    /** The trouble of a document; null if there is none. */
    Trouble trouble(DocumentId id) {
        Evaluation evaluation = head.evaluation(id);
        Problem problem = problem(id);
        return problem == null
                ? null
                : new Trouble(problem.code(), problem.path(), problem.related(), evaluation.cause());
    }

    Problem problem(DocumentId id) {
        return head.evaluation(id).problem();
    }

    /** The hash of the rendered data as written; null if there is none. */
    Fingerprint data(DocumentId id) {
        return head.evaluation(id).data();
    }
}
