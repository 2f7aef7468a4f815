package dev.strake.engine.render;

import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.graph.Graph;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.layering.Layering;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.OperationException;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.path.PathSyntaxException;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.problem.ProblemCode;
import dev.strake.engine.substitution.Substituting;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The evaluation of one document, in Deckhand's order: actions on its base's rendered data, then substitutions one by
 * one; and after that the operations of other documents on this one. Split in two, so that between gathering the inputs and working with them somebody can see that they are the
 * same as last time.
 */
final class Evaluator {

    /** Stands for "no parent" and "no value" where inputs are hashed. */
    private static final Fingerprint NOTHING = new Fingerprint(0, 0);

    private final Document document;
    private final RenderLimits limits;
    private final Value base;
    private final List<DocumentId> sources = new ArrayList<>();
    private final List<Value> values = new ArrayList<>();
    private final List<Operator> operators;
    private final Map<Integer, EvaluationException> unreadable = new HashMap<>();

    /** A document whose operations are applied. */
    private record Operator(DocumentId id, OperationsDocument document) {

        private static final Comparator<Operator> IN_TURN = Comparator.comparingLong(
                        (Operator operator) -> operator.document.order())
                .thenComparing(operator -> operator.id.name())
                .thenComparing(Operator::id);

        Fingerprint input() {
            String name = id.schema() + "|" + id.layer() + "|" + id.name();
            return new Text(name).fingerprint().and(document.content());
        }
    }

    /**
     * Gathers the inputs.
     *
     * @param contents of the documents that it depends on
     */
    Evaluator(Graph graph, Document document, Inputs contents, RenderLimits limits) {
        this.document = document;
        this.limits = limits;
        Budget reading = limits.budget();
        DocumentId baseId = graph.base(document.id());
        this.base = baseId == null ? null : contents.data(baseId);
        for (Substitution substitution : document.substitutions()) {
            DocumentId source = graph.source(substitution.source().document());
            Value value = read(substitution, contents.data(source), reading);
            sources.add(source);
            values.add(value);
        }
        operators = graph.operators(document.id()).stream()
                .map(id -> new Operator(id, contents.operations(id)))
                .sorted(Operator.IN_TURN)
                .toList();
    }

    private Value read(Substitution substitution, Value data, Budget budget) {
        try {
            return Substituting.select(substitution.source(), data, budget);
        } catch (PathSyntaxException e) {
            unreadable.put(
                    sources.size(),
                    new EvaluationException(
                            ProblemCode.UNKNOWN_SUBSTITUTION_ERROR,
                            substitution.source().pathText(),
                            "substitution " + (sources.size() + 1) + " cannot take its value: " + e.getMessage(),
                            null,
                            null));
            return null;
        }
    }

    /**
     * Hash over everything the evaluation uses: equal inputs, equal result, to the order of its keys.
     *
     * @param content hash of the document
     * @param baseData hash of what its base rendered to, as written; null if it has none
     */
    Fingerprint inputs(Fingerprint content, Fingerprint baseData) {
        Fingerprint result = content.and(baseData == null ? NOTHING : baseData);
        for (Value value : values) {
            result = result.and(value == null ? NOTHING : Fingerprint.asWritten(value));
        }
        for (Operator operator : operators) {
            result = result.and(operator.input());
        }
        return result;
    }

    /**
     * Works with the inputs.
     *
     * @throws EvaluationException if the document cannot be rendered
     */
    Value evaluate(Consumer<Problem> warnings) throws EvaluationException {
        Budget budget = limits.budget();
        Value data = base == null ? document.data() : base;
        for (int i = 0; base != null && i < document.actions().size(); i++) {
            data = Layering.apply(document.actions().get(i), i, document.data(), data, budget);
        }
        budget.check(data);
        for (int i = 0; i < values.size(); i++) {
            if (unreadable.containsKey(i)) {
                throw unreadable.get(i);
            }
            Substitution substitution = document.substitutions().get(i);
            if (values.get(i) == null) {
                throw new EvaluationException(
                        ProblemCode.SUBSTITUTION_SOURCE_DATA_NOT_FOUND,
                        substitution.source().pathText(),
                        "substitution " + (i + 1) + " finds nothing, or null, at this path of its source",
                        "correct src.path, or give the source a value there",
                        sources.get(i));
            }
            Value picked = Substituting.pick(
                    substitution.source(),
                    i,
                    values.get(i),
                    sources.get(i),
                    budget,
                    problem -> warnings.accept(problem.on(document.id())));
            for (Substitution.Destination destination : substitution.destinations()) {
                data = Substituting.write(destination, i, picked, data, sources.get(i), budget);
            }
            budget.check(data);
        }
        for (Operator operator : operators) {
            data = operated(operator, data, budget);
        }
        return data;
    }

    private static Value operated(Operator operator, Value data, Budget budget) throws EvaluationException {
        try {
            return operator.document().operations().applyTo(data, budget);
        } catch (OperationException e) {
            Problem problem = e.toProblem(".data.operations");
            throw new EvaluationException(
                    problem.code(),
                    null,
                    operator.id() + " operates on it, and its " + problem.message(),
                    problem.hint(),
                    operator.id());
        }
    }
}
