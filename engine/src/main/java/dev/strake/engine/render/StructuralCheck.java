package dev.strake.engine.render;

import dev.strake.engine.graph.Affected;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Node;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import java.util.List;

/** What can be wrong with a document's place in the graph, before anybody looks at its data. */
final class StructuralCheck {

    private final Graph graph;
    private final Affected affected;

    StructuralCheck(Graph graph, Affected affected) {
        this.graph = graph;
        this.affected = affected;
    }

    /** The problem of a document's place, or null. */
    Problem problemOf(DocumentId id) {
        Node node = graph.node(id);
        Problem problem = layerProblem(id);
        if (problem == null) {
            problem = node.decision().problem();
        }
        if (problem == null && !node.facts().control()) {
            problem = replacementProblem(node);
        }
        if (problem == null) {
            problem = identityProblem(node.facts());
        }
        return problem == null ? cycleProblem(id) : problem;
    }

    private Problem layerProblem(DocumentId id) {
        List<String> layers = graph.layerOrder();
        if (id.layer().isEmpty() || layers == null || layers.contains(id.layer())) {
            return null;
        }
        return Problem.of(
                        ProblemCode.INVALID_DOCUMENT_LAYER,
                        id,
                        "is not in the layerOrder of the layering policy",
                        "use one of " + String.join(", ", layers))
                .at(".metadata.layeringDefinition.layer");
    }

    private Problem replacementProblem(Node node) {
        DocumentId id = node.facts().id();
        DocumentId parent = node.decision().parent();
        if (!node.facts().replacement()) {
            return parent != null && parent.name().equals(id.name())
                    ? replacement(
                            id,
                            "has its parent's name, but is no replacement",
                            "set metadata.replacement, or rename it",
                            List.of(parent))
                    : null;
        }
        if (parent == null) {
            return replacement(
                    id,
                    "is a replacement, but has no parent to replace",
                    "correct parentSelector or the parent's labels",
                    List.of());
        }
        if (!parent.key().equals(id.key())) {
            return replacement(
                    id,
                    "replaces a document with another schema or name",
                    "both have to have the same schema and name",
                    List.of(parent));
        }
        Facts replaced = graph.facts(parent);
        if (replaced.replacement() && !replaced.isAbstract()) {
            return replacement(
                    id,
                    "replaces a document that is a replacement itself",
                    "replace the original instead",
                    List.of(parent));
        }
        if (graph.replacements(parent).size() > 1) {
            List<DocumentId> rivals =
                    graph.replacements(parent).stream().sorted().toList();
            return replacement(
                    id, "is one of " + rivals.size() + " replacements of one parent", "keep one of them", rivals);
        }
        return null;
    }

    private static Problem replacement(DocumentId id, String message, String hint, List<DocumentId> related) {
        return Problem.of(ProblemCode.INVALID_DOCUMENT_REPLACEMENT, id, message, hint)
                .at(".metadata.replacement")
                .relatedTo(related);
    }

    /* Consumers know documents by schema and name, so no two may come out under the same. */
    private Problem identityProblem(Facts facts) {
        var sameKey = graph.withKey(facts.key());
        if (sameKey.size() == 1) {
            return null;
        }
        if (!facts.control() && !facts.replacement()) {
            List<DocumentId> originals = sameKey.stream()
                    .filter(id -> !graph.facts(id).control() && !graph.facts(id).replacement())
                    .sorted()
                    .toList();
            if (originals.size() > 1) {
                return replacement(
                        facts.id(),
                        "has the schema and name of another document in another layer, and neither is a replacement",
                        "rename one, or make the lower one a replacement child of the upper one",
                        originals);
            }
        }
        List<DocumentId> rendered =
                sameKey.stream().filter(graph::isInForce).sorted().toList();
        if (rendered.size() > 1 && rendered.contains(facts.id())) {
            return Problem.of(
                            ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                            facts.id(),
                            "would be rendered under the same schema and name as another document",
                            "remove or rename one of them")
                    .relatedTo(rendered);
        }
        return null;
    }

    private Problem cycleProblem(DocumentId id) {
        List<DocumentId> cycle = affected.cycle(id);
        if (cycle == null) {
            return null;
        }
        String message = cycle.size() == 1
                ? "depends on its own rendering"
                : "is part of a cycle of " + cycle.size()
                        + " documents that layer on, substitute from or operate on one another";
        return Problem.of(ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE, id, message, "remove one of the references")
                .relatedTo(cycle.stream().limit(20).toList());
    }
}
