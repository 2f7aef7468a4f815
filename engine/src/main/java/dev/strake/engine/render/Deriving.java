package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Evaluation.Rendered;
import dev.strake.engine.render.Evaluation.Withheld;
import dev.strake.engine.tree.MapValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * The last stage of a rendering: derives documents from rendered documents.
 *
 * <pre>
 *   rendered documents ── an owner would read another value now ─────────┐
 *   owners ── edited, or rendered differently ───────────────────────────┴─► due ── evaluated ──► derived documents
 *                                                                                      │
 *                               two documents of one schema and name, one of them derived: both have a problem
 * </pre>
 *
 * {@link DueOwners} says which owners are due. Nothing depends on derived documents, so owners do not depend on one another,
 * and the problems found here change no rendering.
 */
public final class Deriving {

    private static final int SIDE_BY_SIDE = 64;

    private final Rendering rendering;
    private final Graph graphBefore;
    private final Function<DocumentId, Evaluation> evaluationsBefore;
    private final Derivations before;
    private final Graph graph;
    private final Map<DocumentId, Reevaluation> changed;
    private final Map<DocumentId, Derived> changes = new TreeMap<>();
    private final Map<DocumentKey, RecordJson> records = new HashMap<>();
    private final Set<DocumentKey> keys = new TreeSet<>();
    private final Map<DocumentKey, Claimants> rivals = new HashMap<>();
    private PersistentHashMap<DocumentId, Evaluation> evaluations;
    private OwnerReads.Snapshot snapshot;
    private Derivations after;
    private int evaluated;

    /**
     * @param rendering the finished rendering of the documents
     * @param evaluationsBefore the evaluations of the revision before
     */
    public Deriving(
            Rendering rendering,
            Graph graphBefore,
            Function<DocumentId, Evaluation> evaluationsBefore,
            Derivations before) {
        this.rendering = rendering;
        this.graphBefore = graphBefore;
        this.evaluationsBefore = evaluationsBefore;
        this.before = before;
        this.after = before;
        this.graph = rendering.graph();
        this.evaluations = rendering.evaluations();
        this.changed = rendering.changed();
    }

    /**
     * Derives the documents.
     *
     * @param touched the documents that were edited or removed, or have another place in the graph
     */
    public void carryOut(Collection<DocumentId> touched) {
        if (!before.isEmpty() || isAnyOwner(touched) || isAnyOwner(changed.keySet())) {
            Set<DocumentId> all = new LinkedHashSet<>(touched);
            all.addAll(changed.keySet());
            snapshot = new OwnerReads.Snapshot(
                    graph,
                    rendering.contentsAfter(evaluationsBefore),
                    this::rendered,
                    rendering.effort(),
                    rendering.renderer().reads(),
                    new ReadLimit(before.readsSize()));
            derive(all);
        }
    }

    /** The evaluations of all documents of the new revision, with the problems of this stage. */
    public PersistentHashMap<DocumentId, Evaluation> evaluations() {
        return evaluations;
    }

    /** The new evaluations, including those that only this stage changed. */
    public Map<DocumentId, Reevaluation> changed() {
        return changed;
    }

    /** The results of all owners. */
    public Derivations after() {
        return after;
    }

    /** The new results of owners; null for documents that are no longer owners in force. */
    public Map<DocumentId, Derived> changes() {
        return changes;
    }

    /** The JSON of changed derived documents. Some are missing if all of them together are too large. */
    public Map<DocumentKey, RecordJson> records() {
        return records;
    }

    /** The keys of changed derived documents, and of touched documents if an owner claims or claimed their key. */
    public Set<DocumentKey> keys() {
        return keys;
    }

    /** The number of evaluated owners. */
    public int evaluated() {
        return evaluated;
    }

    private boolean isAnyOwner(Collection<DocumentId> some) {
        for (DocumentId id : some) {
            if (DueOwners.isOwner(graph, id)) {
                return true;
            }
        }
        return false;
    }

    private Evaluation rendered(DocumentId id) {
        Evaluation found = evaluations.get(id);
        return found == null ? null : found.forDependents();
    }

    private void derive(Set<DocumentId> touched) {
        DueOwners owners = new DueOwners(rendering, graphBefore, before, snapshot);
        owners.find(touched);
        changes.putAll(owners.settled());
        List<DocumentId> due = owners.due();
        for (int from = 0; from < due.size(); from += SIDE_BY_SIDE) {
            List<DocumentId> some = due.subList(from, Math.min(due.size(), from + SIDE_BY_SIDE));
            rendering
                    .renderer()
                    .workers()
                    .each(some, this::evaluate)
                    .forEach(result -> enter(result, owners.cause(result.owner)));
        }
        for (Map.Entry<DocumentId, Derived> change : changes.entrySet()) {
            addKeys(before.of(change.getKey()), change.getValue());
        }
        for (DocumentId id : touched) {
            if (before.owns(id.key())) {
                keys.add(id.key());
            }
        }
        after = before.with(changes);
        snapshot.held().check(after.readsSize());
        touched.stream().map(DocumentId::key).filter(after::owns).forEach(keys::add);
        Map<DocumentId, Derived> taken = withoutTaken();
        changes.putAll(taken);
        after = after.with(taken);
        changes.entrySet().removeIf(change -> Objects.equals(change.getValue(), before.of(change.getKey())));
        concerned(touched).forEach(this::finish);
    }

    /** The result of an owner, with the records of its documents. */
    private record Result(DocumentId owner, Derived derived, Map<DocumentKey, RecordJson> records, long steps) {}

    private Result evaluate(DocumentId owner) {
        OwnerEvaluation evaluation = new OwnerEvaluation(
                owner,
                snapshot,
                rendering.renderer().limits(),
                rendering.renderer().schemas());
        evaluation.carryOut();
        long steps = 1 + evaluation.effort();
        rendering.effort().spend(steps);
        Derived old = before.of(owner);
        Map<DocumentKey, Output> outputs = new HashMap<>();
        Map<DocumentKey, RecordJson> made = new HashMap<>();
        for (Map.Entry<DocumentKey, MapValue> each : evaluation.documents().entrySet()) {
            DocumentKey key = each.getKey();
            MapValue document = each.getValue();
            Output last = old == null ? null : old.documents().get(key);
            Renderer.Made record = rendering.renderer().made(key, document, Output.recordOf(document));
            if (record == null) { // too large in its form, in clear text it would fit
                evaluation.refuse();
                outputs.clear();
                made.clear();
                break;
            }
            outputs.put(key, record.output());
            if (!record.output().equals(last) && rendering.room().take(record.json())) {
                made.put(key, record.json());
            }
        }
        return new Result(owner, evaluation.result(outputs, old), made, steps);
    }

    private void enter(Result result, DocumentId cause) {
        Derived old = before.of(result.owner);
        Derived now = result.derived;
        evaluated++;
        changes.put(result.owner, now);
        records.putAll(result.records);
        boolean same =
                old != null && old.isStale() == now.isStale() && old.documents().equals(now.documents());
        rendering.tracer().worked(result.owner, result.steps);
        rendering
                .tracer()
                .derived(
                        result.owner,
                        cause,
                        now.problem() != null
                                ? Tracer.Verdict.IN_TROUBLE
                                : same ? Tracer.Verdict.CUT_OFF : Tracer.Verdict.RENDERED);
    }

    private void addKeys(Derived old, Derived now) {
        Map<DocumentKey, Output> was = old == null ? Map.of() : old.documents();
        Map<DocumentKey, Output> is = now == null ? Map.of() : now.documents();
        boolean sameState = old != null && now != null && old.isStale() == now.isStale();
        Set<DocumentKey> different = new HashSet<>(was.keySet());
        different.addAll(is.keySet());
        different.removeIf(key -> sameState && Objects.equals(was.get(key), is.get(key)));
        keys.addAll(different);
    }

    /* Consumers keep a stale document until another document has its key. Removes those from the results. */
    private Map<DocumentId, Derived> withoutTaken() {
        Map<DocumentId, Derived> result = new LinkedHashMap<>();
        for (DocumentKey key : keys) {
            if (!claimants(key).all().isEmpty()) {
                for (DocumentId owner : after.stale(key)) {
                    Derived derived = result.getOrDefault(owner, after.of(owner));
                    result.put(owner, derived.without(key));
                }
            }
        }
        return result;
    }

    /**
     * The documents that claim one key: they have it, or derive a document with it.
     *
     * @param all the claimants, in order of identity
     * @param derive whether one of them derives the document
     */
    private record Claimants(List<DocumentId> all, boolean derive) {}

    private Claimants claimants(DocumentKey key) {
        List<DocumentId> owners = after.deriving(key);
        List<DocumentId> all = new ArrayList<>(owners);
        for (DocumentId id : graph.withKey(key)) {
            if (graph.isRendered(graph.facts(id))) {
                all.add(id);
            }
        }
        all.sort(null);
        return new Claimants(all, !owners.isEmpty());
    }

    /* Called only when all results are final. All rivals for one key share one list. */
    private Claimants rivals(DocumentKey key) {
        return rivals.computeIfAbsent(key, this::claimants);
    }

    /* The documents whose problem this stage may change. */
    private Set<DocumentId> concerned(Set<DocumentId> touched) {
        Set<DocumentId> result = new TreeSet<>(changes.keySet());
        for (DocumentId id : touched) {
            if (DueOwners.isOwner(graph, id) || evaluationsBefore.apply(id) instanceof Withheld) {
                result.add(id);
            }
        }
        for (DocumentKey key : keys) {
            result.addAll(before.owners().of(key));
            result.addAll(after.owners().of(key));
            result.addAll(graph.withKey(key));
        }
        result.removeIf(id -> graph.facts(id) == null);
        return result;
    }

    private void finish(DocumentId id) {
        Facts facts = graph.facts(id);
        Evaluation old = evaluationsBefore.apply(id);
        Evaluation now = rendered(id);
        if (now instanceof Rendered usable && !now.isInTrouble()) {
            Derived derived = after.of(id);
            Problem problem = derived == null ? null : derived.problem();
            DocumentId cause = problem == null ? null : derived.cause();
            if (problem == null) {
                problem = derived == null ? contested(id, facts) : contested(id, derived);
            }
            now = problem == null ? now : new Withheld(usable, problem, cause, 0);
        }
        now = now.since(now.hasSameResult(old) ? old.changedAt() : rendering.revision());
        evaluations = evaluations.assoc(id, now);
        if (now.equals(old)) {
            changed.remove(id);
        } else {
            changed.put(id, new Reevaluation(facts, old, now));
        }
    }

    private Problem contested(DocumentId id, Facts facts) {
        if (!graph.isRendered(facts) || !rivals(id.key()).derive()) {
            return null;
        }
        return Problem.of(
                        ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                        id,
                        "has the schema and name of a derived document",
                        "rename the document, or let the owner derive another name")
                .relatedTo(rivals(id.key()).all());
    }

    private Problem contested(DocumentId owner, Derived derived) {
        if (derived.isStale()) {
            return null;
        }
        DocumentKey first = null;
        for (DocumentKey key : derived.documents().keySet()) {
            if ((first == null || key.compareTo(first) < 0) && rivals(key).all().size() > 1) {
                first = key;
            }
        }
        return first == null
                ? null
                : Problem.of(
                                ProblemCode.DUPLICATE_DOCUMENT_EXISTS,
                                owner,
                                "derives " + first + ", but another document has the same schema and name",
                                "let the owner derive another name, or rename the other document")
                        .relatedTo(rivals(first).all());
    }
}
