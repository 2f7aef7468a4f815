package dev.strake.engine.graph;

import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Finds the seeds of a change: the documents that were edited, those with a reference that resolves differently in the
 * new graph, and those whose place changed. Their dependents follow along the edges ({@link Affected}).
 *
 * <p>A reference can resolve differently only if a document that it could resolve to stands differently: it was added
 * or removed, or changed its role, its target, or the document that it replaces. So the search starts with these
 * documents and collects their referrers. Then both graphs are compared for each candidate: only a document with a
 * reason is a seed.
 *
 * <pre>
 *   edited, moved ── stand differently? ── they, and those they replace ── referrers ── resolve differently? ── seeds
 * </pre>
 */
final class Seeds {

    private final Graph before;
    private final Graph after;
    private final Set<DocumentId> edited;
    private final Set<DocumentId> moved;
    private final ChangeEffort effort;
    private final Places placesBefore;
    private final Places placesAfter;
    private final Map<DocumentId, Reason> found = new LinkedHashMap<>();

    /**
     * @param edited the documents that were added, changed or removed
     * @param moved other documents whose parent changed
     */
    Seeds(Graph before, Graph after, Set<DocumentId> edited, Set<DocumentId> moved, ChangeEffort effort) {
        this.before = before;
        this.after = after;
        this.edited = edited;
        this.moved = moved;
        this.effort = effort;
        this.placesBefore = new Places(before);
        this.placesAfter = new Places(after);
    }

    /**
     * Returns the seeds, each with the first reason found; no removed documents.
     *
     * @param reordered whether the order of layers changed
     */
    Map<DocumentId, Reason> find(boolean reordered) {
        addEdited();
        Set<DocumentId> candidates = new LinkedHashSet<>(moved);
        Set<DocumentKey> keys = new LinkedHashSet<>();
        for (DocumentId id : standingDifferently()) {
            candidates.add(id);
            keys.add(id.key());
            addReferrers(before, id, candidates);
            addReferrers(after, id, candidates);
        }
        for (DocumentKey key : keys) { // competitors for a name: added once for each name, not once for each of them
            candidates.addAll(before.withKey(key));
            candidates.addAll(after.withKey(key));
        }
        Collection<DocumentId> all = reordered ? after.documents() : candidates;
        all.forEach(this::compare);
        return found;
    }

    /** As {@link #find}, if every edited document stays in its place. */
    Map<DocumentId, Reason> findInPlace() {
        addEdited();
        return found;
    }

    private void addEdited() {
        for (DocumentId id : edited) {
            if (after.node(id) != null) {
                found.put(id, Reason.EDITED);
            }
        }
    }

    /* The documents whose referrers may resolve differently. A replacement also changes how the documents below it stand. */
    private Set<DocumentId> standingDifferently() {
        Deque<DocumentId> open = new ArrayDeque<>();
        for (Set<DocumentId> some : List.of(edited, moved)) {
            for (DocumentId id : some) {
                if (standsDifferently(id)) {
                    open.add(id);
                }
            }
        }
        Set<DocumentId> result = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            DocumentId id = open.remove();
            if (result.add(id)) {
                addReplaced(before, id, open);
                addReplaced(after, id, open);
                addRivals(before.replacements(id), open);
                addRivals(after.replacements(id), open);
            }
        }
        return result;
    }

    private static void addReplaced(Graph graph, DocumentId id, Deque<DocumentId> result) {
        Node node = graph.node(id);
        if (node != null && node.replaced() != null) {
            result.add(node.replaced());
        }
    }

    /* Replacements that another replacement overrules now or overruled before. */
    private void addRivals(Collection<DocumentId> replacements, Deque<DocumentId> result) {
        for (DocumentId id : replacements) {
            boolean stays = before.node(id) != null && after.node(id) != null;
            if (stays && !Objects.equals(before.overruledBy(id), after.overruledBy(id))) {
                result.add(id);
            }
        }
    }

    /* Compares the facts of a document that matter when others refer to it. Its own references do not matter. */
    private boolean standsDifferently(DocumentId id) {
        Node old = before.node(id);
        Node now = after.node(id);
        return old == null
                || now == null
                || !old.facts().standing().equals(now.facts().standing())
                || !Objects.equals(old.replaced(), now.replaced())
                || (now.facts().isOperations() && !hasSameTarget(old, now));
    }

    /* A document may inherit its target from its parent. */
    private static boolean hasSameTarget(Node one, Node other) {
        return one.decision().equals(other.decision())
                && Objects.equals(
                        one.facts().claims().target(), other.facts().claims().target());
    }

    private void addReferrers(Graph graph, DocumentId id, Set<DocumentId> result) {
        Facts facts = graph.facts(id);
        if (facts != null) {
            for (Resolver resolver : Resolver.ALL) {
                resolver.forEachReferrer(
                        graph,
                        facts,
                        referrer -> {
                            effort.spend(1); // each of many documents may have many referrers
                            if (result.add(referrer)) {
                                addTargets(referrer, result);
                            }
                        },
                        effort);
            }
        }
    }

    /* Adds what operations target in either graph if their target changed. */
    private void addTargets(DocumentId id, Set<DocumentId> result) {
        if (before.node(id) == null
                || after.node(id) == null
                || !after.facts(id).isOperations()
                || Objects.equals(before.target(id), after.target(id))) {
            return;
        }
        for (Graph graph : List.of(before, after)) {
            result.addAll(graph.targets(id, effort));
        }
    }

    private void compare(DocumentId id) {
        effort.spend(1);
        if (before.node(id) == null || after.node(id) == null || found.containsKey(id)) {
            return;
        }
        List<Dependency> old = before.dependencies(id, effort);
        List<Dependency> now = after.dependencies(id, effort);
        for (int i = 0; i < Math.max(old.size(), now.size()); i++) {
            Dependency one = i < old.size() ? old.get(i) : null;
            Dependency other = i < now.size() ? now.get(i) : null;
            if (!Objects.equals(one, other) || isOtherwiseMissing(one)) {
                found.put(id, resolved(old, now, i));
                return;
            }
        }
        if (before.isInForce(id) != after.isInForce(id)
                || !Objects.equals(placesBefore.problemOf(id), placesAfter.problemOf(id))
                || (after.facts(id).isOperations() && !Objects.equals(before.target(id), after.target(id)))) {
            found.put(id, Reason.PLACED);
        }
    }

    /* If only one list has a dependency, the next one of the other list stands opposite, which is no reason. */
    private static Reason resolved(List<Dependency> old, List<Dependency> now, int place) {
        Dependency one = place < old.size() ? old.get(place) : null;
        Dependency other = place < now.size() ? now.get(place) : null;
        boolean goes = one != null && !now.contains(one);
        boolean comes = other != null && !old.contains(other);
        return goes || comes
                ? new Reason.Resolved(goes ? one : null, comes ? other : null)
                : new Reason.Resolved(one, other);
    }

    /* A missing source may exist as an abstract document. The problem of its reader says so. */
    private boolean isOtherwiseMissing(Dependency same) {
        return same.on() == null
                && same.reference() instanceof Reference.Source source
                && before.withKey(source.document()).isEmpty()
                        != after.withKey(source.document()).isEmpty();
    }
}
