package dev.strake.engine.render;

import dev.strake.engine.graph.Affected;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Facts;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.graph.Places;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.ChangeEffort;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.render.Evaluation.Blocked;
import dev.strake.engine.render.Evaluation.Evaluated;
import dev.strake.engine.render.Evaluation.Failed;
import dev.strake.engine.render.Evaluation.Internal;
import dev.strake.engine.render.Evaluation.Invalid;
import dev.strake.engine.render.Evaluation.Published;
import dev.strake.engine.render.Evaluation.Rendered;
import dev.strake.engine.render.Evaluation.Result;
import dev.strake.engine.render.Evaluation.Unready;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.MapValue;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The inspection of one document, after all of its dependencies. The result is the new {@link Evaluation}.
 *
 * <pre>
 *   no problem with its place? ── no ───────────────► Unready, and its dependents are blocked
 *      │
 *   no problem in a dependency? ── no ──────────────► Blocked, because of the first one
 *      │
 *   same inputs as last time? ── yes ───────────────► the same as last time
 *      │ no
 *   evaluate ── a step fails ───────────────────────► Failed
 *      │
 *   check the data ── it breaks a rule ─────────────► Invalid
 *      │
 *   for consumers? ─────────────────────────────────► Published or Internal
 * </pre>
 *
 * An inspection changes nothing that other inspections read. So documents that do not depend on one another can be
 * inspected in parallel.
 */
final class Inspection {

    private final Basis basis;
    private final Graph graph;
    private final NewContents contents;
    private final DocumentId id;
    private final Evaluation old;
    private final Facts facts;
    private final Quoting quoting;
    private final List<Problem> warnings = new ArrayList<>(0);
    private Evaluation evaluation;
    private boolean evaluated;
    private long steps; // added to the shared effort once, at the end
    private Value value;
    private RecordJson record;

    /**
     * The state that all inspections of one rendering share.
     *
     * @param evaluations the evaluations of all dependencies, including new ones
     * @param relimited whether the revision before was rendered with other limits, so that no result can be reused
     */
    record Basis(
            Places places,
            Affected affected,
            NewContents contents,
            Function<DocumentId, Evaluation> evaluations,
            Renderer renderer,
            boolean relimited,
            Allowance allowance) {}

    /**
     * @param old the evaluation of the revision before, or null
     */
    Inspection(Basis basis, DocumentId id, Evaluation old) {
        this.basis = basis;
        this.contents = basis.contents();
        this.graph = contents.graph();
        this.id = id;
        this.old = old;
        this.facts = graph.facts(id);
        this.quoting = new Quoting(graph, id);
    }

    /** Inspects the document. */
    Inspection carryOut() {
        evaluation = look();
        basis.allowance().effort().spend(steps);
        if (value != null && !isForOthers()) {
            value = null;
        }
        return this;
    }

    DocumentId document() {
        return id;
    }

    Facts facts() {
        return facts;
    }

    /** The evaluation of the revision before, or null. */
    Evaluation before() {
        return old;
    }

    Evaluation evaluation() {
        return evaluation;
    }

    /** Whether the document was evaluated again. */
    boolean wasEvaluated() {
        return evaluated;
    }

    /** The units of work of this inspection. */
    long steps() {
        return steps;
    }

    /** The new rendered data, if dependents need it; null otherwise. */
    Value value() {
        return value;
    }

    /** The JSON of the new record; null if the record is unchanged or not created, or there was no room for it. */
    RecordJson record() {
        return record;
    }

    /** The warnings of the evaluation. */
    List<Problem> warnings() {
        return warnings;
    }

    /* Whether dependents need the data kept. A document that renders as published already holds its data. */
    private boolean isForOthers() {
        return basis.affected().hasDependents(id) && !graph.rendersAsPublished(id);
    }

    private Evaluation look() {
        Problem problem = basis.places().problemOf(id);
        Affected.Cycle cycle = basis.affected().cycle(id);
        if (problem == null && cycle != null) {
            problem = DependencyProblems.of(contents.document(id), cycle);
        }
        if (problem == null && facts.isEncrypted()) {
            problem = contents.document(id)
                    .missingKey()
                    .map(key -> key.problemOf(id))
                    .orElse(null);
        }
        if (problem != null) {
            return new Unready(problem, 0);
        }
        long search = graph.stepsToOperations(id);
        if (search > 0) {
            basis.allowance()
                    .effort()
                    .spend(2 * search); // before it begins: here, and to know whether it renders as published
        }
        List<Dependency> dependencies = graph.dependencies(id);
        steps += 1L + ChangeEffort.FOR_LOOKUP * dependencies.size();
        for (Dependency dependency : dependencies) {
            Evaluation blocked = blockedBy(dependency);
            if (blocked != null) {
                return blocked;
            }
        }
        return evaluation(dependencies);
    }

    /* A document is blocked by the first dependency that has a problem or is missing. */
    private Evaluation blockedBy(Dependency dependency) {
        if (dependency.on() == null) {
            return dependency.reference().isRequired()
                    ? new Unready(DependencyProblems.missing(contents.document(id), dependency.reference(), graph), 0)
                    : null;
        }
        Evaluation other = basis.evaluations().apply(dependency.on());
        if (!other.isInTrouble()) {
            return null;
        }
        DocumentId cause = other.cause() == null ? dependency.on() : other.cause();
        return new Blocked(DependencyProblems.blocked(id, cause, other.problem().code()), cause, 0);
    }

    private Evaluation evaluation(List<Dependency> dependencies) {
        if (dependencies.stream().noneMatch(each -> each.reference().isInput())) {
            return evaluation(null, dependencies);
        }
        Evaluator evaluator;
        try {
            evaluator = Evaluator.of(
                    contents.document(id),
                    dependencies,
                    contents,
                    basis.renderer().limits(),
                    warnings::add);
        } catch (BudgetExceededException e) {
            steps += basis.renderer().limits().effort();
            return new Unready(
                    e.at(".metadata.substitutions", "reading the sources").toProblem(id), 0);
        }
        Evaluation result = evaluation(evaluator, dependencies);
        steps += evaluator.effort();
        return result;
    }

    /* The evaluator is null for a document without inputs from other documents. */
    private Evaluation evaluation(Evaluator evaluator, List<Dependency> dependencies) {
        Fingerprint inputs = evaluator == null ? facts.content() : evaluator.inputs(facts.content(), this::rendered);
        DocumentId governor = dependencies.stream()
                .filter(each -> each.reference() instanceof Reference.Governor)
                .map(Dependency::on)
                .findFirst()
                .orElse(null);
        Fingerprint schema = governor == null ? null : rendered(governor);
        boolean sameInputs = !basis.relimited()
                && !contents.isEdited(id)
                && old instanceof Evaluated before
                && inputs.equals(before.inputs())
                && (!(old instanceof Failed)
                        || quoting.hasSameMessage(Quoting.withCurrentDocuments(old.problem(), dependencies)));
        if (sameInputs && old instanceof Failed failed) {
            return new Failed(inputs, Quoting.withCurrentDocuments(failed.problem(), dependencies), failed.changedAt());
        }
        boolean sameCheck = sameInputs
                && old instanceof Rendered before
                && Objects.equals(schema, before.result().schema());
        boolean isInForce = graph.isInForce(facts);
        if (sameCheck && (!facts.isForConsumers() || (isInForce && isInOtherForm(old)))) {
            // A document that is not for consumers may not have been in force last time. Then its data was not checked.
            return checked(inputs, governor, schema, contents.data(id));
        }
        if (sameCheck && isInForce && old instanceof Invalid invalid && quoting.hasSameMessage(invalid.problem())) {
            return new Invalid(
                    invalid.result(),
                    Quoting.withCurrentDocuments(invalid.problem(), dependencies),
                    invalid.changedAt());
        }
        if (sameCheck && (isInForce ? old instanceof Published : old instanceof Internal)) {
            return old;
        }
        evaluated = true;
        try {
            Value data = sameInputs
                    ? contents.data(id)
                    : evaluator == null ? contents.document(id).data() : evaluator.evaluate(Step.Watcher.NONE);
            basis.renderer().limits().check(data);
            if (evaluator != null && isForOthers()) {
                basis.allowance().data().hold(data, evaluator.base(), evaluator.borrowed());
            }
            return checked(inputs, governor, schema, data);
        } catch (EvaluationException e) {
            return new Failed(inputs, quoting.unquoted(e.toProblem(id)), 0);
        }
    }

    private Fingerprint rendered(DocumentId other) {
        return basis.evaluations().apply(other).data();
    }

    private Evaluation checked(Fingerprint inputs, DocumentId governor, Fingerprint schema, Value data) {
        value = data;
        steps += data.weight() / Budget.JSON_BYTES;
        Fingerprint places = Fingerprint.ofPlaces(data);
        Fingerprint hash = Fingerprint.asWritten(data, places);
        Result result = new Result(inputs, schema, hash);
        if (!graph.isInForce(facts)) {
            return new Internal(result, 0);
        }
        DataCheck check = new DataCheck(graph, contents, basis.renderer());
        Problem problem = check.problemOf(facts, data, hash, governor, schema);
        steps += check.effort();
        if (problem != null) {
            return new Invalid(result, quoting.unquoted(problem), 0);
        }
        if (!facts.isForConsumers()) {
            return new Internal(result, 0);
        }
        if (old instanceof Published before
                && hash.equals(before.data())
                && !contents.isEdited(id)
                && !isInOtherForm(before)) {
            return new Published(result, before.output(), 0);
        }
        MapValue whole = contents.document(id).rendered(data);
        if (whole.weight() > RenderLimits.RECORD_BYTES) {
            return new Invalid(result, tooLarge("", "split the document, or shorten its metadata"), 0);
        }
        steps += (whole.weight() - data.weight()) / Budget.JSON_BYTES; // metadata may be the larger part
        Renderer.Made made = basis.renderer().made(id.key(), whole, Output.recordOf(facts, data, places));
        if (made == null) {
            String form = basis.renderer().form(data.hasSecrets()).name();
            return new Invalid(
                    result,
                    tooLarge(" with its secrets in the form " + form, "split the document; in clear text it would fit"),
                    0);
        }
        record = basis.allowance().records().take(made.json()) ? made.json() : null;
        return new Published(result, made.output(), 0);
    }

    /* Whether the published record has another form than it needs now. */
    private boolean isInOtherForm(Evaluation before) {
        Output output = before.output();
        return output != null
                && !output.form().equals(basis.renderer().form(output.secret()).name());
    }

    private Problem tooLarge(String form, String hint) {
        return Problem.of(
                ProblemCode.LIMIT_EXCEEDED,
                id,
                "the rendered document with its metadata is larger than " + RenderLimits.RECORD_BYTES + " bytes" + form,
                hint);
    }
}
