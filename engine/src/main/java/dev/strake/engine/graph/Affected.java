package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * The documents that a change can reach, in dependency order, and the cycles among them.
 *
 * <p>Tarjan's algorithm over the dependents, starting from the seeds: it finishes a document only after everything
 * that depends on it, so the reverse of its order puts sources and parents first; and whatever it finishes together
 * is a cycle. A new cycle always runs through a seed, so nothing outside has to be searched. The recursion is written
 * as a loop, because chains of documents may be longer than a thread's stack.
 */
public final class Affected {

    private final Graph graph;
    private final ChangeEffort effort;
    private final Map<DocumentId, Visit> visits = new HashMap<>();
    private final Deque<Visit> open = new ArrayDeque<>();
    private final List<List<DocumentId>> levels = new ArrayList<>();
    private final Map<DocumentId, Cycle> cycles = new HashMap<>();

    /**
     * The state of one document in the walk: its number in order of discovery, the lowest number that it leads back to, and
     * the length of the longest path from it to a document without dependents.
     */
    private static final class Visit {
        final DocumentId id;
        final int number;
        final List<DocumentId> dependents = new ArrayList<>();
        final List<Dependency> dependencies = new ArrayList<>(); // one for each of these, and mostly the same
        int next;
        int low;
        int height;
        boolean isOpen = true;

        Visit(DocumentId id, int number) {
            this.id = id;
            this.number = number;
            this.low = number;
        }
    }

    /**
     * Documents that depend on each other.
     *
     * @param members in order of identity
     * @param steps for each member the first dependency of a shortest path to the first member
     * @param operators the members with operations on another member
     */
    public record Cycle(List<DocumentId> members, Map<DocumentId, Dependency> steps, Set<DocumentId> operators) {

        /** The shortest path from the first member back to itself; at most its first {@code most} dependencies. */
        public List<Dependency> way(int most) {
            List<Dependency> way = new ArrayList<>();
            DocumentId at = members.get(0);
            do {
                Dependency step = steps.get(at);
                way.add(step);
                at = step.on();
            } while (way.size() < most && !at.equals(members.get(0)));
            return way;
        }
    }

    private Affected(Graph graph, ChangeEffort effort) {
        this.graph = graph;
        this.effort = effort;
    }

    /**
     * Finds the documents that a change of the seeds can reach.
     *
     * @param effort counts documents and edges
     * @throws ChangeEffort.ExceededException if the change exceeds its limit of work
     */
    public static Affected by(Graph graph, Collection<DocumentId> seeds, ChangeEffort effort) {
        Affected affected = new Affected(graph, effort);
        affected.walkAll(seeds);
        return affected;
    }

    private void walkAll(Collection<DocumentId> seeds) {
        for (DocumentId seed : seeds) {
            if (!visits.containsKey(seed)) {
                walk(seed);
            }
        }
        levels.forEach(Collections::reverse);
        Collections.reverse(levels);
    }

    /**
     * All affected documents, each of them once. Dependencies are in an earlier list than their dependents. Documents
     * of one list do not depend on each other, unless they form a cycle.
     */
    public List<List<DocumentId>> levels() {
        return levels;
    }

    /** Whether anything has a dependency on this affected document. */
    public boolean hasDependents(DocumentId id) {
        return !visits.get(id).dependents.isEmpty();
    }

    /** Calls back for every document that depends on this affected document, once for each dependency. */
    public void forEachDependent(DocumentId id, BiConsumer<DocumentId, Dependency> dependent) {
        Visit visit = visits.get(id);
        for (int i = 0; i < visit.dependents.size(); i++) {
            dependent.accept(visit.dependents.get(i), visit.dependencies.get(i));
        }
    }

    /** The number of affected documents. */
    public int size() {
        return visits.size();
    }

    /** The cycle that contains a document, or null. */
    public Cycle cycle(DocumentId id) {
        return cycles.get(id);
    }

    private void walk(DocumentId seed) {
        Deque<Visit> path = new ArrayDeque<>();
        path.push(discover(seed));
        while (!path.isEmpty()) {
            Visit visit = path.peek();
            if (visit.next < visit.dependents.size()) {
                DocumentId dependent = visit.dependents.get(visit.next++);
                Visit known = visits.get(dependent);
                if (known == null) {
                    path.push(discover(dependent));
                } else if (known.isOpen) {
                    visit.low = Math.min(visit.low, known.number);
                } else {
                    visit.height = Math.max(visit.height, known.height + 1);
                }
            } else {
                path.pop();
                if (visit.low == visit.number) {
                    finish(visit);
                }
                if (!path.isEmpty()) {
                    Visit before = path.peek();
                    before.low = Math.min(before.low, visit.low);
                    // A document that is still open belongs to the same cycle, and a cycle is finished as a whole.
                    before.height = Math.max(before.height, visit.height + (visit.isOpen ? 0 : 1));
                }
            }
        }
    }

    private Visit discover(DocumentId id) {
        Visit visit = new Visit(id, visits.size());
        visits.put(id, visit);
        open.push(visit);
        graph.forEachDependent(
                id,
                (dependent, dependency) -> {
                    visit.dependents.add(dependent);
                    visit.dependencies.add(dependency);
                },
                effort);
        // Edges are kept until the end of the change, so their number is limited by the effort that they cost.
        effort.spend(1 + ChangeEffort.FOR_LOOKUP * visit.dependents.size());
        return visit;
    }

    private void finish(Visit root) {
        while (levels.size() <= root.height) {
            levels.add(new ArrayList<>());
        }
        List<DocumentId> level = levels.get(root.height);
        int first = level.size();
        Visit visit;
        do {
            visit = open.pop();
            visit.isOpen = false;
            visit.height = root.height;
            level.add(visit.id);
        } while (visit != root);
        List<DocumentId> component = level.subList(first, level.size());
        if (component.size() > 1 || dependsOnItself(root)) {
            TreeSet<DocumentId> members = new TreeSet<>(component);
            Cycle cycle = cycle(members);
            members.forEach(id -> cycles.put(id, cycle));
        }
    }

    /* Among equally short paths, takes the first dependency, so that the order of the traversal has no influence. */
    private Cycle cycle(SortedSet<DocumentId> members) {
        Map<DocumentId, Integer> distances = distances(members);
        Map<DocumentId, Dependency> steps = new HashMap<>();
        Set<DocumentId> operators = new HashSet<>();
        for (DocumentId member : members) {
            for (Dependency each : graph.dependencies(member, effort)) {
                if (!distances.containsKey(each.on())) {
                    continue;
                }
                if (each.reference() instanceof Reference.Operation) {
                    operators.add(each.on());
                }
                Dependency known = steps.putIfAbsent(member, each);
                if (known != null && distances.get(each.on()) < distances.get(known.on())) {
                    steps.put(member, each);
                }
            }
        }
        return new Cycle(List.copyOf(members), steps, operators);
    }

    /* The number of dependencies from each member to the first one. */
    private Map<DocumentId, Integer> distances(SortedSet<DocumentId> members) {
        Map<DocumentId, Integer> distances = new HashMap<>(Map.of(members.first(), 0));
        Deque<DocumentId> next = new ArrayDeque<>(List.of(members.first()));
        while (!next.isEmpty()) {
            DocumentId id = next.remove();
            for (DocumentId each : visits.get(id).dependents) {
                if (members.contains(each) && distances.putIfAbsent(each, distances.get(id) + 1) == null) {
                    next.add(each);
                }
            }
        }
        return distances;
    }

    private static boolean dependsOnItself(Visit visit) {
        return visit.dependents.contains(visit.id);
    }
}
