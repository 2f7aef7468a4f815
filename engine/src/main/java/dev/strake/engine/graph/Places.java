package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Checks a document's place in a graph, without its data: its layer, its parent, what it replaces, its name. Reports
 * the first problem in this order. {@link Affected} finds cycles, because they involve several documents.
 *
 * <p>Documents that compete for one place share one list of rivals, so a thousand rivals cost a thousand steps and not a
 * million. Thread-safe.
 */
public final class Places {

    /** Up to this number of layers, searching a list is as fast as searching a set. */
    private static final int FEW_LAYERS = 8;

    private final Graph graph;
    private final Collection<String> layers;
    private final Map<DocumentKey, Namesakes> namesakes = new HashMap<>();
    private String layersHint;

    /**
     * The documents of one schema and name.
     *
     * @param originals the documents that are neither replacements nor control documents
     * @param inForce the documents that would be rendered
     */
    private record Namesakes(List<DocumentId> originals, List<DocumentId> inForce) {}

    public Places(Graph graph) {
        this.graph = graph;
        List<String> order = graph.layerOrder();
        this.layers = order == null || order.size() <= FEW_LAYERS ? order : new HashSet<>(order);
    }

    /** The problem of a document's place, or null. */
    public Problem problemOf(DocumentId id) {
        Node node = graph.node(id);
        Problem problem = layerProblem(id);
        if (problem == null) {
            problem = node.decision().problem();
        }
        if (problem == null && !node.facts().isControl()) {
            problem = replacementProblem(node);
        }
        return problem == null ? nameProblem(node.facts()) : problem;
    }

    private Problem layerProblem(DocumentId id) {
        if (id.layer().isEmpty() || layers == null || layers.contains(id.layer())) {
            return null;
        }
        return Problem.of(
                        ProblemCode.INVALID_DOCUMENT_LAYER,
                        id,
                        "is not in the layerOrder of the layering policy",
                        layersHint())
                .at(".metadata.layeringDefinition.layer");
    }

    /* Computed once: a policy may name a hundred thousand layers, and as many documents may be in none of them. */
    private synchronized String layersHint() {
        if (layersHint == null) {
            layersHint = "use one of " + String.join(", ", graph.layerOrder());
        }
        return layersHint;
    }

    private Problem replacementProblem(Node node) {
        DocumentId id = node.facts().id();
        DocumentId parent = node.decision().parent();
        if (!node.facts().isReplacement()) {
            return parent != null && parent.name().equals(id.name())
                    ? replacement(
                            id,
                            "has the name of its parent, but is not a replacement",
                            "set metadata.replacement: true, or rename the document",
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
                    "replaces a document of another schema or name",
                    "give both the same schema and name",
                    List.of(parent));
        }
        Facts replaced = graph.facts(parent);
        if (replaced.isReplacement() && !replaced.isAbstract()) {
            return replacement(
                    id,
                    "replaces a document that is a replacement itself",
                    "replace the original instead",
                    List.of(parent));
        }
        return null;
    }

    private static Problem replacement(DocumentId id, String message, String hint, List<DocumentId> related) {
        return Problem.of(ProblemCode.INVALID_DOCUMENT_REPLACEMENT, id, message, hint)
                .at(".metadata.replacement")
                .relatedTo(related);
    }

    /* Consumers know documents by schema and name, so no two rendered documents may share both. */
    private Problem nameProblem(Facts document) {
        if (graph.withKey(document.key()).size() == 1) {
            return null;
        }
        Namesakes all = namesakes(document.key());
        if (isOriginal(document) && all.originals().size() > 1) {
            return replacement(
                    document.id(),
                    "has the same schema and name as a document in another layer, but neither is a replacement",
                    "rename one, or make the lower one a replacement of the upper one",
                    all.originals());
        }
        if (graph.isInForce(document) && all.inForce().size() > 1) {
            return Problem.of(
                            ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                            document.id(),
                            "would be rendered under the same schema and name as another document",
                            "remove or rename one of them")
                    .relatedTo(all.inForce());
        }
        return null;
    }

    private static boolean isOriginal(Facts document) {
        return !document.isControl() && !document.isReplacement();
    }

    private synchronized Namesakes namesakes(DocumentKey key) {
        return namesakes.computeIfAbsent(key, each -> {
            Collection<DocumentId> all = graph.withKey(each);
            return new Namesakes(sorted(all, Places::isOriginal), sorted(all, graph::isInForce));
        });
    }

    private List<DocumentId> sorted(Collection<DocumentId> all, Predicate<Facts> wanted) {
        return all.stream().filter(id -> wanted.test(graph.facts(id))).sorted().toList();
    }
}
