package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Affected;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.graph.Places;
import dev.strake.engine.graph.Reason;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * One incremental rendering: walks the affected documents in dependency order and inspects those with a changed
 * dependency.
 *
 * <pre>
 *   affected ── no input changed ──────────────────────────► clean
 *      │ own content, place in the graph, or a dependency's result changed
 *      ▼
 *   inspection ── a problem ───────────────────────────────► in trouble, and so are its dependents
 *      │
 *      ├── same inputs as last time ───────────────────────► verified
 *      ├── evaluated ── same result ───────────────────────► cut off
 *      └── evaluated ── different ─────────────────────────► rendered; its dependents are due
 * </pre>
 *
 * Documents on one level of the graph do not depend on one another, so {@link Workers} may inspect them in parallel. One
 * thread enters the results in order, so the outcome does not depend on timing.
 */
public final class Rendering {

    /** The number of documents that are inspected before their results are entered. Limits the results on the heap. */
    private static final int SIDE_BY_SIDE = 512;

    private final GraphUpdate update;
    private final Before before;
    private final Renderer renderer;
    private final Tracer tracer;
    private final Allowance allowance;
    private final NewContents contents;
    private Affected affected;
    private Inspection.Basis basis;

    private PersistentHashMap<DocumentId, Evaluation> evaluations;
    /** Documents that are due because a dependency changed, with the one on the first such document by its identity. */
    private final Map<DocumentId, Dependency> dirty = new HashMap<>();

    private final Map<DocumentId, RecordJson> records = new HashMap<>();
    private final Map<DocumentId, Reevaluation> changed = new LinkedHashMap<>();
    private final List<Problem> warnings = new ArrayList<>();
    private int evaluated;
    private int cutOff;

    /**
     * The previous revision.
     *
     * @param revision its number
     * @param evaluations the evaluations of its documents, without removed ones
     * @param contents its documents
     * @param relimited whether it was rendered with other limits: then every document is due
     * @param rekeyed documents that are due because keys came or went, or records with secrets have another form
     */
    public record Before(
            long revision,
            PersistentHashMap<DocumentId, Evaluation> evaluations,
            Contents contents,
            boolean relimited,
            Set<DocumentId> rekeyed) {}

    /**
     * @param edited the documents that are added or changed
     * @param effort counts the work
     */
    public Rendering(
            GraphUpdate update,
            Before before,
            Map<DocumentId, Document> edited,
            Renderer renderer,
            ChangeEffort effort,
            Tracer tracer) {
        this.update = update;
        this.before = before;
        this.evaluations = before.evaluations();
        this.contents = new NewContents(update.graph(), edited, before.contents(), effort);
        this.renderer = renderer;
        this.tracer = tracer;
        this.allowance = new Allowance(effort);
    }

    /**
     * Renders.
     *
     * @throws ChangeEffort.ExceededException if the change exceeds its limit of work
     */
    public void carryOut() {
        Graph graph = update.graph();
        affected = Affected.by(graph, before.relimited() ? graph.documents() : due(graph), effort());
        basis = new Inspection.Basis(
                new Places(graph), affected, contents, this::evaluation, renderer, before.relimited(), allowance);
        for (List<DocumentId> level : affected.levels()) {
            for (int from = 0; from < level.size(); from += SIDE_BY_SIDE) {
                render(level.subList(from, Math.min(level.size(), from + SIDE_BY_SIDE)));
            }
        }
    }

    private Collection<DocumentId> due(Graph graph) {
        if (before.rekeyed().isEmpty()) {
            return update.seeds().keySet();
        }
        Set<DocumentId> all = new LinkedHashSet<>(update.seeds().keySet());
        before.rekeyed().stream().filter(id -> graph.facts(id) != null).forEach(all::add);
        return all;
    }

    /** The evaluations of all documents of the new revision. */
    public PersistentHashMap<DocumentId, Evaluation> evaluations() {
        return evaluations;
    }

    /** The evaluations that are new, in dependency order; also those that used other inputs with the same result. */
    public Map<DocumentId, Reevaluation> changed() {
        return changed;
    }

    /** Rendered data that is new, of documents that others are made from. */
    public Map<DocumentId, Value> data() {
        return contents.results();
    }

    /** The JSON of records that changed; not of all of them if they are large. */
    public Map<DocumentId, RecordJson> records() {
        return records;
    }

    /** The number of documents that the change could reach. */
    public int affected() {
        return affected.size();
    }

    /** The number of documents that were rendered again. */
    public int evaluated() {
        return evaluated;
    }

    /** The number of documents that were rendered again with the same result. */
    public int cutOff() {
        return cutOff;
    }

    /** The warnings of all evaluations, in order of the documents. */
    public List<Problem> warnings() {
        warnings.sort(Comparator.comparing(Problem::document));
        return List.copyOf(warnings);
    }

    Graph graph() {
        return update.graph();
    }

    public Renderer renderer() {
        return renderer;
    }

    Tracer tracer() {
        return tracer;
    }

    /** Counts the work of the change. */
    public ChangeEffort effort() {
        return allowance.effort();
    }

    Allowance.Room room() {
        return allowance.records();
    }

    long revision() {
        return before.revision() + 1;
    }

    boolean isRelimited() {
        return before.relimited();
    }

    /** Whether a document is due even if neither the document nor its dependencies changed. */
    boolean isRekeyed(DocumentId id) {
        return before.rekeyed().contains(id);
    }

    /** The contents of the rendered revision, for later reads. */
    Contents contentsAfter(Function<DocumentId, Evaluation> evaluationsBefore) {
        return new LateContents(
                graph(),
                contents::document,
                contents::dataBefore,
                contents.results(),
                evaluationsBefore,
                evaluations::get);
    }

    private Evaluation evaluation(DocumentId id) {
        Evaluation found = evaluations.get(id);
        return found == null ? null : found.forDependents();
    }

    private void render(List<DocumentId> independent) {
        List<Inspection> found = renderer.workers().each(independent, this::look);
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) == null) {
                tracer.decided(independent.get(i), null, Verdict.CLEAN);
            } else {
                enter(found.get(i));
            }
        }
    }

    /* Null if the document is not due. Called by several threads, while nothing is entered. */
    private Inspection look(DocumentId id) {
        return reason(id) == null ? null : new Inspection(basis, id, evaluation(id)).carryOut();
    }

    /* Why a document is due; null if it is not. A problem can only vanish for one of these reasons. */
    private Reason reason(DocumentId id) {
        Reason seed = update.seeds().get(id);
        if (seed != null) {
            return seed;
        }
        Dependency changed = dirty.get(id);
        if (changed != null) {
            return new Reason.Changed(changed);
        }
        if (affected.cycle(id) != null || wasPartOfCycle(evaluation(id))) {
            return Reason.CYCLIC;
        }
        return isRekeyed(id) ? Reason.KEYED : isRelimited() ? Reason.LIMITED : null;
    }

    private static boolean wasPartOfCycle(Evaluation old) {
        return old.problem() != null
                && old.cause() == null
                && old.problem().code() == ProblemCode.SUBSTITUTION_DEPENDENCY_CYCLE;
    }

    private void enter(Inspection found) {
        DocumentId id = found.document();
        Evaluation old = found.before();
        boolean same = found.evaluation().hasSameResult(old);
        boolean staysAsItWas = same && (old.problem() == null || !update.movesIntoOrOutOfRenderedSet(id));
        Evaluation now = found.evaluation().since(staysAsItWas ? old.changedAt() : revision());
        Verdict verdict = verdict(now, same, found.wasEvaluated());
        tracer.decided(id, reason(id), verdict);
        tracer.worked(id, found.steps());
        evaluated += found.wasEvaluated() ? 1 : 0;
        cutOff += verdict == Verdict.CUT_OFF ? 1 : 0;
        warnings.addAll(found.warnings());
        if (!now.equals(old)) {
            evaluations = evaluations.assoc(id, now);
            changed.put(id, new Reevaluation(found.facts(), old, now));
        }
        boolean looksSame =
                now.looksSameToDependents(old) && !update.resecured().contains(id);
        if (!looksSame) {
            affected.forEachDependent(
                    id, (dependent, dependency) -> dirty.merge(dependent, dependency, Rendering::first));
        }
        if (!same) {
            keep(found, !looksSame && affected.hasDependents(id));
        }
    }

    private static Dependency first(Dependency one, Dependency other) {
        return other.on().compareTo(one.on()) < 0 ? other : one;
    }

    /*
     * A tree takes at least five times the heap of its record, and most documents of a large change have no dependents.
     * For large documents without dependents, neither is kept. The publisher computes them again, one by one.
     */
    private void keep(Inspection found, boolean hasDependents) {
        if (found.record() != null) {
            records.put(found.document(), found.record());
        }
        if (found.value() != null && hasDependents) {
            contents.put(found.document(), found.value());
        }
    }

    private static Verdict verdict(Evaluation now, boolean same, boolean wasEvaluated) {
        if (now.isInTrouble()) {
            return Verdict.IN_TROUBLE;
        }
        return wasEvaluated
                ? (same ? Verdict.CUT_OFF : Verdict.RENDERED)
                : (same ? Verdict.VERIFIED : Verdict.RENDERED);
    }
}
