package dev.strake.engine.render;

import dev.strake.engine.document.Kind;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import java.util.List;

/**
 * Removes quotes of secret documents from the problems of a document. Problems quote paths, texts and rules from
 * operations, collections and data schemas.
 */
final class Quoting {

    /** The hint of a problem without quotes. */
    static final String UNQUOTED = "the details are secret, so they are not shown";

    private final Graph graph;
    private final DocumentId id;

    /**
     * @param id the document with the problems
     */
    Quoting(Graph graph, DocumentId id) {
        this.graph = graph;
        this.id = id;
    }

    /** The problem, without quotes if the quoted document is secret. */
    Problem unquoted(Problem problem) {
        DocumentId quoted = quotedBy(problem);
        if (quoted == null || !graph.isSecret(quoted)) {
            return problem;
        }
        if (quoted.equals(id)) {
            return problem.withMessage("is not valid", UNQUOTED);
        }
        if (problem.code() == ProblemCode.INVALID_DOCUMENT_FORMAT) {
            return problem.withMessage("violates the schema " + quoted.name(), UNQUOTED);
        }
        String what = problem.path() == null ? "one of its operations" : problem.path();
        return problem.withMessage("cannot be changed by " + quoted + ": " + what + " fails", UNQUOTED);
    }

    /** Whether an earlier problem would have the same message now. */
    boolean hasSameMessage(Problem problem) {
        DocumentId quoted = quotedBy(problem);
        return quoted == null || graph.isSecret(quoted) == UNQUOTED.equals(problem.hint());
    }

    /* The document whose data a problem quotes; null if it quotes none. */
    private DocumentId quotedBy(Problem problem) {
        return switch (problem.code()) {
            case INVALID_OPERATIONS, INVALID_COLLECTION -> id;
            case INVALID_DOCUMENT_FORMAT -> schema(problem);
            case OPERATION_FAILED -> operator(problem);
            case LIMIT_EXCEEDED -> problem.path() == null ? operator(problem) : null;
            default -> null;
        };
    }

    /* The DataSchema that the data breaks, or the document itself if it is one. */
    private DocumentId schema(Problem problem) {
        for (DocumentId related : problem.related()) {
            if (related.schema().equals(Kind.DATA_SCHEMA)) {
                return related;
            }
        }
        return id.schema().equals(Kind.DATA_SCHEMA) ? id : null;
    }

    private DocumentId operator(Problem problem) {
        for (DocumentId related : problem.related()) {
            if (graph.facts(related) != null && graph.facts(related).isOperations()) {
                return related;
            }
        }
        return null;
    }

    /** An earlier problem with its related documents, which documents of the same content may have replaced since. */
    static Problem withCurrentDocuments(Problem problem, List<Dependency> dependencies) {
        return problem.relatedTo(problem.related().stream()
                .map(related -> nowMeant(related, dependencies))
                .toList());
    }

    private static DocumentId nowMeant(DocumentId related, List<Dependency> dependencies) {
        DocumentId meant = related;
        for (Dependency dependency : dependencies) {
            if (related.equals(dependency.on())) {
                return related;
            }
            if (dependency.on() != null && dependency.on().key().equals(related.key())) {
                meant = dependency.on();
            }
        }
        return meant;
    }
}
