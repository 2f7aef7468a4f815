package dev.strake.engine.render;

import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.EffortExceededException;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.JsonBytes;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * One look at one document: what it comes to, now that all it depends on has come to something.
 *
 * <pre>
 *   place in order? ── no ──────────────────────────► in trouble, and so are its dependents
 *      │
 *   dependencies in order? ── no ───────────────────► in trouble, because of the first that is not
 *      │
 *   same inputs as last time? ── yes ───────────────► the same as last time
 *      │ no
 *   evaluate, check against the schema ─────────────► a result
 * </pre>
 *
 * It changes nothing that others see, so documents that do not depend on one another can be looked at side by side.
 */
final class Inspection {

    private final Basis basis;
    private final Graph graph;
    private final NewContents contents;
    private final DocumentId id;
    private final Evaluation old;
    private final Facts facts;
    private final List<Problem> warnings = new ArrayList<>(0);
    private final Evaluation evaluation;
    private boolean evaluated;
    private Value value;
    private byte[] record;

    /**
     * What looks have in common.
     *
     * @param evaluations of all dependencies, as they are by now
     */
    record Basis(
            Graph graph,
            StructuralCheck structure,
            NewContents contents,
            Function<DocumentId, Evaluation> evaluations,
            Renderer renderer,
            Room room) {}

    /** What the records of one change may still take on the heap. All looks take from it. */
    static final class Room {

        private long left;

        Room(long bytes) {
            left = bytes;
        }

        private synchronized boolean take(int bytes) {
            if (left < bytes) {
                return false;
            }
            left -= bytes;
            return true;
        }
    }

    /**
     * Looks.
     *
     * @param old what the document came to in the revision before, or null
     */
    Inspection(Basis basis, DocumentId id, Evaluation old) {
        this.basis = basis;
        this.graph = basis.graph();
        this.contents = basis.contents();
        this.id = id;
        this.old = old;
        this.facts = graph.facts(id);
        this.evaluation = withinLimits();
    }

    DocumentId document() {
        return id;
    }

    Facts facts() {
        return facts;
    }

    /** What the document came to in the revision before, or null. */
    Evaluation before() {
        return old;
    }

    Evaluation evaluation() {
        return evaluation;
    }

    /** Whether it was rendered again. */
    boolean wasEvaluated() {
        return evaluated;
    }

    /** The rendered data, if there is any and somebody may have to know it. */
    Value value() {
        return value;
    }

    /** The JSON of its record, if that is another one than before and there was room for it. */
    byte[] record() {
        return record;
    }

    /** What evaluation noticed without being held up. */
    List<Problem> warnings() {
        return warnings;
    }

    private Evaluation withinLimits() {
        try {
            return look();
        } catch (EffortExceededException e) {
            value = null;
            return trouble(null, e.at(null, "rendering the document").toProblem(id), null);
        }
    }

    private Evaluation look() {
        Problem problem = basis.structure().problemOf(id);
        if (problem != null) {
            return trouble(null, problem, null);
        }
        DocumentId governor = graph.isInForce(id) ? graph.governor(id.schema()) : null;
        Evaluation blocked = blockedBy(governor);
        if (blocked != null) {
            return blocked;
        }
        Evaluator evaluator = graph.isPlain(id)
                ? null
                : new Evaluator(
                        graph, contents.document(id), contents, basis.renderer().limits());
        DocumentId base = graph.base(id);
        Fingerprint baseData =
                base == null ? null : basis.evaluations().apply(base).data();
        Fingerprint inputs = evaluator == null ? facts.content() : evaluator.inputs(facts.content(), baseData);
        boolean sameInputs = old != null && !contents.isEdited(id) && inputs.equals(old.inputs());
        Fingerprint schema =
                governor == null ? null : basis.evaluations().apply(governor).data();
        if (sameInputs && old.data() == null) {
            return upToDate(governor); // it failed on the same inputs
        }
        boolean sameCheck = sameInputs && Objects.equals(schema, old.schema());
        if (sameCheck && facts.isOperations()) {
            // Without a record, nothing tells whether it was looked through last time: it may not have been in force.
            return checked(inputs, governor, schema, contents.data(id));
        }
        if (sameCheck
                && (graph.isInForce(id)
                        ? old.output() != null || old.isInTrouble()
                        : old.output() == null && !old.isInTrouble())) {
            return upToDate(governor);
        }
        evaluated = true;
        Value result;
        try {
            result = sameInputs
                    ? contents.data(id)
                    : evaluator == null ? contents.document(id).data() : evaluator.evaluate(warnings::add);
            basis.renderer().limits().check(result);
        } catch (EvaluationException e) {
            return trouble(inputs, e.toProblem(id), null);
        }
        return checked(inputs, governor, schema, result);
    }

    /* What went wrong names other documents, and one of the same content may have taken the place of each. */
    private Evaluation upToDate(DocumentId governor) {
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
        return old.withProblem(old.problem().relatedTo(related));
    }

    private Evaluation checked(Fingerprint inputs, DocumentId governor, Fingerprint schema, Value result) {
        value = result;
        Fingerprint hash = Fingerprint.asWritten(result);
        if (!graph.isInForce(id)) {
            return new Evaluation(inputs, schema, hash, null, null, null, 0);
        }
        Problem problem = problemOf(result, hash, governor, schema);
        if (problem != null || facts.isOperations()) {
            return new Evaluation(inputs, schema, hash, null, problem, null, 0);
        }
        if (old != null && old.output() != null && hash.equals(old.data()) && !contents.isEdited(id)) {
            return new Evaluation(inputs, schema, hash, old.output(), null, null, 0);
        }
        byte[] made = JsonBytes.of(contents.document(id).rendered(result));
        record = basis.room().take(made.length) ? made : null;
        return new Evaluation(
                inputs,
                schema,
                hash,
                new Output(Output.recordOf(facts, result), Digest.of(id.key(), made)),
                null,
                null,
                0);
    }

    private Problem problemOf(Value result, Fingerprint hash, DocumentId governor, Fingerprint schema) {
        DataSchemas schemas = basis.renderer().schemas();
        Problem problem = schemas.secretProblem(id, result);
        if (problem == null && facts.governs()) {
            problem = schemas.bodyProblem(
                    id, hash, result, basis.renderer().limits().budget());
        }
        if (problem == null && facts.isOperations()) {
            problem = operationsProblem(result);
        }
        if (problem == null && governor != null) {
            problem = schemas.dataProblem(
                    contents.document(id),
                    result,
                    governor,
                    schema,
                    () -> contents.data(governor),
                    basis.renderer().limits().budget());
        }
        return problem;
    }

    private Problem operationsProblem(Value result) {
        try {
            OperationsDocument read = OperationsDocument.of(result);
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

    /* A document is rendered only from documents that are; the first one in trouble passes its trouble on. */
    private Evaluation blockedBy(DocumentId governor) {
        DocumentId base = graph.base(id);
        Evaluation blocked = base == null ? null : blockedByTroubleOf(base);
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
            blocked = blockedByTroubleOf(source);
        }
        for (DocumentId operator : graph.operators(id)) {
            if (blocked == null) {
                blocked = blockedByTroubleOf(operator);
            }
        }
        return blocked == null && governor != null ? blockedByTroubleOf(governor) : blocked;
    }

    private Evaluation blockedByTroubleOf(DocumentId dependency) {
        Evaluation other = basis.evaluations().apply(dependency);
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
}
