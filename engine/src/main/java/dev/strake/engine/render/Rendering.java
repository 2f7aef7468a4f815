package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.DocumentId;
import dev.strake.engine.document.DocumentKey;
import dev.strake.engine.document.EvaluationException;
import dev.strake.engine.document.Problem;
import dev.strake.engine.document.ProblemCode;
import dev.strake.engine.document.RenderLimits;
import dev.strake.engine.graph.Affected;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.GraphUpdate;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.render.Tracer.Verdict;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.organicdesign.fp.collections.PersistentHashMap;

/**
 * One incremental rendering: walks the affected documents in dependency order and evaluates those for which something
 * they used came out different.
 *
 * <pre>
 *   affected ── no input changed ──────────────────────────► clean
 *      │ own content, place in the graph, or a dependency's result changed
 *      ▼
 *   place in order? ── no ─────────────────────────────────► in trouble, and so are its dependents
 *      │
 *   same inputs as last time? ── yes ──────────────────────► verified
 *      │ no
 *   evaluate, check against the schema ── same result ─────► cut off
 *      │
 *      └── different ──────────────────────────────────────► rendered; dependents have to look
 * </pre>
 */
public final class Rendering {

    /** Bytes of records that are kept for whoever publishes them; of a larger change the rest is made again. */
    private static final long KEPT_RECORD_BYTES = 64L << 20;

    private final Graph graph;
    private final GraphUpdate update;
    private final Affected affected;
    private final NewContents contents;
    private final DataSchemas schemas;
    private final RenderLimits limits;
    private final Tracer tracer;
    private final long revision;
    private final StructuralCheck structure;

    private PersistentHashMap<DocumentId, Evaluation> evaluations;
    private final Set<DocumentId> dirty = new HashSet<>();
    private final Map<DocumentId, byte[]> records = new HashMap<>();
    private long keptRecordBytes;
    private final Map<DocumentId, Evaluation> changed = new LinkedHashMap<>();
    private final List<Problem> warnings = new ArrayList<>();
    private int evaluated;

    /**
     * @param evaluations the evaluations of the revision before, without those of removed documents
     * @param edited the documents that are added or changed
     * @param contents all other documents, as of the revision before
     */
    public Rendering(
            GraphUpdate update,
            PersistentHashMap<DocumentId, Evaluation> evaluations,
            Map<DocumentId, Document> edited,
            Contents contents,
            long revision,
            DataSchemas schemas,
            RenderLimits limits,
            Tracer tracer) {
        this.graph = update.graph();
        this.update = update;
        this.affected = new Affected(graph, update.seeds().keySet());
        this.evaluations = evaluations;
        this.contents = new NewContents(graph, edited, contents);
        this.revision = revision;
        this.schemas = schemas;
        this.limits = limits;
        this.tracer = tracer;
        this.structure = new StructuralCheck(graph, affected);
        affected.inOrder().forEach(this::visit);
    }

    /** The evaluations of all documents of the new revision. */
    public PersistentHashMap<DocumentId, Evaluation> evaluations() {
        return evaluations;
    }

    /** The evaluations that are new, in dependency order; also those that used other inputs with the same result. */
    public Map<DocumentId, Evaluation> changed() {
        return changed;
    }

    /** The rendered data of every document for which it, or the record made of it, came out different. */
    public Map<DocumentId, Value> data() {
        return contents.results();
    }

    /** The JSON of records that came out different; not of all of them if they are large, see {@link #data()} then. */
    public Map<DocumentId, byte[]> records() {
        return records;
    }

    /** How many documents the change could reach. */
    public int affected() {
        return affected.inOrder().size();
    }

    /** How many documents were rendered again. */
    public int evaluated() {
        return evaluated;
    }

    /** What evaluation noticed without being held up. */
    public List<Problem> warnings() {
        return warnings;
    }

    private void visit(DocumentId id) {
        Evaluation old = evaluations.get(id);
        boolean look = update.seeds().containsKey(id)
                || dirty.contains(id)
                || old == null
                || old.inputs() == null // it was not its inputs that kept it from being rendered
                || affected.cycle(id) != null;
        if (!look) {
            tracer.decided(id, null, Verdict.CLEAN);
            return;
        }
        int before = evaluated;
        Evaluation now = evaluation(id, old);
        boolean same = now.hasSameResult(old);
        if (same) {
            contents.drop(id); // what is in the stores is as good, and stays the one truth
        }
        now = now.since(same ? old.changedAt() : revision);
        tracer.decided(id, update.seeds().get(id), verdict(now, same, evaluated > before));
        if (!now.equals(old)) {
            evaluations = evaluations.assoc(id, now);
            changed.put(id, now);
        }
        boolean seenByDependents = old == null
                || !Objects.equals(old.data(), now.data())
                || !Objects.equals(old.problem(), now.problem())
                || !Objects.equals(old.cause(), now.cause());
        if (seenByDependents) {
            graph.forEachDependent(id, dirty::add);
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

    private Evaluation evaluation(DocumentId id, Evaluation old) {
        Problem problem = structure.problemOf(id);
        if (problem != null) {
            return trouble(null, problem, null);
        }
        Facts facts = graph.facts(id);
        DocumentId governor = graph.isInForce(id) ? graph.governor(id.schema()) : null;
        Evaluation blocked = blockedBy(id, facts, governor);
        if (blocked != null) {
            return blocked;
        }
        Evaluator evaluator =
                graph.isPlain(id) ? null : new Evaluator(graph, contents.document(id), facts.content(), contents);
        Fingerprint inputs = evaluator == null ? facts.content() : evaluator.inputs();
        boolean sameInputs = old != null && inputs.equals(old.inputs());
        Fingerprint schema = governor == null ? null : evaluations.get(governor).data();
        if (sameInputs && old.data() == null) {
            return upToDate(id, old, facts, governor); // it failed on the same inputs
        }
        boolean sameCheck = sameInputs && Objects.equals(schema, old.schema());
        if (sameCheck && facts.isOperations()) {
            // Without a record, nothing tells whether it was looked through last time: it may not have been in force.
            return checked(id, facts, inputs, governor, schema, contents.data(id), old);
        }
        if (sameCheck
                && (graph.isInForce(id)
                        ? old.output() != null || old.isInTrouble()
                        : old.output() == null && !old.isInTrouble())) {
            return upToDate(id, old, facts, governor);
        }
        evaluated++;
        Value value;
        try {
            value = sameInputs
                    ? contents.data(id)
                    : evaluator == null ? contents.document(id).data() : evaluator.evaluate(limits, warnings::add);
            limits.check(value);
        } catch (EvaluationException e) {
            return trouble(inputs, e.toProblem(id), null);
        }
        return checked(id, facts, inputs, governor, schema, value, old);
    }

    /* What went wrong names other documents, and one of the same content may have taken the place of each. */
    private Evaluation upToDate(DocumentId id, Evaluation old, Facts facts, DocumentId governor) {
        if (old.problem() == null || old.problem().related().isEmpty()) {
            return old;
        }
        List<DocumentId> related = old.problem().related().stream()
                .map(other -> governor != null && governor.key().equals(other.key())
                        ? governor
                        : facts.sources().contains(other.key()) ? graph.source(other.key()) : other)
                .toList();
        if (related.equals(old.problem().related())) {
            return old;
        }
        if (old.data() != null) {
            contents.put(id, contents.data(id)); // goes into the stores with the problem
        }
        return old.withProblem(old.problem().relatedTo(related));
    }

    private Evaluation checked(
            DocumentId id,
            Facts facts,
            Fingerprint inputs,
            DocumentId governor,
            Fingerprint schema,
            Value value,
            Evaluation old) {
        Fingerprint hash = value.fingerprint();
        contents.put(id, value);
        if (!graph.isInForce(id)) {
            return new Evaluation(inputs, schema, hash, null, null, null, 0);
        }
        Problem problem = schemas.secretProblem(id, value);
        if (problem == null && facts.governs()) {
            problem = schemas.bodyProblem(id, hash, value);
        }
        if (problem == null && facts.isOperations()) {
            problem = operationsProblem(id, value);
        }
        if (problem == null && governor != null) {
            problem =
                    schemas.dataProblem(contents.document(id), value, governor, schema, () -> contents.data(governor));
        }
        if (problem != null) {
            return new Evaluation(inputs, schema, hash, null, problem, null, 0);
        }
        if (facts.isOperations()) {
            return new Evaluation(inputs, schema, hash, null, null, null, 0);
        }
        Fingerprint record = facts.metadata().and(hash);
        boolean known =
                old != null && old.output() != null && old.output().record().equals(record);
        Output output = known ? old.output() : new Output(record, digest(id, value));
        return new Evaluation(inputs, schema, hash, output, null, null, 0);
    }

    private Digest digest(DocumentId id, Value value) {
        byte[] record = JsonBytes.of(contents.document(id).rendered(value));
        if (keptRecordBytes + record.length <= KEPT_RECORD_BYTES) {
            keptRecordBytes += record.length;
            records.put(id, record);
        }
        return Digest.of(id.key(), record);
    }

    /* A document is rendered only from documents that are; the first one in trouble passes its trouble on. */
    private Evaluation blockedBy(DocumentId id, Facts facts, DocumentId governor) {
        DocumentId base = graph.base(id);
        Evaluation blocked = base == null ? null : blockedBy(id, base);
        for (DocumentKey key : facts.sources()) {
            if (blocked != null) {
                return blocked;
            }
            DocumentId source = graph.source(key);
            if (source == null) {
                String message = "there is no concrete document " + key + " to substitute from";
                Problem problem = Problem.of(
                                ProblemCode.SUBSTITUTION_SOURCE_NOT_FOUND,
                                id,
                                message,
                                "publish it, or correct src.schema and src.name")
                        .at(".metadata.substitutions");
                return trouble(null, problem, null);
            }
            blocked = blockedBy(id, source);
        }
        for (DocumentId operator : graph.operators(id)) {
            if (blocked == null) {
                blocked = blockedBy(id, operator);
            }
        }
        return blocked == null && governor != null ? blockedBy(id, governor) : blocked;
    }

    private Evaluation blockedBy(DocumentId id, DocumentId dependency) {
        Evaluation other = evaluations.get(dependency);
        if (!other.isInTrouble()) {
            return null;
        }
        DocumentId cause = other.cause() == null ? dependency : other.cause();
        Problem problem = Problem.of(
                        other.problem().code(),
                        id,
                        "depends on " + cause + ", which cannot be rendered",
                        "see the problem of that document")
                .relatedTo(List.of(cause));
        return trouble(null, problem, cause);
    }

    private static Evaluation trouble(Fingerprint inputs, Problem problem, DocumentId cause) {
        return new Evaluation(inputs, null, null, null, problem, cause, 0);
    }

    private Problem operationsProblem(DocumentId id, Value value) {
        try {
            OperationsDocument read = OperationsDocument.of(value);
            if (read.target().equals(graph.target(id))) {
                return null;
            }
            return Problem.of(
                            ProblemCode.INVALID_OPERATIONS,
                            id,
                            "layering, substitution or operations give it another target than it is published with",
                            "state the target in the document, or in the parent that it is to be taken from")
                    .at(".data.target");
        } catch (EvaluationException e) {
            return e.toProblem(id);
        }
    }
}
