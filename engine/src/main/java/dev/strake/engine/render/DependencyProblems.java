package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.graph.Affected;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.substitution.Substituting;
import java.util.List;

/** What is wrong with a document because of those that it depends on. None of it needs the data of any of them. */
final class DependencyProblems {

    /** Documents of a cycle that a message names. */
    private static final int MOST_SHOWN = 8;

    private DependencyProblems() {}

    /**
     * A document depends on itself.
     *
     * @param cycle that it is part of; null if it is part of none
     * @return null if it is part of none
     */
    static Problem of(DocumentId id, Affected.Cycle cycle) {
        if (cycle == null) {
            return null;
        }
        String message = cycle.members().size() == 1
                ? "depends on its own rendering"
                : "is one of " + cycle.members().size() + " documents that depend on one another: " + way(cycle.way());
        return Problem.of(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, id, message, "remove one of the references")
                .relatedTo(cycle.members());
    }

    /* From each document to one that it layers on, substitutes from, or is operated on by. */
    private static String way(List<DocumentId> documents) {
        StringBuilder way = new StringBuilder();
        for (DocumentId each : documents.subList(0, Math.min(documents.size(), MOST_SHOWN))) {
            way.append(each).append(" -> ");
        }
        return way.append(documents.size() > MOST_SHOWN ? "… -> " : "")
                .append(documents.get(0))
                .toString();
    }

    /** A document that it depends on has a problem itself, or because of yet another one, the cause. */
    static Problem blocked(DocumentId id, DocumentId cause, ProblemCode code) {
        return Problem.of(
                        code,
                        id,
                        "depends on " + cause + ", which cannot be rendered",
                        "see the problem of that document")
                .relatedTo(List.of(cause));
    }

    /** A required document is not there, or is abstract. */
    static Problem missing(Document document, Reference reference, Graph graph) {
        if (!(reference instanceof Reference.Source source)) {
            throw new IllegalStateException("only sources are required, not " + reference);
        }
        DocumentKey wanted = source.document();
        Problem problem = graph.withKey(wanted).isEmpty()
                ? Problem.of(
                        ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND,
                        document.id(),
                        "there is no document " + wanted + " to substitute from",
                        "publish it, or correct src.schema and src.name; derived documents are no sources")
                : Problem.of(
                        ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND,
                        document.id(),
                        "the document " + wanted + " is abstract, and only a concrete one can be substituted from",
                        "remove abstract from it, or name another one");
        return problem.at(Substituting.place(number(document.substitutions(), wanted)) + ".src");
    }

    /* Of the first substitution from a source, counted from 0. */
    private static int number(List<Substitution> substitutions, DocumentKey wanted) {
        int number = 0;
        while (!substitutions.get(number).source().document().equals(wanted)) {
            number++;
        }
        return number;
    }
}
