package dev.strake.engine.property;

import static org.assertj.core.api.Assertions.assertThat;

import dev.strake.engine.TestWorkspace;
import dev.strake.engine.derivation.Read;
import dev.strake.engine.document.Action;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.explain.Cause;
import dev.strake.engine.explain.Dependents;
import dev.strake.engine.explain.Explainer;
import dev.strake.engine.explain.Explanation;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.oracle.Secrets;
import dev.strake.engine.render.DerivedDocuments;
import dev.strake.engine.tree.ListValue;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Num;
import dev.strake.engine.tree.Place;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import dev.strake.engine.workspace.Workspace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Verifies explanations: the value of a cause must be at the place that the cause names, in the document as published
 * or in the rendered data of the other document.
 */
final class Explained {

    private final TestWorkspace workspace;
    private final Explainer explainer;
    private final Set<String> checked = new HashSet<>();

    Explained(TestWorkspace workspace) {
        this.workspace = workspace;
        this.explainer =
                new Explainer(workspace.head().graph(), workspace, new ChangeEffort(Long.MAX_VALUE), bytes -> {});
    }

    /** Checks the explanations of all leaves of all documents without problems. */
    void check() {
        for (DocumentId id : workspace.head().graph().documents()) {
            // Including cycles, in which the explanation must terminate.
            Dependents.of(
                    workspace.head().graph(),
                    workspace,
                    id,
                    Place.ROOT.at("a"),
                    Integer.MAX_VALUE,
                    new ChangeEffort(100_000_000));
            if (!workspace.head().evaluation(id).isInTrouble()) {
                for (Explanation leaf : explainer.leaves(id, Place.ROOT, Integer.MAX_VALUE)) {
                    checkAll(leaf);
                }
            }
        }
        workspace.head().derivations().all().forEach((owner, derived) -> {
            if (!derived.isStale()) {
                derived.documents().keySet().forEach(key -> checkDerived(owner, key));
            }
        });
    }

    /* Checks derived documents: each of their values is at the place that is named, and depends on what was read. */
    private void checkDerived(DocumentId owner, DocumentKey key) {
        Workspace head = workspace.head();
        ChangeEffort effort = new ChangeEffort(Long.MAX_VALUE);
        DerivedDocuments made = DerivedDocuments.of(head.graph(), workspace, owner, effort);
        for (Explanation leaf : explainer.derivedLeaves(owner, key, Place.ROOT, Integer.MAX_VALUE)) {
            Value value = leaf.place().in(made.documents().get(key).get("data"));
            assertThat(leaf.value()).as("derived value").isEqualTo(value);
            checkSecrecy(leaf.value(), value, "derived value");
            Explanation from = ((Cause.Derived) leaf.winner()).from();
            if (from != null) {
                assertThat(from.value()).as("value that was read").isEqualTo(value);
                boolean isRead = made.reads().stream()
                        .anyMatch(read -> read instanceof Read.Data data
                                && data.document().equals(from.document().key()));
                assertThat(isRead || from.document().equals(owner))
                        .as("of the owner itself, or read by it")
                        .isTrue();
                checkAll(from);
            }
        }
        for (Read read : made.reads()) {
            Facts facts = read instanceof Read.Data data ? head.graph().rendered(data.document()) : null;
            boolean isItself = facts != null && facts.id().equals(key.in(owner.layer())); // or both have a problem
            if (facts != null && !isItself) {
                Dependents dependents = Dependents.of(
                        head.graph(),
                        workspace,
                        facts.id(),
                        Place.ROOT,
                        Integer.MAX_VALUE,
                        new ChangeEffort(100_000_000));
                assertThat(dependents.found().stream().map(Dependents.Dependent::document))
                        .as("reached by " + facts.id())
                        .contains(key.in(owner.layer()));
            }
        }
    }

    private void checkAll(Explanation leaf) {
        Deque<Explanation> open = new ArrayDeque<>(List.of(leaf));
        while (!open.isEmpty()) {
            Explanation each = open.pop();
            if (checked.add(each.document() + " " + each.place().steps())) {
                check(each);
                each.causes().forEach(cause -> {
                    Explanation from = from(cause);
                    if (from != null) {
                        open.push(from);
                    }
                });
            }
        }
    }

    private void check(Explanation explanation) {
        String of = explanation.document() + explanation.place().toString();
        Value rendered = explanation.place().in(workspace.data(explanation.document()));
        assertThat(explanation.value()).as("value of " + of).isEqualTo(rendered);
        if (rendered == null) {
            return;
        }
        checkSecrecy(explanation.value(), rendered, "value of " + of);
        assertThat(explanation.winner()).as("winner of " + of).isNotNull();
        assertThat(explanation.winner().value())
                .as("what the winner gave " + of)
                .isEqualTo(rendered);
        explanation.causes().forEach(cause -> check(cause, of));
    }

    private void check(Cause cause, String of) {
        String what = cause + " of " + of;
        assertThat(workspace.head().graph().documents()).as(what).contains(cause.document());
        if (cause instanceof Cause.Own own) {
            assertThat(published(cause.document(), own.inData())).as(what).isEqualTo(own.value());
            checkSecrecy(own.value(), published(cause.document(), own.inData()), what);
        } else if (cause instanceof Cause.Inherited inherited) {
            assertThat(inherited.from().document()).isEqualTo(inherited.base());
            assertThat(inherited.from().value()).as(what).isEqualTo(inherited.value());
            if (inherited.value() != null) {
                checkHidden(inherited.value(), inherited.from().value(), what);
            }
        } else if (cause instanceof Cause.Layered layered) {
            Action stated = workspace.document(cause.document()).actions().get(layered.number());
            assertThat(stated.method()).as(what).isEqualTo(layered.action().method());
            assertThat(stated.path().text())
                    .as(what)
                    .isEqualTo(layered.action().path().text());
            boolean isGiven = layered.value() instanceof Text || layered.value() instanceof Num;
            if (layered.action().method() != Action.Method.DELETE && isGiven && hasOnlyPlace(layered.action())) {
                assertThat(layered.inData()).as(what).isNotNull();
            }
            if (layered.inData() != null) {
                assertThat(published(cause.document(), layered.inData()))
                        .as(what)
                        .isEqualTo(layered.value());
                checkHidden(layered.value(), published(cause.document(), layered.inData()), what);
            }
        } else if (cause instanceof Cause.Substituted substituted) {
            Substitution stated = workspace
                    .document(cause.document())
                    .substitutions()
                    .get(substituted.asked().number());
            assertThat(stated.source().document())
                    .as(what)
                    .isEqualTo(substituted.asked().source().document());
            assertThat(stated.source().path().text())
                    .as(what)
                    .isEqualTo(substituted.asked().source().path().text());
            check(substituted, what);
        } else if (cause instanceof Cause.Operated operated && operated.from() != null) {
            assertThat(operated.from().document()).isEqualTo(operated.document());
            boolean isLeaf = isLeaf(operated.value());
            if (isLeaf) {
                assertThat(operated.from().value()).as(what).isEqualTo(operated.value());
                checkHidden(operated.value(), operated.from().value(), what);
            }
        }
    }

    /* Values of an explanation are masked by their own marks, regardless of the winner. */
    private static void checkSecrecy(Value shown, Value value, String what) {
        assertThat(Secrets.ofLeaves(shown)).as("secrets of %s", what).isEqualTo(Secrets.ofLeaves(value));
    }

    /* An encrypted document hides all values that it takes, even from documents that are not secret. */
    private static void checkHidden(Value shown, Value value, String what) {
        if (!shown.isSecret()) {
            checkSecrecy(shown, value, what);
        }
    }

    /* An action with several places may write a value from one place to another. */
    private static boolean hasOnlyPlace(Action action) {
        return !action.path().text().contains("*") && !action.path().text().contains("..");
    }

    private static void check(Cause.Substituted cause, String what) {
        boolean isWhole = cause.asked().source().pattern().isEmpty()
                && cause.asked().destination().pattern().isEmpty();
        boolean isLeaf = isLeaf(cause.value());
        boolean isCharacter = cause.from() != null
                && cause.from().value() instanceof Text whole
                && cause.value() instanceof Text one
                && one.value().codePointCount(0, one.value().length()) == 1
                && whole.value().contains(one.value());
        if (isWhole && isLeaf && cause.value() != null && cause.from() != null && !isCharacter) {
            assertThat(cause.from().value()).as(what).isEqualTo(cause.value());
            checkHidden(cause.value(), cause.from().value(), what);
        }
        if (!cause.asked().source().pattern().isEmpty()
                && cause.asked().destination().pattern().isEmpty()
                && cause.from() != null
                && cause.from().value() instanceof Text whole
                && cause.value() instanceof Text part) {
            assertThat(whole.value()).as(what).contains(part.value());
        }
    }

    private static boolean isLeaf(Value value) {
        return !(value instanceof MapValue map && !map.isEmpty())
                && !(value instanceof ListValue list && list.size() > 0);
    }

    private static Explanation from(Cause cause) {
        if (cause instanceof Cause.Inherited inherited) {
            return inherited.from();
        }
        if (cause instanceof Cause.Substituted substituted) {
            return substituted.from();
        }
        return cause instanceof Cause.Operated operated ? operated.from() : null;
    }

    private Value published(DocumentId id, Place inData) {
        return inData.in(workspace.document(id).data());
    }
}
