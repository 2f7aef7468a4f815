package dev.strake.engine.workspace;

import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Derivations;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Deriving;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Rendering;
import dev.strake.engine.render.Tracer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.organicdesign.fp.collections.PersistentHashMap;
import org.organicdesign.fp.collections.PersistentHashMap.MutHashMap;

/**
 * The head of a workspace: its layer graph, the evaluation of every document, and what consumers hold. Immutable. A change
 * makes a new head; if that cannot be stored or published, the old head stays.
 */
public final class Workspace {

    public static final Workspace EMPTY = new Workspace(0, new Rules(null, ""), State.NONE, Holdings.NONE, Set.of());

    /** Every search for the operations on a document scans these names, also for readers, whose work has no budget. */
    private static final int MOST_NAMES_IN_TARGETS = 1_000;

    private final long revision;
    private final Rules rules;
    private final State state;
    private final Holdings holdings;
    private final Set<DocumentId> rekeyed;

    /**
     * How a head was rendered.
     *
     * @param limits null before the first revision
     * @param form the form in which records with secrets are published; empty if there are none
     */
    public record Rules(RenderLimits limits, String form) {}

    /** The documents of a head, with their results. */
    private record State(
            Graph graph,
            PersistentHashMap<DocumentId, Evaluation> evaluations,
            Derivations derivations,
            Troubled trouble) {

        static final State NONE = new State(Graph.EMPTY, PersistentHashMap.empty(), Derivations.NONE, Troubled.NONE);
    }

    private Workspace(long revision, Rules rules, State state, Holdings holdings, Set<DocumentId> rekeyed) {
        this.revision = revision;
        this.rules = rules;
        this.state = state;
        this.holdings = holdings;
        this.rekeyed = rekeyed;
    }

    /**
     * Restores a workspace from its stored state.
     *
     * @param graph the layer graph of these heads
     * @param derived the result of each owner of derived documents
     * @param rekeyed documents that the next change inspects whatever it edits: since they were last rendered, it has
     *     changed whether they can be decrypted
     */
    public static Workspace restored(
            long revision,
            Rules rules,
            Graph graph,
            Collection<Head> heads,
            Map<DocumentId, Derived> derived,
            Holdings holdings,
            Set<DocumentId> rekeyed) {
        Troubled trouble = Troubled.NONE;
        MutHashMap<DocumentId, Evaluation> byNode = PersistentHashMap.emptyMutable();
        for (Head head : heads) {
            DocumentId id = head.facts().id();
            byNode = byNode.assoc(id, head.evaluation().in(rules.form()));
            trouble = trouble.with(id, head.evaluation());
        }
        Derivations derivations = Derivations.NONE.with(inForm(derived, rules.form()));
        State state = new State(graph, byNode.immutable(), derivations, trouble);
        return new Workspace(revision, rules, state, holdings, Set.copyOf(rekeyed));
    }

    private static Map<DocumentId, Derived> inForm(Map<DocumentId, Derived> derived, String form) {
        Map<DocumentId, Derived> formed = new HashMap<>(derived);
        formed.replaceAll((owner, each) -> each.in(form));
        return formed;
    }

    /** The number of the head revision; 0 before the first. */
    public long revision() {
        return revision;
    }

    /** What consumers hold. */
    public Holdings holdings() {
        return holdings;
    }

    public Graph graph() {
        return state.graph();
    }

    /** The evaluation of a document; null if it is not in the head revision. */
    public Evaluation evaluation(DocumentId id) {
        return state.evaluations().get(id);
    }

    /** What is derived from the documents of the head. */
    public Derivations derivations() {
        return state.derivations();
    }

    /** The limits with which the head was rendered; null before the first revision. */
    public RenderLimits limits() {
        return rules.limits();
    }

    /** The {@linkplain dev.strake.engine.render.RecordForm#name() form} in which the head publishes records with secrets. */
    public String form() {
        return rules.form();
    }

    /** Whether a change has to inspect documents that it does not edit, because of their secrets. */
    public boolean isDue(Renderer renderer) {
        return !rekeyed.isEmpty()
                || (graph().hasSecrets() && !form().equals(renderer.form().name()));
    }

    /**
     * The problems of the head revision: first that of the whole workspace, then those of documents with a problem of their
     * own, then those of blocked documents; each group in order of identity.
     *
     * @param most the maximum number of problems
     */
    public List<Problem> problems(int most) {
        List<Problem> result = new ArrayList<>();
        if (wholeProblem() != null) {
            result.add(wholeProblem());
        }
        for (DocumentId id : state.trouble().first(most)) {
            result.add(evaluation(id).problem());
        }
        return List.copyOf(result.subList(0, Math.min(most, result.size())));
    }

    /** Whether the head revision has a problem. */
    public boolean isInTrouble() {
        return !state.trouble().isEmpty() || wholeProblem() != null;
    }

    /** The problem of the workspace as a whole; null if it has none. */
    public Problem wholeProblem() {
        return wholeProblem(graph());
    }

    private static Problem wholeProblem(Graph graph) {
        return wholeProblem(graph.size() > 0, graph.layerOrder() != null);
    }

    /** As {@link #wholeProblem()}, for a revision that is not loaded. */
    public static Problem wholeProblem(boolean hasDocuments, boolean hasPolicy) {
        return !hasDocuments || hasPolicy
                ? null
                : Problem.of(
                        ProblemCode.LAYERING_POLICY_NOT_FOUND,
                        "the workspace has documents, but no layering policy",
                        "publish a document of schema deckhand/LayeringPolicy/v1");
    }

    /**
     * Applies a plan as the next revision.
     *
     * @param plan a plan for this head, with edits and without rejections
     * @param contents the documents of this head
     * @throws ChangeEffort.ExceededException if the change exceeds a limit of work
     */
    public Update apply(Plan plan, Contents contents, Renderer renderer, Tracer tracer) {
        ChangeEffort effort = new ChangeEffort(renderer.limits().changeEffort());
        GraphUpdate update = GraphUpdate.of(graph(), plan.facts(revision + 1), effort);
        int names = update.graph().namesInTargets();
        if (names > MOST_NAMES_IN_TARGETS && names > graph().namesInTargets()) {
            throw ChangeEffort.ExceededException.ofNamesInTargets(MOST_NAMES_IN_TARGETS);
        }
        Set<DocumentId> due = due(update.graph(), renderer);
        Rendering.Before before = new Rendering.Before(revision, remaining(plan), contents, isRelimited(renderer), due);
        Rendering rendering = new Rendering(update, before, plan.documents(), renderer, effort, tracer);
        rendering.carryOut();
        Set<DocumentId> touched = touched(plan, update, due);
        Deriving deriving = new Deriving(rendering, graph(), this::evaluation, derivations());
        deriving.carryOut(touched);
        return update(plan, update, rendering, deriving, touched);
    }

    private PersistentHashMap<DocumentId, Evaluation> remaining(Plan plan) {
        PersistentHashMap<DocumentId, Evaluation> remaining = state.evaluations();
        for (Map.Entry<DocumentId, Edit> entry : plan.edits().entrySet()) {
            if (entry.getValue().kind() == Edit.Kind.REMOVED) {
                remaining = remaining.without(entry.getKey());
            }
        }
        return remaining;
    }

    private boolean isRelimited(Renderer renderer) {
        return limits() != null && !limits().boundDocumentsLike(renderer.limits());
    }

    /* The documents that the change edits, removes or moves, whose secrecy it changes, or that are due anyway. */
    private static Set<DocumentId> touched(Plan plan, GraphUpdate update, Set<DocumentId> due) {
        Set<DocumentId> touched = new LinkedHashSet<>(plan.edits().keySet());
        touched.addAll(update.seeds().keySet());
        touched.addAll(update.resecured());
        for (DocumentId id : due) {
            if (update.graph().facts(id) != null) {
                touched.add(id);
            }
        }
        return touched;
    }

    private Update update(
            Plan plan, GraphUpdate update, Rendering rendering, Deriving deriving, Set<DocumentId> touched) {
        Renderer renderer = rendering.renderer();
        Map<DocumentId, Optional<Problem>> problems = problemChanges(plan, deriving);
        Troubled trouble = state.trouble();
        for (DocumentId id : problems.keySet()) {
            trouble = trouble.with(id, deriving.evaluations().get(id));
        }
        Graph after = update.graph();
        Update.Status status = status(after, trouble, renderer);
        Publication publication = publication(after, status, deriving, touched, rendering.effort());
        Workspace next = new Workspace(
                revision + 1,
                new Rules(
                        renderer.limits(), after.hasSecrets() ? renderer.form().name() : ""),
                new State(after, deriving.evaluations(), deriving.after(), trouble),
                publication.holdings(status == Update.Status.RENDERED ? revision + 1 : holdings.revision()),
                Set.of());
        List<Problem> warnings = new ArrayList<>(plan.warnings());
        warnings.addAll(rendering.warnings());
        warnings.addAll(Warnings.orphans(update, rendering));
        warnings.addAll(Warnings.overruled(update, rendering));
        warnings.addAll(Warnings.targetless(plan, graph(), update, rendering));
        return new Update(
                next,
                plan.edits(),
                new Update.Results(update.moved(), deriving.changed(), rendering.data(), rendering.records()),
                new Update.DerivedResults(deriving.changes(), publication.derivedChanges(), deriving.records()),
                new Update.Published(status, publication.emissions(), problems, publication.heldChanges()),
                new Update.Work(
                        rendering.affected(),
                        rendering.evaluated(),
                        rendering.cutOff(),
                        deriving.evaluated(),
                        rendering.effort().spent()),
                warnings);
    }

    private static Update.Status status(Graph after, Troubled trouble, Renderer renderer) {
        boolean hasPolicy = wholeProblem(after) == null;
        if (trouble.isEmpty() && hasPolicy) {
            return Update.Status.RENDERED;
        }
        return renderer.holdDocuments() && hasPolicy ? Update.Status.PARTIAL : Update.Status.FAILED;
    }

    private Publication publication(
            Graph after, Update.Status status, Deriving deriving, Set<DocumentId> touched, ChangeEffort effort) {
        Holdings.Rule rule = status == Update.Status.FAILED ? Holdings.Rule.ALL : Holdings.Rule.TROUBLED;
        Publication publication = new Publication(this, holdings, after, deriving, rule);
        touched.forEach(id -> publication.compare(id.key()));
        deriving.changed().keySet().forEach(id -> publication.compare(id.key()));
        deriving.keys().forEach(publication::compare);
        if (holdings.revision() < revision) { // otherwise held records differ only in the order of keys, and stay held
            effort.spend(holdings.held().size());
            if (holdings.rule() != rule) { // otherwise held records that the change does not touch stay as they are
                holdings.held().keySet().forEach(publication::compare);
            }
        }
        return publication;
    }

    /* Documents to inspect whatever the change edits. */
    private Set<DocumentId> due(Graph after, Renderer renderer) {
        if (!isDue(renderer) || form().equals(renderer.form().name())) {
            return rekeyed;
        }
        Set<DocumentId> due = new LinkedHashSet<>(rekeyed);
        graph().secretDocuments().forEach(due::add);
        after.secretDocuments().forEach(due::add);
        derivations().all().forEach((owner, derived) -> {
            if (derived.isSecret()) {
                due.add(owner);
            }
        });
        return due;
    }

    private Map<DocumentId, Optional<Problem>> problemChanges(Plan plan, Deriving deriving) {
        Map<DocumentId, Optional<Problem>> result = new TreeMap<>();
        for (DocumentId id : plan.edits().keySet()) {
            if (state.trouble().contains(id) && deriving.evaluations().get(id) == null) {
                result.put(id, Optional.empty());
            }
        }
        deriving.changed().forEach((id, again) -> {
            Problem before = again.before() == null ? null : again.before().problem();
            Problem now = again.now().problem();
            if (!Objects.equals(before, now)) {
                result.put(id, Optional.ofNullable(now));
            }
        });
        return result;
    }
}
