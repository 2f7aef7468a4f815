package dev.strake.engine.workspace;

import dev.strake.engine.document.Document;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.identity.Digest;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Contents;
import dev.strake.engine.render.Derivations;
import dev.strake.engine.render.Derived;
import dev.strake.engine.render.Deriving;
import dev.strake.engine.render.Evaluation;
import dev.strake.engine.render.Output;
import dev.strake.engine.render.Renderer;
import dev.strake.engine.render.Rendering;
import dev.strake.engine.render.Tracer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
 * The head of a workspace: its layer graph, the evaluation of every document, and what consumers hold. It is immutable. A
 * change makes a new head; if storing or publishing it fails, the old head is still there.
 *
 * <p>Consumers mostly hold what the head renders to, so only the difference is kept: {@code held} has an entry for each key
 * whose published record may differ from the head's, because a problem holds the new record back or because only the
 * order of its keys changed.
 */
public final class Workspace {

    public static final Workspace EMPTY = new Workspace(
            0,
            0,
            null,
            "",
            Graph.EMPTY,
            PersistentHashMap.empty(),
            Derivations.NONE,
            Trouble.NONE,
            Holdings.NONE,
            Hold.UNKNOWN,
            Set.of());

    /** Whoever looks for the operations on a document goes through these. Readers do so, too, and their work has no budget. */
    private static final int MOST_NAMES_IN_TARGETS = 1_000;

    /** What the change that made a head held back: everything, or what is in trouble. A head that was opened does not know. */
    private enum Hold {
        ALL,
        TROUBLED,
        UNKNOWN
    }

    private final long revision;
    private final long renderedRevision;
    private final RenderLimits limits;
    private final String form;
    private final Graph graph;
    private final PersistentHashMap<DocumentId, Evaluation> evaluations;
    private final Derivations derivations;
    private final Trouble trouble;
    private final Holdings holdings;
    private final Hold hold;
    private final Set<DocumentId> rekeyed;

    private Workspace(
            long revision,
            long renderedRevision,
            RenderLimits limits,
            String form,
            Graph graph,
            PersistentHashMap<DocumentId, Evaluation> evaluations,
            Derivations derivations,
            Trouble trouble,
            Holdings holdings,
            Hold hold,
            Set<DocumentId> rekeyed) {
        this.revision = revision;
        this.renderedRevision = renderedRevision;
        this.limits = limits;
        this.form = form;
        this.graph = graph;
        this.evaluations = evaluations;
        this.derivations = derivations;
        this.trouble = trouble;
        this.holdings = holdings;
        this.hold = hold;
        this.rekeyed = rekeyed;
    }

    /**
     * A workspace from its stored state.
     *
     * @param limits with which the head was rendered
     * @param form in which the records of secret documents were published; empty if there are none
     * @param graph of these heads
     * @param derived what came from each owner of derived documents
     */
    public static Workspace restored(
            long revision,
            long renderedRevision,
            RenderLimits limits,
            String form,
            Graph graph,
            Collection<Head> heads,
            Map<DocumentId, Derived> derived,
            Map<DocumentKey, Optional<Output>> held,
            int published,
            Digest digest) {
        Trouble trouble = Trouble.NONE;
        MutHashMap<DocumentId, Evaluation> byNode = PersistentHashMap.emptyMutable();
        for (Head head : heads) {
            DocumentId id = graph.facts(head.facts().id()).id(); // the graph's own object, so that only one is kept
            byNode = byNode.assoc(id, head.evaluation().in(form));
            trouble = trouble.with(id, head.evaluation());
        }
        return new Workspace(
                revision,
                renderedRevision,
                limits,
                form,
                graph,
                byNode.immutable(),
                Derivations.NONE.with(inForm(derived, graph, form)),
                trouble,
                Holdings.of(held, published, digest),
                Hold.UNKNOWN,
                Set.of());
    }

    /**
     * The same, and the next change looks at some documents, whatever it edits.
     *
     * @param others documents that can be decrypted and could not be when they were last rendered, or the other way round
     */
    public Workspace rekeyed(Set<DocumentId> others) {
        return new Workspace(
                revision,
                renderedRevision,
                limits,
                form,
                graph,
                evaluations,
                derivations,
                trouble,
                holdings,
                hold,
                Set.copyOf(others));
    }

    private static Map<DocumentId, Derived> inForm(Map<DocumentId, Derived> derived, Graph graph, String form) {
        Map<DocumentId, Derived> formed = new HashMap<>(derived);
        formed.replaceAll((owner, each) -> each.isSecret(graph, owner) ? each.in(form) : each);
        return formed;
    }

    /** The number of the head revision; 0 before the first. */
    public long revision() {
        return revision;
    }

    /** The last revision that was published as a whole; 0 before the first. */
    public long renderedRevision() {
        return renderedRevision;
    }

    public Graph graph() {
        return graph;
    }

    /** The evaluation of a document; null if it is not in the head revision. */
    public Evaluation evaluation(DocumentId id) {
        return evaluations.get(id);
    }

    /** Whether a change has to look at documents that it does not edit, because keys came or went. */
    public boolean isRekeyed() {
        return !rekeyed.isEmpty();
    }

    /** What is derived from the documents of the head. */
    public Derivations derivations() {
        return derivations;
    }

    /** The limits with which the head was rendered; null before the first revision. */
    public RenderLimits limits() {
        return limits;
    }

    /** The {@linkplain dev.strake.engine.render.RecordForm#name() form} in which the head publishes records of secret documents. */
    public String form() {
        return form;
    }

    /** Whether a change has to look at documents that it does not edit, for a reason of secrets. */
    public boolean isDue(Renderer renderer) {
        return isRekeyed()
                || (graph.hasSecrets() && !form.equals(renderer.form().name()));
    }

    /** How many records consumers hold. */
    public int published() {
        return holdings.records();
    }

    /** The digest of the records that consumers hold. */
    public Digest digest() {
        return holdings.digest();
    }

    /**
     * For each key whose published record may differ from the head's: the published record, empty if there is none. A
     * problem holds the new record back, or the two differ only in the order of keys.
     */
    public Map<DocumentKey, Optional<Output>> held() {
        return holdings.held();
    }

    /** The record that consumers hold under a key while that of the head is held back; empty if they hold none. */
    public Optional<Output> held(DocumentKey key) {
        return holdings.held().getOrDefault(key, Optional.empty());
    }

    /**
     * The problems of the head revision: first that of the whole workspace, then those of documents with a problem of their
     * own, then those of blocked documents; each group in order of identity.
     *
     * @param most how many to return at the most
     */
    public List<Problem> problems(int most) {
        List<Problem> result = new ArrayList<>();
        if (wholeProblem() != null) {
            result.add(wholeProblem());
        }
        for (DocumentId id : trouble.first(most)) {
            result.add(evaluations.get(id).problem());
        }
        return List.copyOf(result.subList(0, Math.min(most, result.size())));
    }

    /** Whether the head revision has a problem. */
    public boolean isInTrouble() {
        return !trouble.isEmpty() || wholeProblem() != null;
    }

    /** The problem of the workspace as a whole; null if it has none. */
    public Problem wholeProblem() {
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
     * Carries out a plan as the next revision.
     *
     * @param plan made for this head, with edits and without rejections
     * @param contents the documents of this head
     * @throws ChangeEffort.ExceededException if that takes more than a change may cost
     */
    public Update apply(Plan plan, Contents contents, Renderer renderer, Tracer tracer) {
        Map<DocumentId, Facts> facts = new LinkedHashMap<>();
        Map<DocumentId, Document> documents = new HashMap<>();
        PersistentHashMap<DocumentId, Evaluation> remaining = evaluations;
        for (Map.Entry<DocumentId, Edit> entry : plan.edits().entrySet()) {
            Facts edited = entry.getValue().facts();
            facts.put(entry.getKey(), edited == null ? null : edited.since(revision + 1));
            if (entry.getValue().kind() == Edit.Kind.REMOVED) {
                remaining = remaining.without(entry.getKey());
            } else {
                documents.put(entry.getKey(), entry.getValue().document());
            }
        }
        ChangeEffort effort = new ChangeEffort(renderer.limits().changeEffort());
        GraphUpdate update = new GraphUpdate(graph, facts, effort);
        int names = update.graph().namesInTargets();
        if (names > MOST_NAMES_IN_TARGETS && names > graph.namesInTargets()) {
            throw ChangeEffort.ExceededException.ofNamesInTargets(MOST_NAMES_IN_TARGETS);
        }
        boolean relimited = limits != null && !limits.boundDocumentsLike(renderer.limits());
        Set<DocumentId> due = due(update.graph(), renderer);
        Rendering rendering = new Rendering(
                update, remaining, documents, contents, revision + 1, renderer, relimited, due, effort, tracer);

        Set<DocumentId> touched = new LinkedHashSet<>(plan.edits().keySet());
        touched.addAll(update.seeds().keySet());
        touched.addAll(update.resecured());
        for (DocumentId id : due) {
            if (update.graph().facts(id) != null) {
                touched.add(id);
            }
        }
        Deriving deriving = new Deriving(rendering, touched, graph, this::evaluation, derivations);

        Map<DocumentId, Optional<Problem>> problems = problemChanges(plan, deriving);
        Trouble troubleAfter = trouble;
        for (DocumentId id : problems.keySet()) {
            troubleAfter = troubleAfter.with(id, deriving.evaluations().get(id));
        }
        Graph after = update.graph();
        boolean hasPolicy = wholeProblem(after.size() > 0, after.layerOrder() != null) == null;
        boolean whole = troubleAfter.isEmpty() && hasPolicy;
        Update.Status status = whole
                ? Update.Status.RENDERED
                : renderer.holdDocuments() && hasPolicy ? Update.Status.PARTIAL : Update.Status.FAILED;

        Publication publication = new Publication(this, holdings, after, deriving, status == Update.Status.FAILED);
        touched.forEach(id -> publication.compare(id.key()));
        deriving.changed().keySet().forEach(id -> publication.compare(id.key()));
        deriving.keys().forEach(publication::compare);
        Hold holdAfter = status == Update.Status.FAILED ? Hold.ALL : Hold.TROUBLED;
        if (renderedRevision < revision) { // otherwise held records differ only in the order of keys, and stay held
            effort.spend(holdings.held().size());
            if (hold != holdAfter) { // otherwise those that nothing happened to stay as they are
                holdings.held().keySet().forEach(publication::compare);
            }
        }

        Workspace next = new Workspace(
                revision + 1,
                whole ? revision + 1 : renderedRevision,
                renderer.limits(),
                after.hasSecrets() ? renderer.form().name() : "",
                after,
                deriving.evaluations(),
                deriving.after(),
                troubleAfter,
                publication.holdings(),
                holdAfter,
                Set.of());
        List<Problem> warnings = new ArrayList<>(plan.warnings());
        warnings.addAll(rendering.warnings());
        warnings.addAll(Warnings.orphans(update, rendering));
        warnings.addAll(Warnings.overruled(update, rendering));
        warnings.addAll(Warnings.targetless(plan, graph, update, rendering));
        return new Update(
                next,
                status,
                plan.edits(),
                update.moved(),
                deriving.changed(),
                rendering.data(),
                rendering.records(),
                publication.emissions(),
                problems,
                publication.heldChanges(),
                deriving.changes(),
                publication.derivedChanges(),
                deriving.records(),
                new Update.Work(rendering.affected(), rendering.evaluated(), deriving.evaluated(), effort.spent()),
                warnings);
    }

    /* Documents that are due whatever the change edits. */
    private Set<DocumentId> due(Graph after, Renderer renderer) {
        if (!isDue(renderer) || form.equals(renderer.form().name())) {
            return rekeyed;
        }
        Set<DocumentId> due = new LinkedHashSet<>(rekeyed);
        graph.secretDocuments().forEach(due::add);
        after.secretDocuments().forEach(due::add);
        derivations.all().forEach((owner, derived) -> {
            if (derived.isSecret(graph, owner)) {
                due.add(owner);
            }
        });
        return due;
    }

    private Map<DocumentId, Optional<Problem>> problemChanges(Plan plan, Deriving deriving) {
        Map<DocumentId, Optional<Problem>> result = new TreeMap<>();
        for (DocumentId id : plan.edits().keySet()) {
            if (trouble.contains(id) && deriving.evaluations().get(id) == null) {
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
