package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.graph.Affected;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.substitution.Substituting;
import java.util.List;
import java.util.stream.Collectors;

/** Problems of a document with its dependencies that can be found without any data. */
final class DependencyProblems {

    /** The maximum number of documents of a cycle that a message names. */
    private static final int MOST_SHOWN = 8;

    private DependencyProblems() {}

    /** The problem of a document that depends on itself, directly or through the other members of a cycle. */
    static Problem of(Document document, Affected.Cycle cycle) {
        String message = cycle.members().size() == 1
                ? "depends on itself: " + document.id() + way(cycle)
                : "is in a cycle of " + cycle.members().size() + " documents: "
                        + cycle.members().get(0) + way(cycle);
        return Problem.of(
                        ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE,
                        document.id(),
                        message,
                        "remove one of the references")
                .relatedTo(cycle.members())
                .at(place(document, cycle));
    }

    /* The steps of the cycle: each document layers on, substitutes from, or is operated on by the next. */
    private static String way(Affected.Cycle cycle) {
        List<Dependency> steps = cycle.way(MOST_SHOWN + 1); // limited, because each member reports the cycle
        String way = steps.stream()
                .limit(MOST_SHOWN)
                .map(step -> " " + step.reference().verb() + " " + step.on())
                .collect(Collectors.joining(" →"));
        return steps.size() > MOST_SHOWN ? way + " → … → " + cycle.members().get(0) : way;
    }

    /* The place of the reference that is part of the cycle; null if it is in a document with operations on this one. */
    private static String place(Document document, Affected.Cycle cycle) {
        Reference reference = cycle.steps().get(document.id()).reference();
        if (reference instanceof Reference.Source source) {
            return Substituting.place(number(document.substitutions(), source.document())) + ".src";
        }
        if (reference instanceof Reference.Parent) {
            return ".metadata.layeringDefinition.parentSelector";
        }
        if (cycle.operators().contains(document.id())) {
            return ".data.target";
        }
        return reference instanceof Reference.Governor ? ".schema" : null;
    }

    /** The problem of a document with a dependency that has a problem, either its own or one from the cause. */
    static Problem blocked(DocumentId id, DocumentId cause, ProblemCode code) {
        return Problem.of(
                        code,
                        id,
                        "depends on " + cause + ", which cannot be rendered",
                        "see the problem of that document")
                .relatedTo(List.of(cause));
    }

    /** The problem of a document with a required dependency that is missing or abstract. */
    static Problem missing(Document document, Reference reference, Graph graph) {
        if (!(reference instanceof Reference.Source source)) {
            throw new IllegalStateException("only sources are required, not " + reference);
        }
        DocumentKey wanted = source.document();
        Problem problem = graph.withKey(wanted).isEmpty()
                ? Problem.of(
                        ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND,
                        document.id(),
                        "the source " + wanted + " does not exist",
                        "publish it, or correct src.schema and src.name; derived documents cannot be sources")
                : Problem.of(
                        ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND,
                        document.id(),
                        "the source " + wanted + " is abstract, but a source has to be concrete",
                        "remove abstract from the source, or use another one");
        return problem.at(Substituting.place(number(document.substitutions(), wanted)) + ".src");
    }

    /* The position of the first substitution from a source, counted from 0. */
    private static int number(List<Substitution> substitutions, DocumentKey wanted) {
        int number = 0;
        while (!substitutions.get(number).source().document().equals(wanted)) {
            number++;
        }
        return number;
    }
}
