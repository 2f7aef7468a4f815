package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestWorkspace;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.oracle.NaiveRenderer.Outcome;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.workspace.Update;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** An upper bound for the work of a change, computed from two full renderings. */
final class Frugality {

    /** Schemas whose data is validated by special rules while no replacement supersedes the document. */
    private static final Set<String> CHECKED_IN_FORCE = new TreeSet<>(Set.of(Universe.OPERATIONS, Universe.COLLECTION));

    static {
        StoryKind.ALL.forEach(kind -> CHECKED_IN_FORCE.add(kind.owners()));
    }

    private final NaiveRenderer before;
    private final NaiveRenderer after;
    private final Collection<DocumentId> edited;
    private final Set<DocumentId> resecured;

    Frugality(NaiveRenderer before, NaiveRenderer after, Collection<DocumentId> edited) {
        this.before = before;
        this.after = after;
        this.edited = edited;
        this.resecured = new TreeSet<>(before.secrets());
        after.secrets().forEach(id -> {
            if (!resecured.remove(id)) {
                resecured.add(id);
            }
        });
    }

    void check(TestWorkspace workspace, Update update) {
        Set<DocumentId> visited = new TreeSet<>();
        int visits = 0;
        for (Verdict verdict : Verdict.values()) {
            visited.addAll(workspace.decided(verdict));
            visits += workspace.decided(verdict).size();
        }
        assertThat(visits)
                .as("visits")
                .isEqualTo(visited.size())
                .isEqualTo(update.work().affected());
        assertThat(within(visited, reachable())).as("visited out of reach").isEmpty();

        Set<DocumentId> useful = useful();
        Set<DocumentId> evaluated = new TreeSet<>(workspace.decided(Verdict.RENDERED));
        evaluated.addAll(workspace.decided(Verdict.CUT_OFF));
        assertThat(update.work().cutOff())
                .as("cut off")
                .isEqualTo(workspace.decided(Verdict.CUT_OFF).size());
        evaluated.removeIf(id -> !useful.contains(id) && isLookedThrough(id));
        assertThat(within(evaluated, useful)).as("evaluated without need").isEmpty();
        // The trace does not tell whether a document in trouble was evaluated, but the count does.
        long failed = workspace.decided(Verdict.IN_TROUBLE).stream()
                .filter(id -> useful.contains(id) || isToldAgain(id))
                .count();
        long rendered = evaluated.stream().filter(id -> !isLookedThrough(id)).count();
        long perhapsLookedThrough = evaluated.size() - rendered; // may have been evaluated, because an input changed
        assertThat(update.work().evaluated() - rendered)
                .as("evaluated in vain")
                .isBetween(0L, failed + perhapsLookedThrough);
    }

    /*
     * Operations, collections and stacks are inspected again even with unchanged data: their target may be new, or they
     * were not in force before. They may recover from trouble that way, without an evaluation. The same holds for
     * documents that became secret or are no longer secret: their records are published again with the new mark.
     */
    private boolean isLookedThrough(DocumentId id) {
        Outcome old = before.outcomes().get(id);
        Outcome now = after.outcomes().get(id);
        return (CHECKED_IN_FORCE.contains(id.schema()) || resecured.contains(id))
                && !edited.contains(id)
                && !isRelimited()
                && old != null
                && old.used() != null
                && old.usedForData().equals(now.usedForData());
    }

    /* The problem quoted a document that is secret now, or quotes one that was secret. */
    private boolean isToldAgain(DocumentId id) {
        return resecured.contains(id)
                || after.reads().get(id).stream()
                        .anyMatch(read ->
                                resecured.contains(read) || after.secrets().contains(read));
    }

    /* With new limits, everything is evaluated again. */
    private boolean isRelimited() {
        return !before.limits().equals(after.limits());
    }

    private static Set<DocumentId> within(Set<DocumentId> some, Set<DocumentId> permitted) {
        return some.stream().filter(id -> !permitted.contains(id)).collect(Collectors.toCollection(TreeSet::new));
    }

    /* Documents with a changed input: the document itself, its base, a value at a source path... */
    private Set<DocumentId> useful() {
        Set<DocumentId> result = new TreeSet<>(edited);
        after.outcomes().forEach((id, now) -> {
            Outcome old = before.outcomes().get(id);
            if (now.used() != null
                    && (isRelimited() || old == null || !now.used().equals(old.used()))) {
                result.add(id);
            }
        });
        return result;
    }

    /* Documents affected by an edited document, directly or indirectly, before or after the change. */
    private Set<DocumentId> reachable() {
        Set<DocumentId> result = new TreeSet<>(edited);
        if (isRelimited() || !Objects.equals(before.layers(), after.layers())) {
            result.addAll(after.outcomes().keySet());
        }
        Deque<DocumentId> open = new ArrayDeque<>(result);
        while (!open.isEmpty()) {
            DocumentId id = open.pop();
            for (NaiveRenderer rendering : new NaiveRenderer[] {before, after}) {
                for (Map.Entry<DocumentId, Set<DocumentId>> entry :
                        rendering.heeds().entrySet()) {
                    if (entry.getValue().contains(id) && result.add(entry.getKey())) {
                        open.push(entry.getKey());
                    }
                }
            }
        }
        return result;
    }
}
