package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestWorkspace;
import dev.strake.engine.document.Document;
import dev.strake.engine.explain.Dependents;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.oracle.NaiveRenderer;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Null;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Edit;
import dev.strake.engine.workspace.Plan;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the reported dependents of a document when its data is edited. Queries the dependents of each changed place,
 * before and after the change. Each document that differs, according to the oracle, must be among them. Documents in
 * trouble are not checked, because trouble spreads to all dependents of a document, whichever parts of it they use.
 */
final class BlastRadius {

    private static final String POLICY = "deckhand/LayeringPolicy/v1";

    private final TestWorkspace workspace;
    private final NaiveRenderer before;
    private final NaiveRenderer after;
    private final DocumentId edited;
    private final Set<Place> places = new LinkedHashSet<>();
    private final Set<DocumentId> told = new TreeSet<>();

    /** Queries the dependents before the change is applied. */
    BlastRadius(TestWorkspace workspace, Plan plan, NaiveRenderer before, NaiveRenderer after) {
        this.workspace = workspace;
        this.before = before;
        this.after = after;
        this.edited =
                plan.edits().size() == 1 ? plan.edits().keySet().iterator().next() : null;
        if (edited != null && isOfDataAlone(plan.edits().get(edited))) {
            Value then = data(before, edited);
            Value now = data(after, edited);
            if (then != null && now != null) {
                compare(then, now, Place.ROOT);
            }
        }
        ask();
    }

    /* All documents use the policy, but it has no dependents. */
    private boolean isOfDataAlone(Edit edit) {
        if (edit.kind() != Edit.Kind.CHANGED || edited.schema().equals(POLICY)) {
            return false;
        }
        Document published = workspace.document(edited);
        return published
                .tree()
                .with("data", Null.NULL)
                .equals(edit.document().tree().with("data", Null.NULL));
    }

    private void compare(Value then, Value now, Place place) {
        if (then instanceof MapValue one && now instanceof MapValue other) {
            Set<String> keys = new LinkedHashSet<>(one.keys());
            keys.addAll(other.keys());
            keys.forEach(key -> compare(one.get(key), other.get(key), place.at(key)));
        } else if (then instanceof ListValue one && now instanceof ListValue other && one.size() == other.size()) {
            for (int i = 0; i < one.size(); i++) {
                compare(one.get(i), other.get(i), place.at(i));
            }
        } else if (!Objects.equals(then, now)) {
            places.add(place);
        }
    }

    private void ask() {
        for (Place place : places) {
            Dependents dependents = Dependents.of(
                    workspace.head().graph(),
                    workspace,
                    edited,
                    place,
                    Integer.MAX_VALUE,
                    new ChangeEffort(Long.MAX_VALUE));
            dependents.found().forEach(each -> told.add(each.document()));
        }
    }

    /** Queries the dependents after the change, and checks all answers. */
    void check() {
        if (places.isEmpty()) {
            return;
        }
        ask();
        Set<DocumentId> different = new TreeSet<>();
        after.outcomes().keySet().forEach(id -> {
            Value then = data(before, id);
            Value now = data(after, id);
            if (!id.equals(edited) && then != null && now != null && !then.equals(now)) {
                different.add(id);
            }
        });
        assertThat(told)
                .as("reached by %s of %s, as %s came out different", places, edited, different)
                .containsAll(different);
    }

    private static Value data(NaiveRenderer oracle, DocumentId id) {
        NaiveRenderer.Outcome outcome = oracle.outcomes().get(id);
        return outcome == null ? null : outcome.data();
    }
}
