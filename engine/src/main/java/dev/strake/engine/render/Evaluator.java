package dev.strake.engine.render;

import dev.strake.engine.document.Action;
import dev.strake.engine.document.Document;
import dev.strake.engine.document.Substitution;
import dev.strake.engine.document.Substitution.Destination;
import dev.strake.engine.graph.Dependency;
import dev.strake.engine.graph.Reference;
import dev.strake.engine.identity.DocumentId;
import dev.strake.engine.identity.DocumentKey;
import dev.strake.engine.limit.Budget;
import dev.strake.engine.limit.BudgetExceededException;
import dev.strake.engine.limit.RenderLimits;
import dev.strake.engine.operations.Operation;
import dev.strake.engine.operations.OperationsDocument;
import dev.strake.engine.problem.EvaluationException;
import dev.strake.engine.problem.Problem;
import dev.strake.engine.substitution.TakenValue;
import dev.strake.engine.tree.Fingerprint;
import dev.strake.engine.tree.Text;
import dev.strake.engine.tree.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The evaluation of one document, in Deckhand's order: actions on the rendered data of its base, then substitutions one
 * by one. The operations of other documents on this one follow. {@link #of} gathers the inputs, {@link #evaluate} uses
 * them. In between, the caller can check whether the inputs changed since the last evaluation.
 */
public final class Evaluator {

    /** Stands for "no parent" and "no value" where inputs are hashed. */
    private static final Fingerprint NOTHING = new Fingerprint(0, 0);

    private final Document document;
    private final RenderLimits limits;
    private DocumentId base;
    private Value baseData;
    private final List<TakenValue> taken = new ArrayList<>();
    private final List<Operator> operators = new ArrayList<>();
    private long effort;

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
     * @param dependencies the dependencies of the document; all of them exist and have no problem
     * @param contents the contents of the dependencies
     * @param warnings receives the warnings of the evaluation
     * @throws BudgetExceededException if reading the sources takes more work than the limit allows
     */
    public static Evaluator of(
            Document document,
            List<Dependency> dependencies,
            Inputs contents,
            RenderLimits limits,
            Consumer<Problem> warnings) {
        Evaluator evaluator = new Evaluator(document, limits);
        evaluator.gather(dependencies, contents, warnings);
        return evaluator;
    }

    private Evaluator(Document document, RenderLimits limits) {
        this.document = document;
        this.limits = limits;
    }

    private void gather(List<Dependency> dependencies, Inputs contents, Consumer<Problem> warnings) {
        Budget reading = limits.budget();
        Map<DocumentKey, DocumentId> sources = new HashMap<>();
        for (Dependency dependency : dependencies) {
            DocumentId on = dependency.on();
            if (dependency.reference() instanceof Reference.Parent) {
                base = on;
                baseData = contents.data(on);
            } else if (dependency.reference() instanceof Reference.Source source) {
                sources.put(source.document(), on);
            } else if (dependency.reference() instanceof Reference.Operation) {
                operators.add(new Operator(on, contents.operations(on)));
            }
        }
        operators.sort(Operator.IN_TURN);
        List<Substitution> substitutions = document.substitutions();
        for (int i = 0; i < substitutions.size(); i++) {
            DocumentId source = sources.get(substitutions.get(i).source().document());
            Consumer<Problem> warning = problem -> warnings.accept(problem.on(document.id()));
            taken.add(TakenValue.of(substitutions.get(i), i, source, contents.data(source), reading, warning));
        }
        effort = reading.spent();
    }

    /** The data that the evaluation starts with. */
    Value base() {
        return base == null ? document.data() : baseData;
    }

    /**
     * The hash of everything that the evaluation uses. Equal hashes give equal results, including the order of keys.
     *
     * @param content the hash of the document
     * @param rendered returns the hash of a document's rendered data as written; called for the base
     */
    Fingerprint inputs(Fingerprint content, Function<DocumentId, Fingerprint> rendered) {
        Fingerprint result = content.and(base == null ? NOTHING : rendered.apply(base));
        for (TakenValue value : taken) {
            result = result.and(value.found() == null ? NOTHING : Fingerprint.asWritten(value.found()));
        }
        for (Operator operator : operators) {
            result = result.and(operator.input());
        }
        return result;
    }

    /** Large values of sources and operations, by identity, with their hashes. Other documents may share them. */
    IdentityHashMap<Value, Fingerprint> borrowed() {
        IdentityHashMap<Value, Fingerprint> borrowed = new IdentityHashMap<>();
        for (TakenValue value : taken) {
            borrow(value.found(), borrowed);
        }
        for (Operator operator : operators) {
            for (Operation operation : operator.document().operations().items()) {
                if (operation instanceof Operation.Replace replace) {
                    borrow(replace.value(), borrowed);
                }
            }
        }
        return borrowed;
    }

    private static void borrow(Value value, IdentityHashMap<Value, Fingerprint> borrowed) {
        if (value != null && value.weight() >= HeapLimit.NOTED_WEIGHT) {
            borrowed.computeIfAbsent(value, Fingerprint::asWritten);
        }
    }

    /** The steps of the evaluation, in order. */
    List<Step> steps() {
        DocumentId id = document.id();
        List<Step> steps = new ArrayList<>();
        steps.add(new Step.Begin(id, base, base()));
        List<Action> actions = base == null ? List.of() : document.actions();
        for (int i = 0; i < actions.size(); i++) {
            steps.add(new Step.Layer(id, i, actions.get(i), document.data()));
        }
        for (TakenValue value : taken) {
            List<Destination> destinations =
                    document.substitutions().get(value.number()).destinations();
            for (int i = 0; i < destinations.size(); i++) {
                steps.add(new Step.Substitute(id, value, i, destinations.get(i)));
            }
        }
        for (Operator operator : operators) {
            for (int i = 0; i < operator.document().operations().items().size(); i++) {
                steps.add(new Step.Operate(operator.id(), i, operator.document().operations()));
            }
        }
        return steps;
    }

    /**
     * Takes the steps. The rendered data of an encrypted document is secret as a whole, including values from documents
     * that are not encrypted.
     *
     * @throws EvaluationException if the document cannot be rendered
     */
    public Value evaluate(Step.Watcher watcher) throws EvaluationException {
        Budget budget = limits.budget();
        Value data = null;
        try {
            for (Step step : steps()) {
                data = taken(step, data, budget, watcher);
            }
            return data;
        } finally {
            effort += budget.spent();
        }
    }

    private Value taken(Step step, Value data, Budget budget, Step.Watcher watcher) throws EvaluationException {
        try {
            Value next = step.take(data, budget).secretIf(document.isEncrypted());
            budget.limits().check(next);
            watcher.taken(step, data, next);
            return next;
        } catch (BudgetExceededException e) {
            throw e.at(step.place(), "rendering the document");
        }
    }

    /** The work so far, in units of {@link Budget}. */
    public long effort() {
        return effort;
    }
}
