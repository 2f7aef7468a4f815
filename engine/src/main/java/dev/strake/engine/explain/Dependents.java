package dev.strake.engine.explain;

import dev.strake.engine.document.Action;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.render.Contents;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The direct and indirect dependents of a document, nearest first. For one place of its data, these are only the
 * documents that use a value at, above or below the place. The traversal continues from the places to which those
 * documents write the value.
 *
 * <p>In a cycle, documents could write a value to ever new places. So the traversal skips a place at or below one that
 * it has followed. In a document with many followed places, it follows the whole data.
 */
public final class Dependents {

    /** The maximum number of places of one document that are followed separately. */
    private static final int MOST_PLACES = 50;

    private final Graph graph;
    private final Contents contents;
    private final ChangeEffort effort;
    private final Map<DocumentId, Dependent> found = new LinkedHashMap<>();
    private final Set<Edge> edges = new LinkedHashSet<>();
    private final Map<DocumentId, List<Place>> seen = new HashMap<>();
    private final Deque<Reached> open = new ArrayDeque<>();
    private final int most;
    private boolean isComplete = true;
    private DerivedUses derived;

    /**
     * A dependent document.
     *
     * @param depth 1 for a direct dependent
     * @param edge the dependency by which the traversal first reached it
     */
    public record Dependent(DocumentId document, int depth, Edge edge) {}

    /**
     * A dependency that the traversal followed.
     *
     * @param from the document that is used
     * @param used the place of its data that is used
     * @param to the dependent
     */
    public record Edge(DocumentId from, Place used, DocumentId to, Reference reference) {}

    private record Reached(DocumentId document, Place place, int depth) {}

    /** The place that a dependent uses, and the place of its own data that this affects. */
    private record Use(Place used, Place shows) {}

    /**
     * Finds the dependents of a place.
     *
     * @param contents the documents of the graph
     * @param place a place in the document's data; the root for all of the data
     * @param most the maximum number of dependents to find
     * @param effort counts the work and limits it
     */
    public static Dependents of(
            Graph graph, Contents contents, DocumentId document, Place place, int most, ChangeEffort effort) {
        Dependents dependents = new Dependents(graph, contents, most, effort);
        dependents.follow(document, place);
        return dependents;
    }

    private Dependents(Graph graph, Contents contents, int most, ChangeEffort effort) {
        this.graph = graph;
        this.contents = contents;
        this.most = most;
        this.effort = effort;
    }

    private void follow(DocumentId document, Place place) {
        reach(new Reached(document, place, 0));
        while (!open.isEmpty()) {
            Reached next = open.remove();
            if (graph.facts(next.document) == null) {
                continue; // derived documents have no dependents
            }
            inOrder(next.document).forEach(each -> follow(next, each.id, each.dependency));
            followDerived(next);
        }
        found.remove(document);
    }

    private record Neighbour(DocumentId id, Dependency dependency) {}

    private List<Neighbour> inOrder(DocumentId of) {
        List<Neighbour> dependents = new ArrayList<>();
        graph.forEachDependent(of, (id, dependency) -> dependents.add(new Neighbour(id, dependency)), effort);
        effort.spend(ChangeEffort.FOR_LOOKUP * dependents.size());
        dependents.sort(Comparator.comparing(Neighbour::id));
        return dependents;
    }

    /** The dependents, nearest first. The order of those with equal depth is deterministic. */
    public Collection<Dependent> found() {
        return found.values();
    }

    /** Whether all dependents were found; false if there are more than the maximum. */
    public boolean isComplete() {
        return isComplete;
    }

    /** All dependencies that the traversal followed. */
    public Collection<Edge> edges() {
        return edges;
    }

    private void reach(Reached reached) {
        List<Place> places = seen.computeIfAbsent(reached.document, id -> new ArrayList<>());
        effort.spend(1L + places.size());
        for (Place each : places) {
            if (reached.place.isWithin(each)) {
                return;
            }
        }
        Place place = places.size() < MOST_PLACES ? reached.place : Place.ROOT;
        places.add(place);
        open.add(new Reached(reached.document, place, reached.depth));
    }

    private void follow(Reached reached, DocumentId to, Dependency dependency) {
        if (isFullFor(to)) {
            return;
        }
        Document by = contents.document(to);
        effort.spend(by.tree().weight());
        for (Use use : uses(reached.place, by, dependency)) {
            add(reached, use.used, to, dependency.reference());
            reach(new Reached(to, use.shows, reached.depth + 1));
        }
    }

    /* Derived documents have no dependents, so the traversal does not continue from them. */
    private void followDerived(Reached reached) {
        derived = derived == null ? DerivedUses.of(graph, contents, effort) : derived;
        DocumentId id = reached.document;
        derived.derivedFrom(id).forEach(to -> addDerived(reached, Place.ROOT, id, to));
        if (graph.isRendered(graph.facts(id))) {
            for (DerivedUses.Use use : derived.of(id.key(), reached.place)) {
                derived.derivedFrom(use.owner()).forEach(to -> addDerived(reached, use.used(), use.owner(), to));
            }
        }
    }

    private void addDerived(Reached reached, Place used, DocumentId owner, DocumentId to) {
        effort.spend(1);
        if (!isFullFor(to)) {
            add(reached, used, to, new Reference.Derivation(owner));
        }
    }

    private boolean isFullFor(DocumentId to) {
        boolean isFull = found.size() >= most && !found.containsKey(to);
        isComplete &= !isFull;
        return isFull;
    }

    private void add(Reached reached, Place used, DocumentId to, Reference reference) {
        Edge edge = new Edge(reached.document, used, to, reference);
        edges.add(edge);
        found.putIfAbsent(to, new Dependent(to, reached.depth + 1, edge));
    }

    private static List<Use> uses(Place place, Document by, Dependency dependency) {
        Reference reference = dependency.reference();
        if (reference instanceof Reference.Parent) {
            return isOverridden(place, by) ? List.of() : List.of(new Use(place, place));
        }
        if (reference instanceof Reference.Source source) {
            List<Use> uses = new ArrayList<>();
            for (Substitution substitution : by.substitutions()) {
                if (substitution.source().document().equals(source.document())) {
                    substitution
                            .destinations()
                            .forEach(destination -> add(uses, place, substitution.source(), destination));
                }
            }
            return uses;
        }
        if (reference instanceof Reference.Operation) {
            boolean steers = place.equals(Place.ROOT)
                    || List.of("target", "order", "operations")
                            .contains(place.steps().get(0));
            return steers ? List.of(new Use(place, Place.ROOT)) : List.of();
        }
        return List.of(new Use(place, Place.ROOT));
    }

    private static void add(
            List<Use> uses, Place place, Substitution.Source source, Substitution.Destination destination) {
        Place taken = source.path().onlyPlace();
        Place written = destination.path().onlyPlace();
        if (taken == null) { // the path may match any place
            uses.add(new Use(Place.ROOT, written == null ? Place.ROOT : written));
        } else if (place.isWithin(taken)) {
            boolean isWhole = written != null
                    && source.pattern().isEmpty()
                    && destination.pattern().isEmpty();
            Place below = place.after(taken.steps().size());
            uses.add(new Use(taken, isWhole ? written.then(below) : written == null ? Place.ROOT : written));
        } else if (taken.isWithin(place)) {
            uses.add(new Use(taken, written == null ? Place.ROOT : written));
        }
    }

    /* Whether the child's own actions overwrite or remove everything that its parent has at a place. */
    private static boolean isOverridden(Place place, Document child) {
        for (Action action : child.actions()) {
            Place at = action.path().onlyPlace();
            if (at == null || !place.isWithin(at)) {
                continue;
            }
            Value own = place.in(child.data());
            boolean overrides = switch (action.method()) {
                case REPLACE -> !place.equals(Place.ROOT) && !action.path().isDollar(); // $ replaces no mapping
                case MERGE -> own != null && !(own instanceof MapValue);
                case DELETE -> place.steps().size() > at.steps().size();
            };
            if (overrides) {
                return true;
            }
        }
        return false;
    }
}
