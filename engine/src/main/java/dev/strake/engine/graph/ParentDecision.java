package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * The parent that a document's selector chooses: the only match in the nearest layer above. A match with another
 * schema, or in the same layer or below, is a problem of the child, as in Deckhand. Two matches are a problem only in the
 * nearest layer (in Deckhand also in layers further up).
 *
 * @param parent null if there is none
 * @param problem what is wrong with the choice, or null
 */
public record ParentDecision(DocumentId parent, Problem problem) {

    static final ParentDecision NONE = new ParentDecision(null, null);

    /* Written by hand: opening a workspace calls these often, before the JVM has compiled the generated methods. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ParentDecision decision
                && Objects.equals(parent, decision.parent)
                && Objects.equals(problem, decision.problem);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(parent) * 31 + Objects.hashCode(problem);
    }

    /** The layers with their positions. A map, because a policy may name a hundred thousand layers; null for null. */
    static Map<String, Integer> positions(List<String> layers) {
        if (layers == null) {
            return null;
        }
        Map<String, Integer> result = new HashMap<>();
        layers.forEach(layer -> result.putIfAbsent(layer, result.size()));
        return result;
    }

    /**
     * Decides the parent of a child.
     *
     * @param layers with their positions, the most general one first; null without a layering policy
     * @param matches finds the documents that a selector chooses, in any layer and any order
     * @param effort counts the matches that are inspected
     */
    static ParentDecision of(
            Facts child, Map<String, Integer> layers, Function<MapValue, List<Facts>> matches, ChangeEffort effort) {
        if (child.claims().selector().isEmpty() || layers == null) {
            return NONE;
        }
        int childLayer = layers.getOrDefault(child.id().layer(), -1);
        if (childLayer < 0 && !child.id().layer().isEmpty()) {
            return NONE; // a layer that the policy does not have is a problem by itself
        }
        List<DocumentId> nearest = new ArrayList<>();
        int nearestLayer = -1;
        DocumentId invalid = null;
        for (Facts found : matches.apply(child.claims().selector())) {
            effort.spend(ChangeEffort.FOR_LOOKUP);
            DocumentId match = found.id();
            int layer = layers.getOrDefault(match.layer(), -1);
            if (match.equals(child.id()) || layer < 0) {
                continue; // a document outside all layers cannot be a parent
            }
            if (childLayer < 0
                    || layer >= childLayer
                    || !match.schema().equals(child.id().schema())) {
                invalid = invalid == null || match.compareTo(invalid) < 0 ? match : invalid;
                continue;
            }
            if (layer > nearestLayer) {
                nearestLayer = layer;
                nearest.clear();
            }
            if (layer == nearestLayer) {
                nearest.add(match);
            }
        }
        if (invalid != null) {
            return invalid(child, invalid, childLayer);
        }
        if (nearest.size() > 1) {
            String message = "matches " + nearest.size() + " documents in layer "
                    + nearest.get(0).layer() + ", but a child has only one parent";
            return new ParentDecision(
                    null,
                    problem(
                                    ProblemCode.INDETERMINATE_DOCUMENT_PARENT,
                                    child,
                                    message,
                                    "make the selector or the labels more specific")
                            .relatedTo(first(nearest)));
        }
        return nearest.isEmpty() ? NONE : new ParentDecision(nearest.get(0), null);
    }

    /* The documents that a problem names, in order of identity. Not all are sorted: a child may match thousands. */
    private static List<DocumentId> first(List<DocumentId> all) {
        PriorityQueue<DocumentId> first = new PriorityQueue<>(Comparator.reverseOrder());
        for (DocumentId id : all) {
            if (first.size() < Problem.MOST_RELATED) {
                first.add(id);
            } else if (id.compareTo(first.element()) < 0) {
                first.remove();
                first.add(id);
            }
        }
        return first.stream().sorted().toList();
    }

    private static ParentDecision invalid(Facts child, DocumentId match, int childLayer) {
        if (!match.schema().equals(child.id().schema())) {
            return invalid(
                    child,
                    match,
                    "matches a document of another schema",
                    "give only the parents of this schema the label: labels apply to all schemas");
        }
        return childLayer >= 0
                ? invalid(
                        child,
                        match,
                        "matches a document in the same layer or a lower one",
                        "a parent has to be in a layer above its child")
                : invalid(
                        child,
                        match,
                        "matches a document, but the layer of the child is not in the layering policy",
                        "use a layer of the policy");
    }

    private static ParentDecision invalid(Facts child, DocumentId match, String why, String hint) {
        return new ParentDecision(
                null,
                problem(ProblemCode.INVALID_DOCUMENT_PARENT, child, why, hint).relatedTo(List.of(match)));
    }

    private static Problem problem(ProblemCode code, Facts child, String message, String hint) {
        return Problem.of(code, child.id(), message, hint).at(".metadata.layeringDefinition.parentSelector");
    }
}
